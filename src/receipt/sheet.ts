/**
 * Places lines on a sheet: where each begins, how high it is, how large its text is. Measured in printer dots, twelve
 * per column; preview, picture and PDF all draw this.
 */
import encodeQR from 'qr';
import { columns, frame } from './columns.ts';
import type { Cell, Line, Width } from './layout.ts';
import type { Picture } from './picture.ts';

export const COLUMN = 12;
/** A fixed-width letter is 0.6 times as wide as its font is high. */
const SIZE = COLUMN / 0.6;
/** Magnifications for large text: the first that fits on the paper is used. */
const LARGE = [1.6, 1.3] as const;

export type PlacedItem =
  /** `x` is the position of the edge that `anchor` names; `y` is the base line. */
  | { kind: 'text'; text: string; x: number; y: number; size: number; bold: boolean; anchor: Anchor; keep: boolean }
  | { kind: 'bar'; x: number; y: number; width: number; height: number; dashed: boolean }
  | { kind: 'picture'; picture: Picture; x: number; y: number; width: number; height: number }
  | { kind: 'dots'; x: number; y: number; dot: number; dots: readonly (readonly boolean[])[]; code: string };

export type Anchor = 'left' | 'middle' | 'right';

/** One line of the sheet; the `y` values in it count from the sheet's top. */
export type Strip = { top: number; height: number; placed: PlacedItem[] };

export type SheetLook = { width: Width; rtl: boolean; logo?: Picture | undefined };

export const dotsAcross = (width: Width): number => width * COLUMN;

/** All lines below each other. */
export const sheetOf = (lines: readonly Line[], look: SheetLook): { height: number; strips: Strip[] } => {
  const strips: Strip[] = [];
  let top = 0;
  for (const line of lines) {
    const { height, placed } = stripOf(line, top, look);
    strips.push({ top, height, placed });
    top += height;
  }
  return { height: top, strips };
};

type DrawnStrip = Omit<Strip, 'top'>;

const stripOf = (line: Line, top: number, look: SheetLook): DrawnStrip => {
  const across = dotsAcross(look.width);
  switch (line.kind) {
    case 'blank':
      return { height: 18, placed: [] };
    case 'rule':
      return { height: 20, placed: [{ kind: 'bar', x: 0, y: top + 9, width: across, height: 2, dashed: true }] };
    case 'stroke':
      return { height: 64, placed: [{ kind: 'bar', x: 0, y: top + 58, width: across, height: 2, dashed: false }] };
    case 'logo':
      return logoStrip(top, look);
    case 'code':
      return codeStrip(line.code, top, across);
    case 'mark':
      return markStrip(line.text, top, look);
    case 'text':
      return line.large === true ? largeStrip(line, top, look) : textStrip(line, top, look);
  }
};

const logoStrip = (top: number, { width, logo }: SheetLook): DrawnStrip => {
  if (logo === undefined) return { height: 0, placed: [] };
  const across = dotsAcross(width);
  const scale = Math.min(1, (across * 0.7) / logo.width, 200 / logo.height);
  const [wide, high] = [Math.round(logo.width * scale), Math.round(logo.height * scale)];
  const x = Math.round((across - wide) / 2);
  return { height: high + 16, placed: [{ kind: 'picture', picture: logo, x, y: top, width: wide, height: high }] };
};

const codeStrip = (code: string, top: number, across: number): DrawnStrip => {
  const dots = codeDots(code);
  const dot = 5;
  const side = dots.length * dot;
  const x = Math.round((across - side) / 2);
  return { height: side, placed: [{ kind: 'dots', x, y: top, dot, dots, code }] };
};

type TextLine = Extract<Line, { kind: 'text' }>;

const textStrip = (line: TextLine, top: number, look: SheetLook): DrawnStrip => ({
  height: 28,
  placed: line.cells.map((cell) =>
    textAt(cell, { y: top + 21, scale: 1, bold: false, keep: line.keep === true }, look),
  ),
});

/** A single text is enlarged if it fits; of a pair, the value is. */
const largeStrip = (line: TextLine, top: number, look: SheetLook): DrawnStrip => {
  const wide = line.cells.map(({ text }) => columns(text));
  const last = line.cells.length - 1;
  const need = (scale: number) => wide.reduce((sum, each, i) => sum + each * (i === last ? scale : 1), last);
  const scale = LARGE.find((each) => need(each) <= look.width) ?? 1;
  const height = scale === 1 ? 28 : Math.round(12 + SIZE * scale);
  const y = top + Math.round(height * 0.74);
  return {
    height,
    placed: line.cells.map((cell, i) =>
      textAt(cell, { y, scale: i === last ? scale : 1, bold: true, keep: false }, look),
    ),
  };
};

/** The magnification of a mark, if it fits. */
const MARK = 1.3;

/** The mark in its frame if that fits at the size of marks; otherwise without it, as large as the paper allows. */
const markStrip = (text: string, top: number, look: SheetLook): DrawnStrip => {
  const wide = frame(text, Math.floor(look.width / MARK));
  const scale = Math.max(1, Math.min(MARK, look.width / columns(wide)));
  const height = Math.round(20 + SIZE * scale);
  const y = top + Math.round(height * 0.7);
  return { height, placed: [textAt({ text: wide, at: 'centre' }, { y, scale, bold: true, keep: false }, look)] };
};

type TextLook = { y: number; scale: number; bold: boolean; keep: boolean };

const textAt = (
  { text, at, column = 0 }: Cell,
  { scale, ...rest }: TextLook,
  { width, rtl }: SheetLook,
): PlacedItem => {
  const across = dotsAcross(width);
  const from = at === 'centre' ? across / 2 : at === 'end' ? across : column * COLUMN;
  const anchor = at === 'centre' ? 'middle' : (at === 'end') !== rtl ? 'right' : 'left';
  return { kind: 'text', text, x: rtl ? across - from : from, size: SIZE * scale, anchor, ...rest };
};

// A QR code as rows of dots, with a quiet zone of four dots around it; true is black.

/** Error correction M, the same as in codes drawn by the printer. */
const codeDots = (code: string): readonly (readonly boolean[])[] => encodeQR(code, 'raw', { ecc: 'medium', border: 4 });
