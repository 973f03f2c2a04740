/** Amounts in the books of a busy Saturday: all are euros, in cents. */
import { parseAmount, printAmount } from '../../src/base/money.ts';

/** `12.50`, `-0.05` */
export const printMinor = (minor: bigint): string =>
  minor < 0n ? `-${printMinor(-minor)}` : printAmount({ minor, currency: 'EUR' });

/** Parses `12.50` or `-12.50`; an empty text is zero. */
export const minorOf = (text: string): bigint => {
  if (text === '') return 0n;
  return text.startsWith('-') ? -minorOf(text.slice(1)) : parseAmount(text, 'EUR').minor;
};

export const sumOf = (all: Iterable<bigint>): bigint => {
  let sum = 0n;
  for (const each of all) sum += each;
  return sum;
};
