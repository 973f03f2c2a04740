/**
 * A receipt before it has a width or a printer: rows, which text, ESC/POS, SVG and PDF each render in their own way.
 */
import { withMark } from '../base/money.ts';
import { safeText } from './safe-text.ts';

export type ReceiptField = { label: string; value: string };

/**
 * Texts are safe to print: single lines without control characters, with at most the last four digits of a card number.
 */
export type Row =
  | { kind: 'centre'; text: string; large?: true }
  /** `left` at the left edge, `right` at the right edge. */
  | { kind: 'pair'; left: string; right: string; large?: true }
  /** Two labelled values side by side in two columns. */
  | { kind: 'fields'; left: ReceiptField; right: ReceiptField }
  /** A line laid out by another machine: its spaces are preserved if the paper is wide enough. */
  | { kind: 'plain'; text: string }
  /** What nobody may overlook, framed and large: at most 32 columns. */
  | { kind: 'mark'; text: string }
  | { kind: 'rule' }
  | { kind: 'blank' }
  /** A line to write on, with a label below. */
  | { kind: 'signature'; label: string }
  /** The store's logo, if the paper has one. */
  | { kind: 'logo' }
  /** A QR code with a caption below. `code`: printable ASCII, at most 200 characters. */
  | { kind: 'code'; code: string; caption: string };

export const rule: Row = { kind: 'rule' };
export const blank: Row = { kind: 'blank' };
export const centreRow = (text: string): Row => ({ kind: 'centre', text });
export const largeRow = (text: string): Row => ({ kind: 'centre', text, large: true });
export const pair = (left: string, right: string): Row => ({ kind: 'pair', left, right });

/**
 * Applies a language's decimal mark to the amounts at the right edge; lines laid out by another machine stay unchanged.
 */
export const markPairs = (rows: readonly Row[], mark: string): Row[] =>
  rows.map((row) => (row.kind === 'pair' ? { ...row, right: withMark(row.right, mark) } : row));

/** Labelled values: two are side by side, a single one takes the whole line. A label without a value gets no row. */
export const fieldRows = (left: [string, string | undefined], right: [string, string | undefined]): Row[] => {
  const [first, second] = [left, right]
    .map(([label, value]) => ({ label, value: safeText(value ?? '') }))
    .filter(({ value }) => value !== '');
  if (first === undefined) return [];
  return second === undefined ? [pair(first.label, first.value)] : [{ kind: 'fields', left: first, right: second }];
};
