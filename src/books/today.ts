/** The figures of the business day that runs now, from the tables that are kept with each sale. */
import type { Today } from '../api/ports/books.ts';
import type { Amount } from '../api/ports/wire.ts';
import type { Sql } from '../journal/sql.ts';
import type { OfflineReadiness } from '../offline/decision.ts';
import { decimal } from '../reconciliation/report.ts';
import { salesBegun, takingsBy, takingsByHour, takingsOf } from './lines/takings-index.ts';
import type { BooksTill, ManagerParts } from './port.ts';
import { type BusinessDays, daysAfter } from './today-days.ts';

const HOUR_MS = 3_600_000;
/** How many business days are shown, today's included. */
const DAYS = 14;

type Parts = Pick<ManagerParts, 'clock'> & {
  running: Pick<BooksTill, 'journal' | 'config' | 'offline'>;
  days: BusinessDays;
  openItems(): number;
  /** Name of the counter of a pos.terminalId. */
  counterOf(terminalId: string): string;
};

/** Money of the store's currency alone. */
export const todayOf = ({ running, clock, days, openItems, counterOf }: Parts): Today => {
  const { sql } = running.journal;
  const { currency } = running.config;
  const amount = (minor: bigint): Amount => ({ amount: decimal(minor, currency), currency });
  const day = days.dateOf(clock.now());
  const span = { ...days.span(day), currency };
  const { taken, refunded, count } = takingsOf(sql, span);
  return {
    day,
    taken: amount(taken),
    refunded: amount(refunded),
    offline: exposureOf(running.offline.readiness(), amount),
    openItems: openItems(),
    sales: count,
    begun: salesBegun(sql, span),
    byHour: hoursOf({ sql, days, day, currency }),
    byBrand: takingsBy(sql, 'brand', span).map((one) => ({
      brand: one.name === '' ? 'OTHER' : one.name,
      count: one.count,
      taken: decimal(one.taken, currency),
    })),
    byTerminal: takingsBy(sql, 'terminal_id', span).map((one) => ({
      counter: counterOf(one.name),
      count: one.count,
      taken: decimal(one.taken, currency),
    })),
    byDay: Array.from({ length: DAYS }, (_, back) => daysAfter(day, back - DAYS + 1)).map((date) => ({
      day: date,
      taken: decimal(takingsOf(sql, { ...days.span(date), currency }).taken, currency),
    })),
  };
};

type Hours = {
  sql: Sql;
  days: BusinessDays;
  day: string;
  currency: string;
};

/** Each hour of the day, and the same hour after the cut-off of the day a week before; the longer day decides. */
const hoursOf = ({ sql, days, day, currency }: Hours): Today['byHour'] => {
  const now = days.span(day);
  const then = days.span(daysAfter(day, -7));
  const length = ({ from, to }: { from: number; to: number }): number => Math.ceil((to - from) / HOUR_MS);
  const takenIn = (span: { from: number; to: number }): Map<number, bigint> =>
    new Map(takingsByHour(sql, { ...span, currency }).map(({ name, taken }) => [Number(name), taken]));
  const today = takenIn(now);
  const lastWeek = takenIn(then);
  return Array.from({ length: Math.max(length(now), length(then)) }, (_, hour) => ({
    hour,
    at: now.from + hour * HOUR_MS,
    taken: decimal(today.get(hour) ?? 0n, currency),
    lastWeek: decimal(lastWeek.get(hour) ?? 0n, currency),
  }));
};

/** What is out at the store's risk, and the most that its limits let be out: a kind that is off lets nothing out. */
const exposureOf = ({ exposure, limits }: OfflineReadiness, amount: (minor: bigint) => Amount): Today['offline'] => {
  const { chip, deferred } = exposure;
  const kinds = [limits.chip, limits.deferred].map(({ upToMinor, total }) => (upToMinor === 0n ? 0n : total.minor));
  const [ofChip, ofDeferred] = kinds;
  const both = ofChip === undefined || ofDeferred === undefined ? undefined : ofChip + ofDeferred;
  const together = limits.together.minor;
  const most = both === undefined || (together !== undefined && together < both) ? together : both;
  return {
    exposure: amount(chip.total.minor + deferred.total.minor),
    ...(most !== undefined && { most: amount(most) }),
  };
};
