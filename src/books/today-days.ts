/** When business days begin, as moments: days of 23 and of 25 hours are as long as they are. */
import { type DayRule, dateOf } from '../reconciliation/business-day.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** `YYYY-MM-DD`, so many days later or, negative, earlier. */
export const daysAfter = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

export type BusinessDays = {
  /** `YYYY-MM-DD` of the business day of this moment, ms. */
  dateOf(at: number): string;
  /** The first moment of this business day, ms; it ends where the next one begins. */
  span(date: string): { from: number; to: number };
};

/** Of one store. What was worked out is kept: a day never begins at another moment. */
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

/** Zones and cut-offs are of whole minutes; the day begins within two days of its midnight in UTC. */
const firstMinute = (date: string, rule: DayRule): number => {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  let before = midnight / MINUTE_MS - 1440;
  let within = midnight / MINUTE_MS + 2 * 1440;
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (dateOf(middle * MINUTE_MS, rule) < date) before = middle;
    else within = middle;
  }
  return within * MINUTE_MS;
};
