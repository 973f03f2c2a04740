/** Money: a whole number of minor units with its currency. No float ever holds an amount. */
import { currencyRow } from './currencies.ts';
import { Fault } from './fault.ts';
import { printable } from './mask.ts';

export type Money = { readonly minor: bigint; readonly currency: string };

/** How many decimals the currency's minor unit has: 2 for EUR, 0 for JPY, 3 for KWD. */
export const exponentOf = (currency: string): number => rowOf(currency).exponent;

/** ISO 4217 numeric code, three digits. */
export const numericOf = (currency: string): string => rowOf(currency).numeric;

const rowOf = (currency: string) => {
  const row = currencyRow(currency);
  if (row === undefined) throw new Fault('currency.unknown', { text: printable(currency, 24) });
  return row;
};

export const money = (minor: bigint, currency: string): Money => {
  rowOf(currency);
  return { minor, currency };
};

/**
 * Reads the host API's amount (spec 2.0 AMT, 2.2 amount): up to 10 digits, then nothing or a dot and two decimals.
 * A currency without a minor unit takes only .00; one with three decimals takes two, the third is then 0.
 * Throws `amount.malformed` or `currency.unknown`.
 */
export const parseAmount = (text: string, currency: string): Money => {
  const exponent = exponentOf(currency);
  const refuse = (why: string) => new Fault('amount.malformed', { text: printable(text, 24), currency, why });
  if (!AMOUNT.test(text)) throw refuse('it must be up to 10 digits, then optionally a dot and 2 decimals');
  const whole = text.includes('.') ? text.slice(0, -3) : text;
  const decimals = text.slice(whole.length + 1) || '00';
  if (exponent >= 2) return { minor: BigInt(whole + decimals) * 10n ** BigInt(exponent - 2), currency };
  if (decimals !== '00') throw refuse('this currency has no minor unit');
  return { minor: BigInt(whole), currency };
};
const AMOUNT = /^\d{1,10}(\.\d{2})?$/;

/**
 * Writes an amount as the host API has it, always with two decimals.
 * Throws `amount.unrepresentable` for a third decimal or more than 10 integer digits, and for a negative amount.
 */
export const printAmount = ({ minor, currency }: Money): string => {
  const exponent = exponentOf(currency);
  const hundredths = exponent >= 2 ? minor / 10n ** BigInt(exponent - 2) : minor * 100n;
  const lost = exponent > 2 && minor % 10n ** BigInt(exponent - 2) !== 0n;
  if (lost || minor < 0n || hundredths >= 10n ** 12n) {
    throw new Fault('amount.unrepresentable', { minor: minor.toString(), currency });
  }
  return decimal(hundredths, 2);
};

/** Writes an amount for people, with the currency's own decimals: `12.50 EUR`, `1250 JPY`, `-0.05 EUR`. */
export const printMoney = ({ minor, currency }: Money): string => `${decimal(minor, exponentOf(currency))} ${currency}`;

const decimal = (value: bigint, places: number): string => {
  const sign = value < 0n ? '-' : '';
  const digits = (value < 0n ? -value : value).toString().padStart(places + 1, '0');
  return places === 0 ? sign + digits : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
};

export const add = (left: Money, right: Money): Money => {
  same(left, right);
  return { minor: left.minor + right.minor, currency: left.currency };
};

export const subtract = (left: Money, right: Money): Money => {
  same(left, right);
  return { minor: left.minor - right.minor, currency: left.currency };
};

/** Negative, zero or positive as left is less than, equal to or more than right. */
export const compare = (left: Money, right: Money): number => {
  same(left, right);
  return left.minor < right.minor ? -1 : left.minor > right.minor ? 1 : 0;
};

const same = (left: Money, right: Money): void => {
  if (left.currency !== right.currency) {
    throw new Fault('currency.differs', { left: left.currency, right: right.currency });
  }
};
