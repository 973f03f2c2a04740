/** A receipt as lines of text for a fixed-width printer or a screen. */
import { columns, wrap } from './columns.ts';
import type { Field, Row } from './rows.ts';

/** Columns of the usual fonts: 32 on 58 mm paper, 42 on 80 mm. */
export type Width = 32 | 42;

/** The receipt's lines, none wider than `width` columns and none ending in blanks. */
export const receiptText = (rows: readonly Row[], width: Width): string[] =>
  rows.flatMap((row) => linesOf(row, width)).map((line) => line.trimEnd());

const linesOf = (row: Row, width: Width): string[] => {
  switch (row.kind) {
    case 'centre':
      return wrap(row.text, width).map((line) => ' '.repeat(Math.floor((width - columns(line)) / 2)) + line);
    case 'pair':
      return pairLines(row.left, row.right, width);
    case 'fields':
      return fieldLines(row.left, row.right, width);
    case 'plain':
      return columns(row.text) <= width ? [row.text] : wrap(row.text, width);
    case 'rule':
      return ['-'.repeat(width)];
    case 'blank':
      return [''];
    case 'signature':
      return ['', '_'.repeat(width), ...wrap(row.label, width)];
  }
};

const atRight = (text: string, width: number): string => ' '.repeat(width - columns(text)) + text;

/** On one line where both fit with a blank between, else right one below, at the left if it takes several lines. */
const pairLines = (left: string, right: string, width: number): string[] => {
  const room = width - columns(left) - 1;
  if (columns(right) <= room) return [left + atRight(right, room + 1)];
  const below = wrap(right, width);
  return [...wrap(left, width), ...(below.length === 1 ? below.map((line) => atRight(line, width)) : below)];
};

/** The second column is as wide as `RECEIPT 000417` on narrow paper, so that what usually stands there lines up. */
const fieldLines = (left: Field, right: Field, width: Width): string[] => {
  const second = width === 32 ? 14 : 17;
  const first = `${left.label} ${left.value}`;
  const fits = columns(`${right.label} ${right.value}`) <= second && columns(first) < width - second;
  if (!fits) return [left, right].flatMap(({ label, value }) => pairLines(label, value, width));
  const gap = ' '.repeat(width - second - columns(first));
  return [first + gap + right.label + atRight(right.value, second - columns(right.label))];
};
