/**
 * How a language writes amounts, moments and numbers. A format of the platform costs more than the component that asks
 * for it: each is made when it is first written with, and kept for all.
 */
import type { Amount } from '../api/ports/wire.ts';
import type { Language } from './tables.ts';

export type Formats = {
  /** `12.50 EUR` as the language writes it; tabular figures come from the page. */
  money(amount: Amount): string;
  /** Hour and minute in the store's zone. */
  time(at: number): string;
  /** Day, hour and minute in the store's zone. */
  dateTime(at: number): string;
  date(at: number): string;
  /** `0:06` */
  duration(ms: number): string;
  number(value: number): string;
};

type Written = { language: Language; timeZone: string };

/** What `make` gives, made once for each of its words. */
const once = <T>(make: (...words: readonly [string, ...string[]]) => T) => {
  const made = new Map<string, T>();
  return (...words: readonly [string, ...string[]]): T => {
    const key = words.join(' ');
    const format = made.get(key) ?? make(...words);
    made.set(key, format);
    return format;
  };
};

/** Latin digits in every language: a cashier compares them with the terminal's. */
const localeOf = (language: string): string => `${language}-u-nu-latn`;

const clockFormat = once(
  (language, timeZone) =>
    new Intl.DateTimeFormat(localeOf(language), { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
);
const dayFormat = once(
  (language, timeZone) =>
    new Intl.DateTimeFormat(localeOf(language), { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }),
);
const numberFormat = once((language) => new Intl.NumberFormat(localeOf(language)));
/** Grouped by the language, with so many decimals. */
const amountFormat = once((language, places) => {
  const digits = Number(places);
  return new Intl.NumberFormat(localeOf(language), { minimumFractionDigits: digits, maximumFractionDigits: digits });
});

const formatsIn = once((language, timeZone = 'UTC'): Formats => {
  const time = (at: number): string => clockFormat(language, timeZone).format(at);
  const date = (at: number): string => dayFormat(language, timeZone).format(at);
  return {
    // As many decimals as the text has: no number type ever holds the amount.
    money: ({ amount, currency }) => {
      const places = amount.split('.')[1]?.length ?? 0;
      return `${amountFormat(language, String(places)).format(amount as `${number}`)} ${currency}`;
    },
    time,
    date,
    dateTime: (at) => `${date(at)} ${time(at)}`,
    duration: (ms) => `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`,
    number: (value) => numberFormat(language).format(value),
  };
});

export const formatsOf = ({ language, timeZone }: Written): Formats => formatsIn(language, timeZone);
