/** A receipt before it has a width or a printer: rows, which text, ESC/POS, SVG and PDF each draw in their way. */
import { withMark } from '../base/money.ts';
import { safeText } from './safe-text.ts';

export type ReceiptField = { label: string; value: string };

/** Texts are safe to print: one line each, no control characters, no card number beyond its last four digits. */
export type Row =
  | { kind: 'centre'; text: string; large?: true }
  /** `left` at the left edge, `right` at the right one. */
  | { kind: 'pair'; left: string; right: string; large?: true }
  /** Two labelled values side by side in two columns. */
  | { kind: 'fields'; left: ReceiptField; right: ReceiptField }
  /** A line as another machine laid it out: its blanks stay where the paper is wide enough. */
  | { kind: 'plain'; text: string }
  /** What no reader may miss, framed and large: at most 32 columns. */
  | { kind: 'mark'; text: string }
  | { kind: 'rule' }
  | { kind: 'blank' }
  /** A line to write on, with what is to be written under it. */
  | { kind: 'signature'; label: string }
  /** The store's picture, where the paper has one. */
  | { kind: 'logo' }
  /** A QR code with what it is for under it. `code`: printable ASCII, at most 200 characters. */
  | { kind: 'code'; code: string; caption: string };

export const rule: Row = { kind: 'rule' };
export const blank: Row = { kind: 'blank' };
export const centre = (text: string): Row => ({ kind: 'centre', text });
export const large = (text: string): Row => ({ kind: 'centre', text, large: true });
export const pair = (left: string, right: string): Row => ({ kind: 'pair', left, right });

/** Amounts at the right edge with a language's mark; what another machine laid out stays as it is. */
export const marked = (rows: readonly Row[], mark: string): Row[] =>
  rows.map((row) => (row.kind === 'pair' ? { ...row, right: withMark(row.right, mark) } : row));

/** A value with its label; two stand side by side, one alone takes the whole line. Without a value, no row. */
export const fields = (left: [string, string | undefined], right: [string, string | undefined]): Row[] => {
  const [first, second] = [left, right]
    .map(([label, value]) => ({ label, value: safeText(value ?? '') }))
    .filter(({ value }) => value !== '');
  if (first === undefined) return [];
  return second === undefined ? [pair(first.label, first.value)] : [{ kind: 'fields', left: first, right: second }];
};
