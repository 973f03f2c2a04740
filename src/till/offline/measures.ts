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
  readonly usedSum: Sum;
  readonly of?: 'refunds';
  /**
   * Says that the limit is used up. `much`: what counts against it, a sum or a number of sales; `most`: the cap's sum.
   */
  describe(much: string, most: string): string;
};

type Facts = { limits: OfflineLimits; exposure: Exposure };

/** A sale without a card is measured against the limits that apply to every card. */
export const measuresOf = (
  kind: 'chip' | 'deferred',
  { request, limits, exposure }: Facts & { request: OfflineTry },
): readonly Measure[] => {
  const of = limits[kind];
  const usedSum = exposure[kind];
  const { card } = request;
  const general: Measure[] = [
    saleMeasure('perSale', of.upToMinor, 'one offline sale'),
    { limit: 'total', cap: of.total, usedSum: usedSum.total, describe: waiting },
    {
      limit: 'together',
      cap: limits.together,
      usedSum: sumOf(exposure.chip.total, exposure.deferred.total),
      describe: waiting,
    },
    {
      limit: 'perHour',
      cap: of.perHour,
      usedSum: usedSum.hour,
      describe: (much) => `${much} were already taken in the last hour`,
    },
    { limit: 'perDay', cap: of.perDay, usedSum: usedSum.day, describe: (much) => `${much} were already taken today` },
    {
      limit: 'perCashier',
      cap: of.perCashier,
      usedSum: usedSum.cashier,
      describe: (much) => `${much} of this cashier already wait to be sent`,
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
      usedSum: usedSum.card,
      describe: (much) => `${much} of this card already wait to be sent`,
    },
    ...groupMeasures('brand', {
      caps: of.brands,
      name: brand,
      usedSum: usedSum.brand,
      cards: `${brandWords(brand)} cards`,
    }),
    ...groupMeasures('cardType', { caps: of.cardTypes, name: type, usedSum: usedSum.cardType, cards: typeWords[type] }),
    ...groupMeasures('entryMode', {
      caps: of.entryModes,
      name: card.entryMode,
      usedSum: usedSum.entryMode,
      cards: card.entryMode === 'ICC' ? 'inserted cards' : 'tapped cards',
    }),
  ];
};

export const refundMeasures = ({ limits, exposure }: Facts): readonly Measure[] => [
  saleMeasure('refunds', limits.refunds.upToMinor, 'one refund that waits'),
  { limit: 'refunds', cap: limits.refunds, usedSum: exposure.refunds, of: 'refunds', describe: waiting },
];

/** The first limit that this amount would exceed, or undefined. */
export const firstReached = (measures: readonly Measure[], { minor, currency }: Money): Objection | undefined => {
  for (const { limit, cap, usedSum, of, describe } of measures) {
    const most = printMoney(money(cap.minor ?? 0n, currency));
    if (cap.count !== undefined && usedSum.count >= cap.count)
      return { code: limit, why: describe(numberOf(usedSum.count, of), most) };
    if (cap.minor !== undefined && usedSum.minor + minor > cap.minor)
      return {
        code: limit,
        why: describe(`${printMoney(money(usedSum.minor, currency))} of ${of ?? 'offline sales'}`, most),
      };
  }
  return undefined;
};

export const leftOf = (measures: readonly Measure[], currency: string): readonly Left[] =>
  measures
    .filter(({ cap }) => cap.minor !== undefined || cap.count !== undefined)
    .map(({ limit, cap: { minor, count }, usedSum }) => ({
      limit,
      amount: minor === undefined ? undefined : money(minor > usedSum.minor ? minor - usedSum.minor : 0n, currency),
      count: count === undefined ? undefined : Math.max(0, count - usedSum.count),
    }));

const saleMeasure = (limit: LimitName, minor: bigint, what: string): Measure => ({
  limit,
  cap: { minor },
  usedSum: noSum,
  describe: (_, most) => `the store’s limit for ${what} is ${most}`,
});

const waiting = (much: string): string => `${much} already wait to be sent`;

type Group = { caps: GroupCaps; name: string; usedSum: Sum; cards: string };

/** The store's limits for this brand, type or way of presenting; otherwise those for names that are not listed. */
const groupMeasures = (limit: LimitName, { caps, name, usedSum, cards }: Group): Measure[] => {
  const cap: GroupCap = (Object.hasOwn(caps, name) ? caps[name] : caps['other']) ?? {};
  const { upToMinor, ...sums } = cap;
  const one = upToMinor === undefined ? [] : [saleMeasure(limit, upToMinor, `one offline sale with ${cards}`)];
  const describe = (much: string): string => `${much} with ${cards} already wait to be sent`;
  return [...one, { limit, cap: sums, usedSum, describe }];
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
