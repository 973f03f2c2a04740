/** The fonts that receipts are drawn with: packages beside the program, read when the first picture or PDF is made. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type FontFile, type Fonts, fontsOf } from './fonts.ts';

/** Package and subset, in order of preference. What is not installed is left out: its letters become `?`. */
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

/** WOFF, not WOFF2, whose composite glyphs the PDF writer cannot take. */
const filesOf = (family: string, subset: string): FontFile[] =>
  WEIGHTS.flatMap((weight) => {
    const bytes = readFont(`@fontsource/${family}/files/${family}-${subset}-${weight}-normal.woff`);
    return bytes === undefined ? [] : [{ name: `${family}-${subset}`, bold: weight === 700, bytes }];
  });

const readFont = (name: string): Uint8Array | undefined => {
  try {
    return readFileSync(fileURLToPath(import.meta.resolve(name)));
  } catch {
    return undefined;
  }
};
