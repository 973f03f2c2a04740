/** The business day of a moment: a shop that closes after midnight counts that night to the day before. */

import { DAY_MS } from '../base/clock.ts';
import { dateIn, minuteIn, wallTimeAt } from '../base/wall-time.ts';

export type DayRule = {
  /** `HH:MM` in the store's time. Earlier times belong to the previous business day. */
  readonly cutOff: string;
  /**
   * IANA name such as Europe/Vienna. Absent means the machine's own zone, which avoids loading the tables of all zones.
   */
  readonly timeZone?: string;
};

/**
 * A moment and whether it is trusted. Untrusted means that only the machine's clock, which anybody can set, gave it.
 */
export type Moment = { readonly at: number; readonly trusted: boolean };

/** A business day, and whether a trusted time decided it. */
export type BusinessDay = { readonly date: string; readonly trusted: boolean };

/** The business day of `at` (ms since 1970 UTC), as `YYYY-MM-DD`. */
export const dateOf = (at: number, { cutOff, timeZone }: DayRule): string => {
  const wall = wallTimeAt(at, timeZone);
  const [date, time] = [dateIn(wall), minuteIn(wall)];
  return time < cutOff ? dayBefore(date) : date;
};

/**
 * The day of the next batch. It is never before a trusted day, whatever the clock says; it can be before an untrusted
 * one once the time is trusted.
 */
export const nextDay = (now: Moment, rule: DayRule, last: BusinessDay | undefined): BusinessDay => {
  const date = dateOf(now.at, rule);
  if (last === undefined || date >= last.date) return { date, trusted: now.trusted };
  return now.trusted && !last.trusted ? { date, trusted: true } : { date: last.date, trusted: last.trusted };
};

/**
 * The day of a batch that was opened by the machine's clock alone, decided when it is closed. `evidence` is the
 * earliest trusted time of one of its sales. If the trusted time now gives the same day, the day was right; a day in
 * the future was wrong.
 */
export const correctedTime = (
  opened: BusinessDay,
  { evidence, now }: { evidence: number | undefined; now: Moment },
  rule: DayRule,
): BusinessDay => {
  if (opened.trusted) return opened;
  if (evidence !== undefined) return { date: dateOf(evidence, rule), trusted: true };
  const today = dateOf(now.at, rule);
  return now.trusted && opened.date >= today ? { date: today, trusted: true } : opened;
};

const dayBefore = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10);

// Formats moments on the store's clock.

/** `2026-11-21 14:02:11` on the store's clock; in the machine's zone if none is set. */
export const wallTimes = (timeZone: string | undefined): ((at: number) => string) => {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  let second: number | undefined;
  let text = '';
  return (at) => {
    // Consecutive table rows often share a second, so the last text is cached.
    const its = Math.floor(at / 1_000);
    if (its !== second) text = format.format(at);
    second = its;
    return text;
  };
};

/** Parses `yyyy-MM-dd HH:mm:ss` UTC, the format of times in X and Z reports, to ms. */
export const momentOf = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`);
