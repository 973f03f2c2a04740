/**
 * How a language writes amounts, times and numbers. Creating a platform format costs more than drawing a component, so
 * each is created on first use and shared.
 */
import { formatList, formatMessage } from '../base/placeholders.ts';
import type { Language } from './screens.ts';

export type Formats = {
  /** Fills in a text of this language, with the plural form of each count. */
  format: ReturnType<typeof formatMessage>;
  /** `12.50 EUR` as the language writes it; tabular figures come from the page. */
  money(amount: { amount: string; currency: string }): string;
  /** Hour and minute in the store's zone. */
  time(at: number): string;
  /** Day, hour and minute in the store's zone. */
  dateTime(at: number): string;
  date(at: number): string;
  /** A business day, `YYYY-MM-DD`; any other text is unchanged. */
  day(iso: string): string;
  /** Reads a date as these formats write it, with or without a time, as `YYYY-MM-DD`; undefined for other texts. */
  isoDay(text: string): string | undefined;
  /** `0:06` */
  duration(ms: number): string;
  number(value: number): string;
  /** `4, 7 and 9` */
  list(items: readonly string[]): string;
};

type Written = { language: Language; timeZone: string; country?: string | undefined };

/** The country whose order of day and month is used: that of the language tag, such as `en-US`, or of the currency. */
export const countryOf = ({ language, currency }: { language: string; currency: string }): string | undefined =>
  /^[a-z]{2,3}-([A-Za-z]{2})$/.exec(language)?.[1]?.toUpperCase() ?? countries[currency];

const countries: Readonly<Record<string, string>> = { USD: 'US', CAD: 'CA' };

/** Calls `make` once for the same arguments, and keeps the results. */
const once = <T>(make: (...args: readonly [string, ...string[]]) => T) => {
  const cached = new Map<string, T>();
  return (...args: readonly [string, ...string[]]): T => {
    const key = args.join(' ');
    const format = cached.get(key) ?? make(...args);
    cached.set(key, format);
    return format;
  };
};

/** Latin digits in every language: a cashier compares them with the terminal's. */
const localeOf = (language: string): string => `${language}-u-nu-latn`;

/** English is written in many countries: the day comes first, unless the shop's country differs. */
const dateLocaleOf = (language: string, country: string): string =>
  localeOf(country === '' ? (language === 'en' ? 'en-GB' : language) : `${language}-${country}`);

const clockFormat = once(
  (language, timeZone) =>
    new Intl.DateTimeFormat(localeOf(language), { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
);
const dayFormat = once(
  (language, timeZone = 'UTC', country = '') =>
    new Intl.DateTimeFormat(dateLocaleOf(language, country), {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    }),
);
const listFormat = once((language) => ({ format: formatList(language) }));
const numberFormat = once((language) => new Intl.NumberFormat(localeOf(language)));
/** Grouped as the language does it, with this many decimals. */
const amountFormat = once((language, places) => {
  const digits = Number(places);
  return new Intl.NumberFormat(localeOf(language), { minimumFractionDigits: digits, maximumFractionDigits: digits });
});

const DAY = /^\d{4}-\d\d-\d\d$/;

const isDay = (iso: string): boolean =>
  DAY.test(iso) && !Number.isNaN(Date.parse(iso)) && new Date(iso).toISOString().startsWith(iso);

/** Three numbers in the order of the format, and optionally a time. */
const typedDay = (text: string, format: Intl.DateTimeFormat): string | undefined => {
  const asciiText = text
    .normalize('NFKC')
    .replace(/[\u200e\u200f\u061c\u2066-\u2069]/g, '')
    .trim();
  const [, ...numbers] = /^(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})(?:,?\s+\d{1,2}:\d\d)?$/.exec(asciiText) ?? [];
  if (numbers.length < 3) return undefined;
  const types = format.formatToParts(0).flatMap(({ type }) => (/year|month|day/.test(type) ? [type] : []));
  const order = (numbers[0] ?? '').length === 4 ? ['year', 'month', 'day'] : types;
  const [year = '', month = '', day = ''] = ['year', 'month', 'day'].map((type) => numbers[order.indexOf(type)]);
  const iso = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDay(iso) ? iso : undefined;
};

const formatsIn = once((language, timeZone = 'UTC', country = ''): Formats => {
  const time = (at: number): string => clockFormat(language, timeZone).format(at);
  const date = (at: number): string => dayFormat(language, timeZone, country).format(at);
  return {
    format: formatMessage(language),
    // With the decimals of the text: the amount is never converted to a number.
    money: ({ amount, currency }) => {
      const places = amount.split('.')[1]?.length ?? 0;
      return `${amountFormat(language, String(places)).format(amount as `${number}`)} ${currency}`;
    },
    time,
    date,
    day: (iso) => (isDay(iso) ? dayFormat(language, 'UTC', country).format(Date.parse(iso)) : iso),
    isoDay: (text) => typedDay(text, dayFormat(language, 'UTC', country)),
    dateTime: (at) => `${date(at)} ${time(at)}`,
    duration: (ms) => `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`,
    number: (value) => numberFormat(language).format(value),
    list: (items) => listFormat(language).format(items),
  };
});

export const formatsOf = ({ language, timeZone, country = '' }: Written): Formats =>
  formatsIn(language, timeZone, country);

/** The languages that are written from right to left. */

export const rightToLeft: readonly Language[] = ['ar'];
