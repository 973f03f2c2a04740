/** The store's offline limits as a table: what is set, used and left, and whether a sale would be taken now. */
import type { LimitRow, LimitsReport } from '../api/contract/limits.ts';
import { money, printMoney } from '../base/money.ts';
import { formatEnglish } from '../base/placeholders.ts';
import type { Cap, GroupCap, KindLimits, Sum } from '../till/offline/limits.ts';
import { measuresOf } from '../till/offline/measures.ts';
import { durationWords } from '../till/offline/verdict.ts';
import type { OfflineReadiness } from './decision.ts';
import type { Judgement } from './recent-cards.ts';

const kindTexts = { chip: 'approved by the chip', deferred: 'authorised later' } as const;

export const offlineReport = (
  { limits, exposure, moment }: OfflineReadiness,
  { ready, why, cards }: Judgement,
): Omit<LimitsReport, 'online'> => {
  const { currency } = limits;
  const print = (cap: Cap): string => capText(cap, currency);
  const rows = (['chip', 'deferred'] as const).flatMap((kind): LimitRow[] => {
    const of = kindTexts[kind];
    const request = { operation: 'sale', amount: money(1n, currency) } as const;
    if (limits[kind].upToMinor === 0n) return [{ of, limit: 'one sale', most: 'off' }];
    const measured = measuresOf(kind, { request, limits, exposure })
      .filter(({ limit, cap }) => limit !== 'together' && !isEmpty(cap))
      .map(({ limit, cap, usedSum: used }) =>
        limit === 'perSale'
          ? { of, limit: 'one sale', most: print(cap) }
          : { of, limit: measureTexts[limit] ?? limit, most: print(cap), ...usageOf(cap, used, currency) },
      );
    return [...measured, ...perCardRows(limits[kind], of, currency)];
  });
  const waiting = { minor: exposure.chip.total.minor + exposure.deferred.total.minor, count: sumCount(exposure) };
  const both: LimitRow[] = [
    {
      of: 'both together',
      limit: 'all that waits',
      most: isEmpty(limits.together) ? 'not limited' : print(limits.together),
      ...usageOf(limits.together, waiting, currency),
    },
  ];
  return {
    ready,
    code: why?.code,
    why: why?.why,
    cards,
    rows: [...rows, ...both, ...refundRows({ limits, exposure }), ...momentRows({ limits, moment })],
  };
};

const sumCount = ({ chip, deferred }: OfflineReadiness['exposure']): number => chip.total.count + deferred.total.count;

const measureTexts: Readonly<Record<string, string>> = {
  total: 'all that waits',
  perHour: 'in the last hour',
  perDay: 'today',
  perCashier: 'waiting, of one cashier',
};

const isEmpty = ({ minor, count }: Cap): boolean => minor === undefined && count === undefined;

const capText = ({ minor, count }: Cap, currency: string): string =>
  [minor === undefined ? '' : printMoney(money(minor, currency)), count === undefined ? '' : numberOf(count)]
    .filter((text) => text !== '')
    .join(', ');

const numberOf = (count: number): string => formatEnglish('{count, plural, one {# sale} other {# sales}}', { count });

const usageOf = (cap: Cap, used: Sum, currency: string): { used: string; left?: string } => {
  const left: Cap = {
    minor: cap.minor === undefined ? undefined : cap.minor > used.minor ? cap.minor - used.minor : 0n,
    count: cap.count === undefined ? undefined : Math.max(0, cap.count - used.count),
  };
  return { used: capText(used, currency), left: isEmpty(left) ? undefined : capText(left, currency) };
};

/** Rows that depend on the card presented. */
const perCardRows = ({ perCard, brands, cardTypes, entryModes }: KindLimits, of: string, currency: string) => {
  const rows: LimitRow[] = isEmpty(perCard)
    ? []
    : [{ of, limit: 'waiting, of one card', most: capText(perCard, currency) }];
  for (const caps of [brands, cardTypes, entryModes])
    for (const [name, cap] of Object.entries(caps)) rows.push(...groupRows({ of, name, cap }, currency));
  return rows;
};

const groupRows = ({ of, name, cap }: { of: string; name: string; cap: GroupCap }, currency: string): LimitRow[] => [
  ...(cap.upToMinor === undefined
    ? []
    : [{ of, limit: `one sale, ${name}`, most: printMoney(money(cap.upToMinor, currency)) }]),
  ...(isEmpty(cap) ? [] : [{ of, limit: `waiting, ${name}`, most: capText(cap, currency) }]),
];

const refundRows = ({ limits, exposure }: Pick<OfflineReadiness, 'limits' | 'exposure'>): LimitRow[] => {
  const { upToMinor, ...cap } = limits.refunds;
  const of = 'refunds that wait';
  if (upToMinor === 0n) return [{ of, limit: 'one refund', most: 'off' }];
  return [
    { of, limit: 'one refund', most: printMoney(money(upToMinor, limits.currency)) },
    {
      of,
      limit: 'all that waits',
      most: isEmpty(cap) ? 'not limited' : capText(cap, limits.currency),
      ...usageOf(cap, exposure.refunds, limits.currency),
    },
  ];
};

const momentRows = ({ limits, moment }: Pick<OfflineReadiness, 'limits' | 'moment'>): LimitRow[] => {
  const { windowMs, keepFreeBytes } = limits;
  const { sinceAnswer, freeBytes } = moment;
  const since = 'ms' in sinceAnswer ? durationWords(sinceAnswer.ms) : 'not known';
  const left =
    windowMs !== undefined && 'ms' in sinceAnswer ? durationWords(Math.max(0, windowMs - sinceAnswer.ms)) : '';
  const megabytes = (bytes: number): string => `${Math.floor(bytes / 1024 / 1024)} MB`;
  return [
    {
      of: 'the till',
      limit: 'time without the gateway',
      most: windowMs === undefined ? 'not limited' : durationWords(windowMs),
      used: since,
      left: left || undefined,
    },
    {
      of: 'the till',
      limit: 'kept free on the disk',
      most: megabytes(keepFreeBytes),
      left: megabytes(Math.max(0, freeBytes - keepFreeBytes)),
    },
  ];
};
