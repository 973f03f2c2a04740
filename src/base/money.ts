/** Money: a whole number of minor units with its currency. No float ever holds an amount. */
import { Fault } from './fault.ts';
import { printable } from './mask.ts';

/** ISO 4217, active currencies: alphabetic code, numeric code, and how many decimals the minor unit has. */
type Row = readonly [alphabetic: string, numeric: string, exponent: number];

const rows = `
AED 784 2|AFN 971 2|ALL 008 2|AMD 051 2|AOA 973 2|ARS 032 2|AUD 036 2|AWG 533 2|AZN 944 2|BAM 977 2|BBD 052 2|BDT 050 2
BHD 048 3|BIF 108 0|BMD 060 2|BND 096 2|BOB 068 2|BRL 986 2|BSD 044 2|BTN 064 2|BWP 072 2|BYN 933 2|BZD 084 2|CAD 124 2
CDF 976 2|CHF 756 2|CLP 152 0|CNY 156 2|COP 170 2|CRC 188 2|CUP 192 2|CVE 132 2|CZK 203 2|DJF 262 0|DKK 208 2|DOP 214 2
DZD 012 2|EGP 818 2|ERN 232 2|ETB 230 2|EUR 978 2|FJD 242 2|FKP 238 2|GBP 826 2|GEL 981 2|GHS 936 2|GIP 292 2|GMD 270 2
GNF 324 0|GTQ 320 2|GYD 328 2|HKD 344 2|HNL 340 2|HTG 332 2|HUF 348 2|IDR 360 2|ILS 376 2|INR 356 2|IQD 368 3|IRR 364 2
ISK 352 0|JMD 388 2|JOD 400 3|JPY 392 0|KES 404 2|KGS 417 2|KHR 116 2|KMF 174 0|KPW 408 2|KRW 410 0|KWD 414 3|KYD 136 2
KZT 398 2|LAK 418 2|LBP 422 2|LKR 144 2|LRD 430 2|LSL 426 2|LYD 434 3|MAD 504 2|MDL 498 2|MGA 969 2|MKD 807 2|MMK 104 2
MNT 496 2|MOP 446 2|MRU 929 2|MUR 480 2|MVR 462 2|MWK 454 2|MXN 484 2|MYR 458 2|MZN 943 2|NAD 516 2|NGN 566 2|NIO 558 2
NOK 578 2|NPR 524 2|NZD 554 2|OMR 512 3|PAB 590 2|PEN 604 2|PGK 598 2|PHP 608 2|PKR 586 2|PLN 985 2|PYG 600 0|QAR 634 2
RON 946 2|RSD 941 2|RUB 643 2|RWF 646 0|SAR 682 2|SBD 090 2|SCR 690 2|SDG 938 2|SEK 752 2|SGD 702 2|SHP 654 2|SLE 925 2
SOS 706 2|SRD 968 2|SSP 728 2|STN 930 2|SVC 222 2|SYP 760 2|SZL 748 2|THB 764 2|TJS 972 2|TMT 934 2|TND 788 3|TOP 776 2
TRY 949 2|TTD 780 2|TWD 901 2|TZS 834 2|UAH 980 2|UGX 800 0|USD 840 2|UYU 858 2|UZS 860 2|VED 926 2|VES 928 2|VND 704 0
VUV 548 0|WST 882 2|XAF 950 0|XCD 951 2|XCG 532 2|XOF 952 0|XPF 953 0|YER 886 2|ZAR 710 2|ZMW 967 2|ZWG 924 2`;

const currencies: ReadonlyMap<string, { numeric: string; exponent: number }> = new Map(
  rows
    .trim()
    .split(/[|\n]/)
    .map((row) => row.split(' ') as unknown as Row)
    .map(([alphabetic, numeric, exponent]) => [alphabetic, { numeric, exponent: Number(exponent) }]),
);

export const isCurrency = (text: string): boolean => currencies.has(text);

export const currencyRow = (alphabetic: string): { numeric: string; exponent: number } | undefined =>
  currencies.get(alphabetic);

const byNumeric = new Map([...currencies].map(([alphabetic, { numeric }]) => [numeric, alphabetic]));

/** The alphabetic code of a three-digit numeric one (EMV tag 5F2A has it with a leading zero), or undefined. */
export const currencyOfNumeric = (numeric: string): string | undefined =>
  byNumeric.get(numeric.length === 4 && numeric.startsWith('0') ? numeric.slice(1) : numeric);

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
  const refuse = (cause: string) => new Fault('amount.malformed', { text: printable(text, 24), currency, why: cause });
  if (!AMOUNT.test(text)) throw refuse('it must be up to 10 digits, then optionally a dot and 2 decimals');
  const whole = text.includes('.') ? text.slice(0, -3) : text;
  const decimals = text.slice(whole.length + 1) || '00';
  if (exponent >= 2) return { minor: BigInt(whole + decimals) * 10n ** BigInt(exponent - 2), currency };
  if (decimals !== '00') throw refuse('this currency has no minor unit');
  return { minor: BigInt(whole), currency };
};
const AMOUNT = /^\d{1,10}(\.\d{2})?$/;

/**
 * Writes an amount for the host API, always with two decimals. Throws `amount.unrepresentable` for a third decimal, for
 * more than 10 integer digits, and for a negative amount.
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
  requireSameCurrency(left, right);
  return { minor: left.minor + right.minor, currency: left.currency };
};

export const subtract = (left: Money, right: Money): Money => {
  requireSameCurrency(left, right);
  return { minor: left.minor - right.minor, currency: left.currency };
};

/** Negative, zero or positive as left is less than, equal to or more than right. */
export const compare = (left: Money, right: Money): number => {
  requireSameCurrency(left, right);
  return left.minor < right.minor ? -1 : left.minor > right.minor ? 1 : 0;
};

const requireSameCurrency = (left: Money, right: Money): void => {
  if (left.currency !== right.currency) {
    throw new Fault('currency.differs', { left: left.currency, right: right.currency });
  }
};

const simpleTag = /^[a-z]{2,3}(-[a-z]{2})?$/;
/** By language and country, cached: the platform's formats are slow to create. English is needed at every start. */
const marksByTag = new Map([['en', '.']]);

/** The decimal mark in this language (BCP 47): `,` for `de`, `.` for `de-CH`. */
export const decimalMark = (tag: string): string => {
  const request = tag.toLowerCase();
  const locale = simpleTag.test(request) ? request : (request.split('-')[0] ?? '');
  if (!simpleTag.test(locale)) return '.';
  const mark = marksByTag.get(locale) ?? markOf(locale);
  marksByTag.set(locale, mark);
  return mark;
};

const markOf = (locale: string): string => {
  const parts = new Intl.NumberFormat(`${locale}-u-nu-latn`).formatToParts(0.5);
  return parts.find(({ type }) => type === 'decimal')?.value ?? '.';
};

/** `12.50 EUR` or `-0.05` with this mark. A text that is not an amount with decimals stays unchanged. */
export const withMark = (text: string, mark: string): string =>
  text.replace(/^(-?\d+)\.(\d{2,3}(?: [A-Z]{3})?)$/, `$1${mark}$2`);
