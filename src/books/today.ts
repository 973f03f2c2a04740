/** The figures of the current business day, from tables that are updated with each sale. */
import type { Today } from '../api/contract/books.ts';
import type { Amount } from '../api/contract/wire.ts';
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS } from '../base/clock.ts';
import type { Sql } from '../journal/sql.ts';
import type { OfflineReadiness } from '../offline/decision.ts';
import { type DayRule, dateOf } from '../reconciliation/business-day.ts';
import { decimal } from '../reconciliation/report.ts';
import type { Ending } from '../till/machine/states.ts';
import { salesBegun, totalsBy, totalsByHour, totalsOf } from './lines/totals.ts';
import type { BooksTill, ManagerParts } from './port.ts';

// The start of each business day as a moment in time, so that days of 23 and 25 hours have their real length.

/** The date `days` later, or earlier if negative, as `YYYY-MM-DD`. */
const daysAfter = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

type BusinessDays = {
  /** The business day of this moment (ms), as `YYYY-MM-DD`. */
  dateOf(at: number): string;
  /** The first moment of this business day, ms, and the first of the next. */
  span(date: string): { from: number; to: number };
};

/** The business days of one store. Results are cached, because the start of a day never changes. */
export const businessDays = (rule: DayRule): BusinessDays => {
  const known = new Map<string, number>();
  const startOf = (date: string): number => {
    const start = known.get(date) ?? firstMinute(date, rule);
    known.set(date, start);
    return start;
  };
  return {
    dateOf: (at) => dateOf(at, rule),
    span: (date) => ({ from: startOf(date), to: startOf(daysAfter(date, 1)) }),
  };
};

/** Zones and cut-offs are in whole minutes, and a day starts within two days of its midnight in UTC. */
const firstMinute = (date: string, rule: DayRule): number => {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  let before = midnight / MINUTE_MS - 1440;
  let upper = midnight / MINUTE_MS + 2 * 1440;
  while (upper - before > 1) {
    const middle = Math.floor((before + upper) / 2);
    if (dateOf(middle * MINUTE_MS, rule) < date) before = middle;
    else upper = middle;
  }
  return upper * MINUTE_MS;
};

/** How many business days are shown, including today. */
const DAYS = 14;

type Parts = Pick<ManagerParts, 'clock'> & {
  running: Pick<BooksTill, 'journal' | 'config' | 'offline'>;
  days: BusinessDays;
  openItems(): number;
  /** The name of the counter with this pos.terminalId. */
  counterOf(terminalId: string): string;
};

/** Money in the store's currency only. */
export const todayOf = ({ running, clock, days, openItems, counterOf }: Parts): Today => {
  const { sql } = running.journal;
  const { currency } = running.config;
  const amount = (minor: bigint): Amount => ({ amount: decimal(minor, currency), currency });
  const day = days.dateOf(clock.now());
  const span = { ...days.span(day), currency };
  const { taken, refunded, count } = totalsOf(sql, span);
  return {
    day,
    taken: amount(taken),
    refunded: amount(refunded),
    offline: exposureOf(running.offline.readiness(), amount),
    openItems: openItems(),
    sales: count,
    begun: salesBegun(sql, span),
    byHour: hoursOf({ sql, days, day, currency }),
    byBrand: totalsBy(sql, 'brand', span).map((one) => ({
      brand: one.name === '' ? 'OTHER' : one.name,
      count: one.count,
      taken: decimal(one.taken, currency),
    })),
    byTerminal: totalsBy(sql, 'terminal_id', span).map((one) => ({
      counter: counterOf(one.name),
      count: one.count,
      taken: decimal(one.taken, currency),
    })),
    byDay: Array.from({ length: DAYS }, (_, daysBack) => daysAfter(day, daysBack - DAYS + 1)).map((date) => ({
      day: date,
      taken: decimal(totalsOf(sql, { ...days.span(date), currency }).taken, currency),
    })),
  };
};

