/** Compares amounts as text to the last minor unit: by how much they differ, and in which digits. */
import type { DifferenceRow } from '../../api/contract/reconciliations.ts';
import type { Amount } from '../../api/contract/wire.ts';

const placesOf = (text: string): number => text.split('.')[1]?.length ?? 0;

/** Minor units with this many decimals; throws `SyntaxError` for anything but an amount. */
const minorOf = (text: string, places: number): bigint => {
  const sign = text.startsWith('-') ? -1n : 1n;
  const [whole = '', part = ''] = text.replace(/^[-+]/, '').split('.');
  return sign * BigInt(whole + part.padEnd(places, '0'));
};

const textOf = (minor: bigint, places: number): string => {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(places + 1, '0');
  const sign = minor < 0n ? '-' : '';
  return places === 0 ? sign + digits : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
};

/** `amount` minus `from`. Undefined when their currencies differ. */
export const difference = (amount: Amount, from: Amount): Amount | undefined => {
  if (amount.currency !== from.currency) return undefined;
  const places = Math.max(placesOf(amount.amount), placesOf(from.amount));
  const minor = minorOf(amount.amount, places) - minorOf(from.amount, places);
  return { amount: textOf(minor, places), currency: amount.currency };
};

export const isNothing = ({ amount }: Amount): boolean => /^[-+]?0*(\.0*)?$/.test(amount);

type Piece = { text: string; differs: boolean };

/**
 * An amount as text in at most three pieces, of which the middle one is from the first to the last digit that differs
 * from the other amount.
 */
export const differingPieces = (text: string, otherText: string): Piece[] => {
  const offset = otherText.length - text.length;
  const off = [...text].flatMap((sign, i) => (otherText[i + offset] === sign ? [] : [i]));
  const [first] = off;
  const last = off.at(-1);
  if (first === undefined || last === undefined) return [{ text, differs: false }];
  return [
    { text: text.slice(0, first), differs: false },
    { text: text.slice(first, last + 1), differs: true },
    { text: text.slice(last + 1), differs: false },
  ].filter((piece) => piece.text !== '');
};

/** The height of a bar in a chart only: no sum is ever calculated with it. */
export const heightOf = (text: string): number => Number(text);

const sizeOf = ({ till, settled }: DifferenceRow): number => {
  const off = difference(settled, till);
  return off === undefined ? Number.POSITIVE_INFINITY : Math.abs(heightOf(off.amount));
};

/** The order of differences: unresolved ones first, with the largest amount on top. */
export const ordered = (rows: readonly DifferenceRow[]): DifferenceRow[] =>
  rows.toSorted(
    (left, right) =>
      Number(left.resolution !== undefined) - Number(right.resolution !== undefined) ||
      sizeOf(right) - sizeOf(left) ||
      left.n - right.n,
  );
