/** Ranges of first digits of card numbers (ISO/IEC 7812-1), as the deny list has them. */
import type { Range } from './ranges.ts';

/** `411111` is all numbers that begin so; `41111100-41111149` all between these beginnings, both included. */
const BIN = /^(\d{6,8})(?:-(\d{6,8}))?$/;
const DIGITS = 8;

/** Of numbers of eight digits. Undefined unless it is 6 to 8 digits, or two of the same length in order. */
export const binRangeOf = (text: string): Range | undefined => {
  const [, first, last = first] = BIN.exec(text) ?? [];
  if (first === undefined || last === undefined || first.length !== last.length || first > last) return undefined;
  return { first: BigInt(first.padEnd(DIGITS, '0')), last: BigInt(last.padEnd(DIGITS, '9')) };
};

/** The first eight digits of a card number, which has as many at least. Undefined for anything else. */
export const binOf = (number: string): bigint | undefined => {
  const digits = /^\d{8}/.exec(number)?.[0];
  return digits === undefined ? undefined : BigInt(digits);
};
