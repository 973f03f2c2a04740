/** Card brands, recognised by the card number's first digits or by the chip's application identifier. */

export const brands = [
  'VISA',
  'MASTER',
  'MAESTRO',
  'AMEX',
  'DINERS',
  'DISCOVER',
  'JCB',
  'UNIONPAY',
  'CARTEBLEUE',
  'INTERAC',
] as const;
export type Brand = (typeof brands)[number];

/** First and last six digits of a range. `other`: an unnamed scheme inside a range of a named one. */
type Range = readonly [first: number, last: number, brand: Brand | 'other'];

/**
 * Issuer identification numbers by the schemes' published allocations; the first range that contains the number
 * applies. Carte Bleue and Interac have none of their own: their cards have other schemes' numbers, or numbers of their
 * banks, and are identified only by the chip.
 */
const ranges: readonly Range[] = [
  [222_100, 272_099, 'MASTER'],
  [300_000, 305_999, 'DINERS'],
  [309_500, 309_599, 'DINERS'],
  [352_800, 358_999, 'JCB'],
  [340_000, 349_999, 'AMEX'],
  [360_000, 369_999, 'DINERS'],
  [370_000, 379_999, 'AMEX'],
  [380_000, 399_999, 'DINERS'],
  [400_000, 499_999, 'VISA'],
  // RuPay, and two ranges of Elo, lie among Maestro's numbers.
  [508_500, 508_999, 'other'],
  [506_699, 506_778, 'other'],
  [509_000, 509_999, 'other'],
  [500_000, 509_999, 'MAESTRO'],
  [510_000, 559_999, 'MASTER'],
  [560_000, 589_999, 'MAESTRO'],
  [601_100, 601_199, 'DISCOVER'],
  // Elo again.
  [636_297, 636_297, 'other'],
  [636_368, 636_369, 'other'],
  [620_000, 629_999, 'UNIONPAY'],
  [630_000, 639_999, 'MAESTRO'],
  [644_000, 659_999, 'DISCOVER'],
  [670_000, 679_999, 'MAESTRO'],
  [810_000, 817_199, 'UNIONPAY'],
];

/** The brand by the first six digits; the rest may be masked. Undefined for other brands. */
export const brandOfPan = (pan: string): Brand | undefined => {
  const digits = /^\d{6}/.exec(pan)?.[0];
  if (digits === undefined) return undefined;
  const start = Number(digits);
  const brand = ranges.find(([first, last]) => first <= start && start <= last)?.[2];
  return brand === 'other' ? undefined : brand;
};

/** Prefixes of application identifiers, longer ones first: a registered provider, or one of its products. */
const identifiers: readonly (readonly [prefix: string, brand: Brand])[] = [
  ['A0000000043060', 'MAESTRO'],
  // Maestro's common debit application in the United States.
  ['A0000000042203', 'MAESTRO'],
  ['A000000003', 'VISA'],
  ['A000000098', 'VISA'],
  ['A000000004', 'MASTER'],
  ['A000000025', 'AMEX'],
  ['A000000042', 'CARTEBLEUE'],
  ['A000000065', 'JCB'],
  // Diners Club shares Discover's application; only the card number distinguishes them.
  ['A000000152', 'DISCOVER'],
  ['A000000324', 'DISCOVER'],
  ['A000000277', 'INTERAC'],
  ['A000000333', 'UNIONPAY'],
];

/** The brand by an application identifier in hex of either case (tag 4F, 84 or 9F06), or undefined. */
export const brandOfAid = (aid: string): Brand | undefined => {
  const upper = aid.toUpperCase();
  return identifiers.find(([prefix]) => upper.startsWith(prefix))?.[1];
};