type Hours = {
  sql: Sql;
  days: BusinessDays;
  day: string;
  currency: string;
};

/** Each hour of the day beside the same hour after the cut-off one week before; the longer day sets their number. */
const hoursOf = ({ sql, days, day, currency }: Hours): Today['byHour'] => {
  const now = days.span(day);
  const lastWeekSpan = days.span(daysAfter(day, -7));
  const length = ({ from, to }: { from: number; to: number }): number => Math.ceil((to - from) / HOUR_MS);
  const takenIn = (span: { from: number; to: number }): Map<number, bigint> =>
    new Map(totalsByHour(sql, { ...span, currency }).map(({ name, taken }) => [Number(name), taken]));
  const today = takenIn(now);
  const lastWeek = takenIn(lastWeekSpan);
  return Array.from({ length: Math.max(length(now), length(lastWeekSpan)) }, (_, hour) => ({
    hour,
    at: now.from + hour * HOUR_MS,
    taken: decimal(today.get(hour) ?? 0n, currency),
    lastWeek: decimal(lastWeek.get(hour) ?? 0n, currency),
  }));
};

/** The amount outstanding at the store's risk, and the most that the limits allow; a kind that is off allows none. */
const exposureOf = ({ exposure, limits }: OfflineReadiness, amount: (minor: bigint) => Amount): Today['offline'] => {
  const { chip, deferred } = exposure;
  const kinds = [limits.chip, limits.deferred].map(({ upToMinor, total }) => (upToMinor === 0n ? 0n : total.minor));
  const [ofChip, ofDeferred] = kinds;
  const bothLimits = ofChip === undefined || ofDeferred === undefined ? undefined : ofChip + ofDeferred;
  const commonLimit = limits.together.minor;
  const limit =
    bothLimits === undefined || (commonLimit !== undefined && commonLimit < bothLimits) ? commonLimit : bothLimits;
  return {
    exposure: amount(chip.total.minor + deferred.total.minor),
    most: limit === undefined ? undefined : amount(limit),
  };
};

export type OutcomeCounts = Readonly<Record<Ending | 'underWay', number>>;

export type CountOutcomes = (till: Pick<BooksTill, 'journal' | 'ledger' | 'books'>, clock: Clock) => OutcomeCounts;

type Outcome = keyof OutcomeCounts;
type Known = {
  of: unknown;
  from: number;
  length: number;
  outcomes: Map<string, Outcome>;
  counts: Record<Outcome, number>;
};

const none: OutcomeCounts = { approved: 0, declined: 0, notSent: 0, unknown: 0, underWay: 0 };
const nothingOf = (of: unknown, from: number): Known => ({
  of,
  from,
  length: 0,
  outcomes: new Map(),
  counts: { ...none },
});

/** Counts how the sales of the business day ended. Only sales changed since the last call are read again. */
export const openOutcomeCounts = (): CountOutcomes => {
  let known = nothingOf(undefined, 0);
  return ({ journal, ledger, books }, clock) => {
    const days = businessDays(books.rule);
    const { from, to } = days.span(days.dateOf(clock.now()));
    if (known.of !== journal || known.from !== from) known = nothingOf(journal, from);
    const { outcomes, counts } = known;
    const changed =
      known.length === 0
        ? journal.sql.all('SELECT sale FROM sale_search WHERE at >= ? AND at < ?', from, to)
        : journal.sql.all(
            `SELECT sale FROM sale_search WHERE at >= ? AND at < ?
             AND sale IN (SELECT subject FROM entry WHERE entry > ?)`,
            from,
            to,
            known.length,
          );
    for (const { sale: id } of changed) {
      const sale = ledger.sale(String(id));
      const outcome = sale?.at === 'ended' ? sale.ending : 'underWay';
      const before = outcomes.get(String(id));
      if (before !== undefined) counts[before] -= 1;
      counts[outcome] += 1;
      outcomes.set(String(id), outcome);
    }
    known.length = journal.length;
    return { ...counts };
  };
};
