/** A receipt as lines of text for a fixed-width printer or a screen. */
import { columns, framed } from './columns.ts';
import { type Cell, type Line, layout, type Width } from './layout.ts';
import type { Row } from './rows.ts';

export type { Width } from './layout.ts';

/**
 * The receipt's lines, none wider than `width` columns and none ending in blanks. Pictures are left out, and codes with
 * what is said of them.
 */
export const receiptText = (rows: readonly Row[], width: Width): string[] =>
  layout(
    rows.filter(
      ({ kind }, at) => kind !== 'logo' && kind !== 'code' && !(kind === 'blank' && rows[at + 1]?.kind === 'code'),
    ),
    width,
  ).map((line) => textOfLine(line, width).trimEnd());

/** One line with its blanks. */
export const textOfLine = (line: Line, width: Width): string => {
  switch (line.kind) {
    case 'text':
      return line.cells.reduce((text, cell) => placed(text, cell, width), '');
    case 'mark':
      return placed('', { text: framed(line.text, width), at: 'centre' }, width);
    case 'rule':
      return '-'.repeat(width);
    case 'stroke':
      return '_'.repeat(width);
    case 'blank':
    case 'logo':
    case 'code':
      return '';
  }
};

const placed = (before: string, { text, at, column = 0 }: Cell, width: Width): string => {
  const free = width - columns(text);
  const start = at === 'end' ? free : at === 'centre' ? Math.floor(free / 2) : column;
  return before + ' '.repeat(Math.max(0, start - columns(before))) + text;
};
