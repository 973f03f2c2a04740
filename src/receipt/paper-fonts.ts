/** The fonts that receipts are drawn with, read from `noto/` when the first picture or PDF is made. */
import { readFileSync } from 'node:fs';
import { type FontFile, type Fonts, fontsOf } from './fonts.ts';

/** Family and script, in order of preference. A file that is missing is left out: its letters become `?`. */
const subsets: readonly (readonly [family: string, subset: string])[] = [
  ['noto-sans-mono', 'latin'],
  ['noto-sans-mono', 'latin-ext'],
  ['noto-sans-mono', 'greek'],
  ['noto-sans-mono', 'cyrillic'],
  ['noto-sans-mono', 'cyrillic-ext'],
  ['noto-sans-mono', 'vietnamese'],
  ['noto-sans-arabic', 'arabic'],
  ['noto-sans-jp', 'japanese'],
  ['noto-sans-sc', 'chinese-simplified'],
  ['noto-sans-kr', 'korean'],
];

let loaded: Fonts | undefined;

export const paperFonts = (): Fonts => {
  loaded ??= fontsOf(subsets.flatMap(([family, subset]) => filesOf(family, subset)));
  return loaded;
};

const WEIGHTS = [400, 700];

const filesOf = (family: string, subset: string): FontFile[] =>
  WEIGHTS.flatMap((weight) => {
    const bytes = readFont(`${family}-${subset}-${weight}.woff`);
    return bytes === undefined ? [] : [{ name: `${family}-${subset}`, bold: weight === 700, bytes }];
  });

const readFont = (name: string): Uint8Array | undefined => {
  try {
    return readFileSync(new URL(`noto/${name}`, import.meta.url));
  } catch {
    return undefined;
  }
};
