/**
 * The amount as it is typed. Digits fill up from the right, as on every till (`1250` is 12.50); whoever types a comma
 * or a dot goes on behind it (`12,5` is 12.50). What does not fit is not taken, and the reason is said.
 */
import { type AmountOf, type AmountRefusal, checked, readAmount, WHOLE_DIGITS, wireText } from './amount.ts';

export type AmountEntry = {
  /** Digits typed so far; those before the sign once one was typed. */
  digits: string;
  /** Digits behind the sign; absent as long as none was typed. */
  decimals?: string;
  /** Why the last key or paste was not taken. */
  refused?: AmountRefusal;
};

export type EntryKey =
  | { key: 'digit'; digit: string }
  | { key: 'sign' }
  | { key: 'back' }
  | { key: 'clear' }
  | { key: 'text'; text: string };

export const emptyEntry: AmountEntry = { digits: '' };

export const isEmpty = ({ digits, decimals }: AmountEntry): boolean => digits === '' && decimals === undefined;

/** What is typed so far in minor units; 0n for nothing. */
export const entryMinor = ({ digits, decimals }: AmountEntry, exponent: number): bigint =>
  BigInt((decimals === undefined ? digits : digits + decimals.padEnd(exponent, '0')) || '0');

/** As the wire writes it, for showing. */
export const entryText = (entry: AmountEntry, exponent: number): string =>
  wireText(entryMinor(entry, exponent), exponent);

const typed = (entry: AmountEntry, digit: string, exponent: number): AmountEntry => {
  const { digits, decimals } = entry;
  if (decimals !== undefined)
    return decimals.length + digit.length > exponent
      ? { digits, decimals, refused: 'tooManyDecimals' }
      : { digits, decimals: decimals + digit };
  const next = `${digits}${digit}`.replace(/^0+/, '');
  return next.length > WHOLE_DIGITS + exponent ? { digits, refused: 'tooMuch' } : { digits: next };
};

const withSign = (entry: AmountEntry, exponent: number): AmountEntry => {
  const { digits, decimals } = entry;
  if (exponent === 0) return { ...entry, refused: 'tooManyDecimals' };
  if (decimals !== undefined) return { ...entry, refused: 'notAnAmount' };
  return digits.length > WHOLE_DIGITS ? { ...entry, refused: 'tooMuch' } : { digits, decimals: '' };
};

const without = ({ digits, decimals }: AmountEntry): AmountEntry => {
  if (decimals === undefined) return { digits: digits.slice(0, -1) };
  return decimals === '' ? { digits } : { digits, decimals: decimals.slice(0, -1) };
};

/** The entry after one key, or after a text was pasted or scanned. */
export const afterKey = (entry: AmountEntry, key: EntryKey, of: AmountOf): AmountEntry => {
  switch (key.key) {
    case 'digit':
      return typed(entry, key.digit, of.exponent);
    case 'sign':
      return withSign(entry, of.exponent);
    case 'back':
      return without(entry);
    case 'clear':
      return emptyEntry;
    case 'text': {
      const read = readAmount(key.text, of);
      return 'minor' in read ? { digits: read.minor.toString() } : { ...entry, refused: read.refused };
    }
  }
};

/** What can be sold of this entry: its amount, or why it cannot. */
export const sellable = (entry: AmountEntry, exponent: number) =>
  isEmpty(entry) ? { refused: 'empty' as const } : checked(entryMinor(entry, exponent), exponent);
