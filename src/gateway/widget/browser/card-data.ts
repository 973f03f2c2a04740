/**
 * A card while it is typed: its brand, from the number's first digits (ISO/IEC 7812 ranges published by the schemes),
 * and its expiry date.
 */

export type CardBrand = {
  /** The value of paymentBrand. */
  name: string;
  /** The name shown to people. */
  label: string;
  /** The possible first digits. */
  starts: RegExp;
  /** The possible numbers of digits. */
  lengths: readonly number[];
  cvv: 3 | 4;
  /** Whether some cards have no security code. */
  cvvOptional?: true;
};

const sixteen = [16] as const;
const VISA = /^4/;
const MASTER = /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/;

/** Narrow ranges before wide ones: the first match is the brand that is shown. */
export const cardBrands: readonly CardBrand[] = [
  { name: 'AMEX', label: 'American Express', starts: /^3[47]/, lengths: [15], cvv: 4 },
  { name: 'DINERS', label: 'Diners Club', starts: /^3(0[0-5]|095|[689])/, lengths: [14, 15, 16, 17, 18, 19], cvv: 3 },
  { name: 'JCB', label: 'JCB', starts: /^35(2[89]|[3-8])/, lengths: [16, 17, 18, 19], cvv: 3 },
  { name: 'DISCOVER', label: 'Discover', starts: /^6(011|4[4-9]|5)/, lengths: [16, 17, 18, 19], cvv: 3 },
  { name: 'UNIONPAY', label: 'UnionPay', starts: /^(62|81)/, lengths: [16, 17, 18, 19], cvv: 3 },
  { name: 'MASTER', label: 'Mastercard', starts: MASTER, lengths: sixteen, cvv: 3 },
  { name: 'MASTERDEBIT', label: 'Mastercard Debit', starts: MASTER, lengths: sixteen, cvv: 3 },
  { name: 'VISA', label: 'Visa', starts: VISA, lengths: [13, 16, 19], cvv: 3 },
  { name: 'VISADEBIT', label: 'Visa Debit', starts: VISA, lengths: [13, 16, 19], cvv: 3 },
  {
    name: 'VISAELECTRON',
    label: 'Visa Electron',
    starts: /^4(026|17500|405|508|844|913|917)/,
    lengths: sixteen,
    cvv: 3,
  },
  { name: 'CARTEBLEUE', label: 'Carte Bleue', starts: /^(4|5[1-5])/, lengths: sixteen, cvv: 3 },
  {
    name: 'MAESTRO',
    label: 'Maestro',
    starts: /^(50|5[6-9]|6(0(?!11)|4(?![4-9])|[136-9]))/,
    lengths: [12, 13, 14, 15, 16, 17, 18, 19],
    cvv: 3,
    cvvOptional: true,
  },
];

/** A channel's own brand: nothing is known about its numbers. */
const unknownBrand = (name: string): CardBrand => ({
  name,
  label: labelOf(name),
  starts: /^/,
  lengths: [12, 13, 14, 15, 16, 17, 18, 19],
  cvv: 3,
  cvvOptional: true,
});

/** `SOFORTUEBERWEISUNG` → `Sofortueberweisung`: the name of a brand that has none for people. */
const labelOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('_', ' ')
    .replace(/^\w/, (letter) => letter.toUpperCase());

export const cardBrandNamed = (name: string): CardBrand =>
  cardBrands.find((brand) => brand.name === name) ?? unknownBrand(name);

/** The brands of `accepted` that a number beginning with these digits can have, the likeliest first. */
export const brandsOfNumber = (digits: string, accepted: readonly string[]): readonly CardBrand[] => {
  if (digits === '') return [];
  const knownBrands = cardBrands.filter(({ name, starts }) => accepted.includes(name) && starts.test(digits));
  const otherBrands = accepted.filter((name) => !cardBrands.some((brand) => brand.name === name)).map(unknownBrand);
  return [...knownBrands, ...otherBrands];
};

/** The number's brand if it is not accepted here: to name it to the shopper. */
export const unacceptedBrandOf = (digits: string): CardBrand | undefined =>
  digits.length < 4 ? undefined : cardBrands.find(({ starts }) => starts.test(digits));

/** How a number of this brand is read aloud and printed: 4-6-5 for those with fifteen digits. */
export const groupsOf = ({ name }: Pick<CardBrand, 'name'>): readonly number[] =>
  name === 'AMEX' ? [4, 6, 5] : name === 'DINERS' ? [4, 6, 4] : [4, 4, 4, 4, 3];

/** The digits in groups. No blank after the last one: somebody deleting it must not find a blank there. */
export const groupDigits = (digits: string, groups: readonly number[]): string => {
  const digitGroups: string[] = [];
  let start = 0;
  for (const size of groups) {
    if (start < digits.length) digitGroups.push(digits.slice(start, start + size));
    start += size;
  }
  if (start < digits.length) digitGroups.push(digits.slice(start));
  return digitGroups.join(' ');
};

/** Whether the number's check digit is right (ISO/IEC 7812-1 annex B). */
export const checkDigitAgrees = (digits: string): boolean => {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return digits !== '' && sum % 10 === 0;
};

// The expiry date as typed, MM/YY, and as sent.

/** The text to show for the typed one: `5` is `05/`, `1225` is `12/25`, and so is `12/2025`. */
export const formatExpiry = (text: string, before: string): string => {
  const clean = text.replace(/[^\d/]/g, '');
  const [monthText = '', ...others] = clean.split('/');
  const digits = (clean.includes('/') && monthText.length === 1 ? `0${monthText}` : monthText) + others.join('');
  const monthDigits = digits.length > 1 || !/^[2-9]/.test(digits) ? digits : `0${digits}`;
  const month = monthDigits.slice(0, 2);
  const year =
    monthDigits.length > 4 && monthDigits.slice(2, 4) === '20' ? monthDigits.slice(4, 6) : monthDigits.slice(2, 4);
  // Deleting the slash brings the typed month back.
  if (before.startsWith(text) && before.endsWith('/') && text.length === 2) return month.slice(0, 1);
  return month.length === 2 ? `${month}/${year}` : month;
};

type Expiry = { month: string; year: string };

type Today = { year: number; month: number };

/** Undefined if it is not a date. The year has four digits; no card is valid for more than fifty years. */
export const expiryOf = (text: string, { year: thisYear }: Today): Expiry | undefined => {
  const match = /^(0[1-9]|1[0-2])\/(\d{2})$/.exec(text);
  if (match === null) return undefined;
  const [, month = '', shortYear = ''] = match;
  const century = Math.floor(thisYear / 100) * 100;
  const year = century + Number(shortYear);
  return { month, year: String(year < thisYear - 50 ? year + 100 : year) };
};

/** A card is valid to the end of its month. */
export const isPast = ({ month, year }: Expiry, today: Today): boolean =>
  Number(year) * 12 + Number(month) < today.year * 12 + today.month;
