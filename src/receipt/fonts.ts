/**
 * Splits text into runs of glyphs in drawing order, left to right: handles direction, joining letters, and which font
 * has which letter.
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import bidiFactory from 'bidi-js';
import { RIGHT_TO_LEFT } from './safe-text.ts';

type Glyph = { path: { toSVG(): string } };
/** In font units. */
type Position = { xAdvance: number; xOffset: number; yOffset: number };

/** The part of fontkit, which has no types, that is used. */
export type Font = {
  unitsPerEm: number;
  hasGlyphForCodePoint(code: number): boolean;
  layout(text: string): { glyphs: Glyph[]; positions: Position[] };
};

const { create } = createRequire(import.meta.url)('fontkit') as { create(file: Buffer): Font };

/** One font file in one weight. `bytes`: WOFF, TrueType or OpenType. */
type FontFile = { name: string; bold: boolean; bytes: Uint8Array };

export type Face = { name: string; bold: boolean; bytes: Uint8Array; font: Font };

/** In order of preference: a letter is drawn with the first font that has it. */
export type Fonts = readonly Face[];

/** A piece of text in one font and direction, with its `text` in the order in which it is drawn or joined. */
type Run = { face: Face; text: string };

/** The package's default export is a function, although its types say that it has one. */
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();

const MARK = /\p{M}/u;

/** Reads font files. Throws the parser's error for anything else. */
const fontsOf = (files: readonly FontFile[]): Fonts =>
  files.map((file) => ({ ...file, font: create(Buffer.from(file.bytes)) }));

type Piece = { face: Face; level: number; text: string };

/** The runs of a line, starting at the left edge. Empty without fonts. A letter that no font has becomes `?`. */
export const runsOf = (text: string, { fonts, bold }: { fonts: Fonts; bold: boolean }): Run[] => {
  const levels = bidi.getEmbeddingLevels(text, RIGHT_TO_LEFT.test(text) ? 'rtl' : 'ltr').levels;
  const pieces: Piece[] = [];
  let offset = 0;
  for (const letter of text.replaceAll('\u202f', '\u00a0')) {
    const level = levels[offset] ?? 0;
    offset += letter.length;
    const last = pieces.at(-1);
    const found = faceOf(letter, { fonts, bold, previous: last?.face });
    if (found === undefined) return [];
    const drawn = level % 2 === 1 ? (bidi.getMirroredCharacter(found.letter) ?? found.letter) : found.letter;
    if (last?.face === found.face && last.level === level) last.text += drawn;
    else pieces.push({ face: found.face, level, text: drawn });
  }
  return visualOrder(pieces).map(({ face, level, text }) => ({ face, text: reverseIfRightToLeft(text, level) }));
};

type FontQuery = { fonts: Fonts; bold: boolean; previous: Face | undefined };

/** A mark uses the font of its letter, and a space the font of the word before it. */
const faceOf = (letter: string, { fonts, bold, previous }: FontQuery): { face: Face; letter: string } | undefined => {
  const code = letter.codePointAt(0) ?? 0;
  const has = (face: Face) => face.font.hasGlyphForCodePoint(code);
  if (previous !== undefined && (MARK.test(letter) || letter === ' ') && has(previous))
    return { face: previous, letter };
  const face = fonts.find((one) => one.bold === bold && has(one)) ?? fonts.find(has);
  if (face !== undefined) return { face, letter };
  const first = fonts.find((one) => one.bold === bold) ?? fonts[0];
  return first && { face: first, letter: '?' };
};

/** Unicode Annex 9, rule L2: from the highest level down, every sequence at or above it is reversed. */
const visualOrder = (pieces: readonly Piece[]): Piece[] => {
  const order = [...pieces];
  const highest = Math.max(0, ...pieces.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1) {
    for (let from = 0; from < order.length; from += 1) {
      let to = from;
      while ((order[to]?.level ?? -1) >= level) to += 1;
      if (to > from) order.splice(from, to - from, ...order.slice(from, to).reverse());
      from = to;
    }
  }
  return order;
};

/** A font reverses letters of right-to-left scripts itself, but not neutral characters on their own. */
const reverseIfRightToLeft = (text: string, level: number): string =>
  level % 2 === 1 && !RIGHT_TO_LEFT.test(text) ? [...text].reverse().join('') : text;

/** The width of a run at this font size, in the same unit. */
export const widthOfRun = ({ face, text }: Run, size: number): number =>
  (face.font.layout(text).positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0) * size) / face.font.unitsPerEm;

// The fonts that receipts are drawn with, read from `noto/` with the first picture or PDF.

/** Families and scripts in order of preference. A missing file is skipped: its letters become `?`. */
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
