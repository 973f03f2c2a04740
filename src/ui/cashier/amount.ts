/**
 * What was pasted, scanned or written as an amount, understood or refused by name. Where a text can be read in two ways
 * (`1.234` is a thousand here and one and a bit there) it is refused: a wrong amount is worse than none.
 */

/** Why a text is no amount. The screen has words for each. */
export type AmountRefusal =
  | 'empty'
  | 'notAnAmount'
  | 'ambiguous'
  | 'tooManyDecimals'
  | 'negative'
  | 'zero'
  | 'tooMuch'
  | 'otherCurrency';

export type ReadAmount = { minor: bigint } | { refused: AmountRefusal };
export type AmountOf = { currency: string; exponent: number };

/** The local API takes no more digits before the dot. */
export const WHOLE_DIGITS = 10;
/** A paste longer than this is not looked at. */
const TEXT_MAX = 64;

const refuse = (refused: AmountRefusal): ReadAmount => ({ refused });

/** Marks of direction that come along when an amount is copied from a right-to-left text; they change no order. */
const MARKS = /[\u200e\u200f\u061c\u2066-\u2069]/g;
const SPACES = /[\s\u3000\u00a0\u2007\u2009\u202f]/g;

/** Full-width letters, digits and signs as ASCII. Not all that Unicode calls alike: `12²` is not 122. */
export const narrow = (text: string): string =>
  text.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));

/** Full-width and Arabic digits and separators as ASCII. */
const plain = (text: string): string =>
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

/** The text without the currency's own code or sign in front or behind; undefined when another currency is named. */
const withoutCurrency = (text: string, currency: string): string | undefined => {
  const match = /^([A-Za-z]{3}|[€£¥₹₺])? ?([^A-Za-z€£¥₹₺]*?) ?([A-Za-z]{3}|[€£¥₹₺])?$/u.exec(text);
  if (match === null) return text;
  const [, before, rest = '', after] = match;
  const named = [before, after].filter((one) => one !== undefined).map((one) => symbols[one] ?? one.toUpperCase());
  return named.every((one) => one === currency) ? rest : undefined;
};

/** Digits in threes after a first one to three, all parted by the same sign, and no zero in front. */
const grouped = (whole: string): string | undefined =>
  /^[1-9]\d{0,2}(?:([.,' ])\d{3})(?:\1\d{3})*$/.test(whole) ? whole.replace(/\D/g, '') : undefined;

const wholeOf = (whole: string): string | undefined => (/^\d*$/.test(whole) ? whole : grouped(whole));

/** Digits before and behind the decimal sign, or why they cannot be told. */
const parts = (text: string, exponent: number): { whole: string; decimals: string } | AmountRefusal => {
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  const sign = last < 0 ? '' : text.charAt(last);
  const before = last < 0 ? text : text.slice(0, last);
  const behind = last < 0 ? '' : text.slice(last + 1);
  const all = grouped(text);
  // Two or more of the same sign, or blanks alone, can only be groups.
  if (last < 0 || before.includes(sign)) {
    const whole = wholeOf(text);
    return whole === undefined ? 'notAnAmount' : { whole, decimals: '' };
  }
  const whole = wholeOf(before);
  if (whole === undefined || !/^\d*$/.test(behind)) return 'notAnAmount';
  if (all !== undefined && exponent === 0) return { whole: all, decimals: '' };
  if (all !== undefined && /^\d+$/.test(before)) return 'ambiguous';
  if (exponent === 0 && behind === '00') return { whole, decimals: '' };
  return behind.length > exponent ? 'tooManyDecimals' : { whole, decimals: behind };
};

/** Reads a text as an amount of this currency, in minor units. Never guesses. */
export const readAmount = (text: string, { currency, exponent }: AmountOf): ReadAmount => {
  if (text.length > TEXT_MAX) return refuse('notAnAmount');
  const clean = plain(text);
  if (clean === '') return refuse('empty');
  const bare = withoutCurrency(clean, currency);
  if (bare === undefined) return refuse('otherCurrency');
  if (/^(-.*|.*-|\(.*\))$/.test(bare) && /\d/.test(bare)) return refuse('negative');
  if (!/^[\d.,' ]+$/.test(bare) || !/\d/.test(bare)) return refuse('notAnAmount');
  const found = parts(bare, exponent);
  if (typeof found === 'string') return refuse(found);
  return checked(BigInt(found.whole + found.decimals.padEnd(exponent, '0')), exponent);
};

/** An amount that may be charged: more than nothing, and no more than the till takes. */
export const checked = (minor: bigint, exponent: number): ReadAmount => {
  if (minor <= 0n) return refuse('zero');
  return minor >= 10n ** BigInt(WHOLE_DIGITS + exponent) ? refuse('tooMuch') : { minor };
};

/** Minor units as the text of the wire: `12.50`, `1250` where the currency has no decimals. */
export const wireText = (minor: bigint, exponent: number): string => {
  const digits = minor.toString().padStart(exponent + 1, '0');
  return exponent === 0 ? digits : `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
};

/** The wire's text in minor units, with its minus. */
export const minorOf = (text: string): bigint => BigInt(text.replace('.', ''));
