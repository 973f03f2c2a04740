/**
 * Reads an amount that was pasted, scanned or typed, or refuses it by name. A text that can be read in two ways
 * (`1.234` is a thousand in some countries and a little more than one in others) is refused: a wrong amount is worse
 * than none.
 */
import type { CashierIn } from '../../locales/screens/en/cashier.ts';

/** Why a text is not an amount. The screen has a text for each. */
export type AmountRefusal = keyof CashierIn['amountRefused'];

export type ReadAmount = { minor: bigint } | { refused: AmountRefusal };
type AmountOf = { currency: string; exponent: number };

/** The local API accepts no more digits before the decimal point. */
const WHOLE_DIGITS = 10;
/** A longer paste is not examined. */
const TEXT_MAX = 64;

const refusal = (refused: AmountRefusal): ReadAmount => ({ refused });

/** Direction marks that are copied with an amount from a right-to-left text; they do not change the order. */
const MARKS = /[\u200e\u200f\u061c\u2066-\u2069]/g;
const SPACES = /[\s\u3000\u00a0\u2007\u2009\u202f]/g;

/** Full-width letters, digits and signs as ASCII. Other compatible characters stay: `12²` is not 122. */
export const narrow = (text: string): string =>
  text.replace(/[\uff01-\uff5e]/g, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0));

/** Full-width and Arabic digits and separators as ASCII. */
const toPlainText = (text: string): string =>
  narrow(text)
    .replace(MARKS, '')
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replace(/\u066b/g, '.')
    .replace(/\u066c/g, ',')
    .replace(/[\u2019\u02bc]/g, "'")
    .replace(/[\u2212\ufe63]/g, '-')
    .replace(SPACES, ' ')
    .trim();

const symbols: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP', '¥': 'JPY', '₹': 'INR', '₺': 'TRY' };

/** The text without this currency's code or sign at either end. Undefined when it names another currency. */
const withoutCurrency = (text: string, currency: string): string | undefined => {
  const match = /^([A-Za-z]{3}|[€£¥₹₺])? ?([^A-Za-z€£¥₹₺]*?) ?([A-Za-z]{3}|[€£¥₹₺])?$/u.exec(text);
  if (match === null) return text;
  const [, before, remainder = '', after] = match;
  const names = [before, after].filter((one) => one !== undefined).map((one) => symbols[one] ?? one.toUpperCase());
  return names.every((one) => one === currency) ? remainder : undefined;
};

