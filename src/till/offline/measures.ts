/** The limits that apply to one sale, in the order they are reported: each a cap, what counts against it, a text. */

import { type Money, money, printMoney } from '../../base/money.ts';
import { formatEnglish } from '../../base/placeholders.ts';
import type { Left, LimitName } from '../machine/offline-facts.ts';
import { brandOf, cardTypeOf, type Objection } from './card.ts';
import {
  type Cap,
  type Exposure,
  type GroupCap,
  type GroupCaps,
  noSum,
  type OfflineLimits,
  type OfflineTry,
  type Sum,
} from './limits.ts';

export type Measure = {
  readonly limit: LimitName;
  readonly cap: Cap;
  readonly used: Sum;
  readonly of?: 'refunds';
  /** Says that it is used up. `much` is what counts against it, a sum or a number of sales; `most` the cap's sum. */
  says(much: string, most: string): string;
};

type Facts = { limits: OfflineLimits; exposure: Exposure };

/** A sale without a card is measured against the limits that apply to every card. */
export const measuresOf = (
  kind: 'chip' | 'deferred',
  { ask, limits, exposure }: Facts & { ask: OfflineTry },
): readonly Measure[] => {
  const of = limits[kind];
  const used = exposure[kind];
  const { card } = ask;
  const general: Measure[] = [
    perSale('perSale', of.upToMinor, 'one offline sale'),
    { limit: 'total', cap: of.total, used: used.total, says: waiting },
    {
      limit: 'together',
      cap: limits.together,
      used: sumOf(exposure.chip.total, exposure.deferred.total),
      says: waiting,
    },
    {
      limit: 'perHour',
      cap: of.perHour,
      used: used.hour,
      says: (much) => `${much} were already taken in the last hour`,
    },
    { limit: 'perDay', cap: of.perDay, used: used.day, says: (much) => `${much} were already taken today` },
    {
      limit: 'perCashier',
      cap: of.perCashier,
      used: used.cashier,
      says: (much) => `${much} of this cashier already wait to be sent`,
    },
  ];
  if (card === undefined) return general;
  const brand = brandOf(card);
  const type = cardTypeOf(card);
  return [
    ...general,
    {
      limit: 'perCard',
      cap: of.perCard,
      used: used.card,
      says: (much) => `${much} of this card already wait to be sent`,
    },
    ...group('brand', { caps: of.brands, name: brand, used: used.brand, cards: `${brandWords(brand)} cards` }),
    ...group('cardType', { caps: of.cardTypes, name: type, used: used.cardType, cards: typeWords[type] }),
    ...group('entryMode', {
      caps: of.entryModes,
      name: card.entryMode,
      used: used.entryMode,
      cards: card.entryMode === 'ICC' ? 'inserted cards' : 'tapped cards',
    }),
  ];
};

export const refundMeasures = ({ limits, exposure }: Facts): readonly Measure[] => [
  perSale('refunds', limits.refunds.upToMinor, 'one refund that waits'),
  { limit: 'refunds', cap: limits.refunds, used: exposure.refunds, of: 'refunds', says: waiting },
];

/** The first limit that this amount would exceed, or undefined. */
export const firstReached = (measures: readonly Measure[], { minor, currency }: Money): Objection | undefined => {
  for (const { limit, cap, used, of, says } of measures) {
    const most = printMoney(money(cap.minor ?? 0n, currency));
    if (cap.count !== undefined && used.count >= cap.count)
      return { code: limit, why: says(numberOf(used.count, of), most) };
    if (cap.minor !== undefined && used.minor + minor > cap.minor)
      return { code: limit, why: says(`${printMoney(money(used.minor, currency))} of ${of ?? 'offline sales'}`, most) };
  }
  return undefined;
};

export const leftOf = (measures: readonly Measure[], currency: string): readonly Left[] =>
  measures
    .filter(({ cap }) => cap.minor !== undefined || cap.count !== undefined)
    .map(({ limit, cap: { minor, count }, used }) => ({
      limit,
      amount: minor === undefined ? undefined : money(minor > used.minor ? minor - used.minor : 0n, currency),
      count: count === undefined ? undefined : Math.max(0, count - used.count),
    }));

const perSale = (limit: LimitName, minor: bigint, what: string): Measure => ({
  limit,
  cap: { minor },
  used: noSum,
  says: (_, most) => `the store’s limit for ${what} is ${most}`,
});

const waiting = (much: string): string => `${much} already wait to be sent`;

type Group = { caps: GroupCaps; name: string; used: Sum; cards: string };

/** The store's limits for this brand, type or way of presenting; otherwise those for names that are not listed. */
const group = (limit: LimitName, { caps, name, used, cards }: Group): Measure[] => {
  const cap: GroupCap = (Object.hasOwn(caps, name) ? caps[name] : caps['other']) ?? {};
  const { upToMinor, ...sums } = cap;
  const one = upToMinor === undefined ? [] : [perSale(limit, upToMinor, `one offline sale with ${cards}`)];
  const says = (much: string): string => `${much} with ${cards} already wait to be sent`;
  return [...one, { limit, cap: sums, used, says }];
};

const brandWords = (brand: string): string => (brand === 'other' ? 'such' : brand);

const typeWords = {
  debit: 'debit cards',
  credit: 'credit cards',
  prepaid: 'prepaid cards',
  unknown: 'cards that may be debit or credit',
} as const;

const numberOf = (count: number, of: Measure['of']): string => {
  const sales = '{count, plural, one {# offline sale} other {# offline sales}}';
  const refunds = '{count, plural, one {# refund} other {# refunds}}';
  return formatEnglish(of === undefined ? sales : refunds, { count });
};

const sumOf = (one: Sum, other: Sum): Sum => ({ minor: one.minor + other.minor, count: one.count + other.count });
