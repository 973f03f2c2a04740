/** Amounts as text, compared to the last minor unit: by how much they differ, and in which of their digits. */
import type { DifferenceRow } from '../../api/ports/books.ts';
import type { Amount } from '../../api/ports/wire.ts';

const placesOf = (text: string): number => text.split('.')[1]?.length ?? 0;

/** Minor units with so many decimals; throws `SyntaxError` for what is no amount. */
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

/** `amount` less `from`; undefined where their currencies are not the same. */
export const difference = (amount: Amount, from: Amount): Amount | undefined => {
  if (amount.currency !== from.currency) return undefined;
  const places = Math.max(placesOf(amount.amount), placesOf(from.amount));
  const minor = minorOf(amount.amount, places) - minorOf(from.amount, places);
  return { amount: textOf(minor, places), currency: amount.currency };
};

export const isNothing = ({ amount }: Amount): boolean => /^[-+]?0*(\.0*)?$/.test(amount);

export const sumOf = (texts: readonly string[]): string => {
  const places = texts.reduce((most, text) => Math.max(most, placesOf(text)), 0);
  return textOf(
    texts.reduce((sum, text) => sum + minorOf(text, places), 0n),
    places,
  );
};

type Piece = { text: string; differs: boolean };

/** A written amount in at most three pieces: from the first sign to the last that is not as in the other, by place. */
export const pieces = (text: string, other: string): Piece[] => {
  const shift = other.length - text.length;
  const off = [...text].flatMap((sign, at) => (other[at + shift] === sign ? [] : [at]));
  const [first] = off;
  const last = off.at(-1);
  if (first === undefined || last === undefined) return [{ text, differs: false }];
  return [
    { text: text.slice(0, first), differs: false },
    { text: text.slice(first, last + 1), differs: true },
    { text: text.slice(last + 1), differs: false },
  ].filter((piece) => piece.text !== '');
};

/** How tall a bar is drawn, and nothing else: no sum is ever made of these. */
export const heightOf = (text: string): number => Number(text);

const sizeOf = ({ till, settled }: DifferenceRow): number => {
  const off = difference(settled, till);
  return off === undefined ? Number.POSITIVE_INFINITY : Math.abs(heightOf(off.amount));
};

/** Which differences come first: those that nobody has resolved, the largest sum of money on top. */
export const ordered = (rows: readonly DifferenceRow[]): DifferenceRow[] =>
  rows.toSorted(
    (left, right) =>
      Number(left.resolution !== undefined) - Number(right.resolution !== undefined) ||
      sizeOf(right) - sizeOf(left) ||
      left.n - right.n,
  );