/** Groups of three digits after one to three digits, all with the same separator, and no leading zero. */
const digitsOfGroups = (whole: string): string | undefined =>
  /^[1-9]\d{0,2}(?:([.,' ])\d{3})(?:\1\d{3})*$/.test(whole) ? whole.replace(/\D/g, '') : undefined;

const wholeDigitsOf = (whole: string): string | undefined => (/^\d*$/.test(whole) ? whole : digitsOfGroups(whole));

/** The digits before and after the decimal separator, or why they cannot be determined. */
const splitAtSeparator = (text: string, exponent: number): { whole: string; decimals: string } | AmountRefusal => {
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  const sign = last < 0 ? '' : text.charAt(last);
  const before = last < 0 ? text : text.slice(0, last);
  const afterSign = last < 0 ? '' : text.slice(last + 1);
  const all = digitsOfGroups(text);
  // Two or more of the same separator, or only spaces, must be group separators.
  if (last < 0 || before.includes(sign)) {
    const whole = wholeDigitsOf(text);
    return whole === undefined ? 'notAnAmount' : { whole, decimals: '' };
  }
  const whole = wholeDigitsOf(before);
  if (whole === undefined || !/^\d*$/.test(afterSign)) return 'notAnAmount';
  if (all !== undefined && exponent === 0) return { whole: all, decimals: '' };
  if (all !== undefined && /^\d+$/.test(before)) return 'ambiguous';
  if (exponent === 0 && afterSign === '00') return { whole, decimals: '' };
  return afterSign.length > exponent ? 'tooManyDecimals' : { whole, decimals: afterSign };
};

/** Reads a text as an amount of this currency, in minor units. Never guesses. */
export const readAmount = (text: string, { currency, exponent }: AmountOf): ReadAmount => {
  if (text.length > TEXT_MAX) return refusal('notAnAmount');
  const plainText = toPlainText(text);
  if (plainText === '') return refusal('empty');
  const numberText = withoutCurrency(plainText, currency);
  if (numberText === undefined) return refusal('otherCurrency');
  if (/^(-.*|.*-|\(.*\))$/.test(numberText) && /\d/.test(numberText)) return refusal('negative');
  if (!/^[\d.,' ]+$/.test(numberText) || !/\d/.test(numberText)) return refusal('notAnAmount');
  const split = splitAtSeparator(numberText, exponent);
  if (typeof split === 'string') return refusal(split);
  return checkAmount(BigInt(split.whole + split.decimals.padEnd(exponent, '0')), exponent);
};

/** An amount that can be charged: more than zero, and within the till's limit. */
const checkAmount = (minor: bigint, exponent: number): ReadAmount => {
  if (minor <= 0n) return refusal('zero');
  return minor >= 10n ** BigInt(WHOLE_DIGITS + exponent) ? refusal('tooMuch') : { minor };
};

/** Minor units as the API's text: `12.50`, or `1250` if the currency has no decimals. */
export const wireText = (minor: bigint, exponent: number): string => {
  const digits = minor.toString().padStart(exponent + 1, '0');
  return exponent === 0 ? digits : `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
};

/** The API's text in minor units, with its sign. */
export const minorOf = (text: string): bigint => BigInt(text.replace('.', ''));

// The amount as it is typed. Digits fill up from the right, as on every till (`1250` is 12.50); after a comma or a dot
// the decimals are typed (`12,5` is 12.50). A key that does not fit is not accepted, and the reason is shown.

export type AmountEntry = {
  /** The digits typed so far; once a separator was typed, those before it. */
  digits: string;
  /** The digits after the separator; absent until one was typed. */
  decimals?: string;
  /** Why the last key or paste was not accepted. */
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

/** The amount typed so far in minor units; 0n for nothing. */
export const entryMinor = ({ digits, decimals }: AmountEntry, exponent: number): bigint =>
  BigInt((decimals === undefined ? digits : digits + decimals.padEnd(exponent, '0')) || '0');

/** In the API's format, for display. */
export const entryText = (entry: AmountEntry, exponent: number): string =>
  wireText(entryMinor(entry, exponent), exponent);

const enter = (entry: AmountEntry, digit: string, exponent: number): AmountEntry => {
  const { digits, decimals } = entry;
  if (decimals !== undefined)
    return decimals.length + digit.length > exponent
      ? { digits, decimals, refused: 'tooManyDecimals' }
      : { digits, decimals: decimals + digit };
  const next = `${digits}${digit}`.replace(/^0+/, '');
  return next.length > WHOLE_DIGITS + exponent ? { digits, refused: 'tooMuch' } : { digits: next };
};

const afterSign = (entry: AmountEntry, exponent: number): AmountEntry => {
  const { digits, decimals } = entry;
  if (exponent === 0) return { ...entry, refused: 'tooManyDecimals' };
  if (decimals !== undefined) return { ...entry, refused: 'notAnAmount' };
  return digits.length > WHOLE_DIGITS ? { ...entry, refused: 'tooMuch' } : { digits, decimals: '' };
};

const afterBackspace = ({ digits, decimals }: AmountEntry): AmountEntry => {
  if (decimals === undefined) return { digits: digits.slice(0, -1) };
  return decimals === '' ? { digits } : { digits, decimals: decimals.slice(0, -1) };
};

/** The entry after a key, or after a text was pasted or scanned. */
export const afterKey = (entry: AmountEntry, key: EntryKey, of: AmountOf): AmountEntry => {
  switch (key.key) {
    case 'digit':
      return enter(entry, key.digit, of.exponent);
    case 'sign':
      return afterSign(entry, of.exponent);
    case 'back':
      return afterBackspace(entry);
    case 'clear':
      return emptyEntry;
    case 'text': {
      const read = readAmount(key.text, of);
      return 'minor' in read ? { digits: read.minor.toString() } : { ...entry, refused: read.refused };
    }
  }
};

/** The amount of this entry that can be sold, or why it cannot. */
export const sellableAmount = (entry: AmountEntry, exponent: number) =>
  isEmpty(entry) ? { refused: 'empty' as const } : checkAmount(entryMinor(entry, exponent), exponent);

// Tips and equal parts, in minor units: rounding neither loses nor creates money.

/** A percentage of an amount, rounded half up to the minor unit. */
export const percentOf = (minor: bigint, percent: number): bigint => (minor * BigInt(percent) + 50n) / 100n;

/** `count` parts that add up to the whole; the first ones take the remainder. */
export const equalParts = (total: bigint, count: number): bigint[] => {
  const splitAtSeparator = BigInt(count);
  const [each, remainder] = [total / splitAtSeparator, total % splitAtSeparator];
  return Array.from({ length: count }, (_, index) => (BigInt(index) < remainder ? each + 1n : each));
};
