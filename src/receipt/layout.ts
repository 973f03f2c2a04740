/** Lays out rows for a number of columns: what is on which line, at which edge, and how large. */
import { columns, wrap } from './columns.ts';
import type { ReceiptField, Row } from './rows.ts';

/** Columns of the usual fonts: 32 on 58 mm paper, 42 or 48 on 80 mm. */
export type Width = 32 | 42 | 48;

/**
 * A piece of a line. `start` begins at `column`, counted from the left edge, or from the right on right-to-left paper.
 */
export type Cell = { text: string; at: 'start' | 'centre' | 'end'; column?: number };

export type Line =
  /** `keep`: preserves spaces. `large`: what should be read first. */
  | { kind: 'text'; cells: readonly Cell[]; large?: true; keep?: true }
  /** Framed, and as large as the paper allows. */
  | { kind: 'mark'; text: string }
  | { kind: 'rule' }
  | { kind: 'blank' }
  /** A line to write on. */
  | { kind: 'stroke' }
  | { kind: 'logo' }
  | { kind: 'code'; code: string };

/** The lines of these rows; no text is wider than `width` columns. */
export const layout = (rows: readonly Row[], width: Width): Line[] => rows.flatMap((row) => linesOf(row, width));

const linesOf = (row: Row, width: Width): Line[] => {
  switch (row.kind) {
    case 'centre':
      return wrap(row.text, width).map((text) => line([{ text, at: 'centre' }], row.large));
    case 'pair':
      return pairLines(row, width);
    case 'fields':
      return fieldLines(row.left, row.right, width);
    case 'plain':
      return columns(row.text) <= width
        ? [{ kind: 'text', cells: [{ text: row.text, at: 'start' }], keep: true }]
        : wrap(row.text, width).map((text) => line([{ text, at: 'start' }]));
    case 'signature':
      return [
        { kind: 'blank' },
        { kind: 'stroke' },
        ...wrap(row.label, width).map((text) => line([{ text, at: 'start' }])),
      ];
    case 'code':
      return [
        { kind: 'code', code: row.code },
        ...wrap(row.caption, width).map((text) => line([{ text, at: 'centre' }])),
      ];
    case 'mark':
      return [{ kind: 'mark', text: row.text }];
    case 'rule':
    case 'blank':
    case 'logo':
      return [{ kind: row.kind }];
  }
};

const line = (cells: Cell[], large?: true): Line => ({ kind: 'text', cells, large });

type Pair = { left: string; right: string; large?: true };

/**
 * Both texts on one line if they fit with a space between; otherwise the right one goes below, left-aligned if it takes
 * several lines.
 */
const pairLines = ({ left, right, large }: Pair, width: Width): Line[] => {
  if (columns(left) + 1 + columns(right) <= width) {
    const cells: Cell[] = [
      { text: left, at: 'start' },
      { text: right, at: 'end' },
    ];
    return [line(cells, large)];
  }
  const continuation = wrap(right, width);
  const at = continuation.length === 1 ? 'end' : 'start';
  return [
    ...wrap(left, width).map((text) => line([{ text, at: 'start' }], large)),
    ...continuation.map((text) => line([{ text, at }], large)),
  ];
};

/** The second column fits `RECEIPT 000417` on narrow paper, so that the usual values line up. */
const fieldLines = (left: ReceiptField, right: ReceiptField, width: Width): Line[] => {
  const second = width === 32 ? 14 : 17;
  const first = `${left.label} ${left.value}`;
  const fits = columns(`${right.label} ${right.value}`) <= second && columns(first) < width - second;
  if (!fits) return [left, right].flatMap(({ label, value }) => pairLines({ left: label, right: value }, width));
  return [
    line([
      { text: first, at: 'start' },
      { text: right.label, at: 'start', column: width - second },
      { text: right.value, at: 'end' },
    ]),
  ];
};
