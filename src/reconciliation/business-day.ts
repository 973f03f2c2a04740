/** Which business day a moment belongs to: a shop that closes after midnight counts that night to the day before. */

import { DAY_MS } from '../base/clock.ts';

export type DayRule = {
  /** `HH:MM`, the store's own time: before it the business day is yesterday's. */
  readonly cutOff: string;
  /** IANA name: Europe/Vienna. The machine's own if left out, which spares the tables of all the others. */
  readonly timeZone?: string;
};

/** How a moment is known. Untrusted: by the machine's clock alone, which anybody may have set. */
export type Moment = { readonly at: number; readonly trusted: boolean };

/** A business day, and whether it was decided by a time that nobody could set. */
export type BusinessDay = { readonly date: string; readonly trusted: boolean };

/** `YYYY-MM-DD` of the business day in which `at` (ms since 1970 UTC) falls. */
export const dateOf = (at: number, { cutOff, timeZone }: DayRule): string => {
  const { date, time } = local(at, timeZone);
  return time < cutOff ? dayBefore(date) : date;
};

/**
 * The next batch's day. Days never go back behind a day that was certain, whatever the clock says; behind a day that
 * was not certain they do, once the time is.
 */
export const nextDay = (now: Moment, rule: DayRule, last: BusinessDay | undefined): BusinessDay => {
  const date = dateOf(now.at, rule);
  if (last === undefined || date >= last.date) return { date, trusted: now.trusted };
  return now.trusted && !last.trusted ? { date, trusted: true } : { date: last.date, trusted: last.trusted };
};

/**
 * The day of a batch that was opened by the machine's clock alone, when it is closed. `evidence` is the earliest time
 * that somebody trustworthy gave to one of its sales. A day that is the same by a certain time now was right; one that
 * is still to come was wrong.
 */
export const corrected = (
  opened: BusinessDay,
  { evidence, now }: { evidence: number | undefined; now: Moment },
  rule: DayRule,
): BusinessDay => {
  if (opened.trusted) return opened;
  if (evidence !== undefined) return { date: dateOf(evidence, rule), trusted: true };
  const today = dateOf(now.at, rule);
  return now.trusted && opened.date >= today ? { date: today, trusted: true } : opened;
};

const local = (at: number, timeZone: string | undefined): { date: string; time: string } => {
  if (timeZone === undefined) {
    const offsetMs = new Date(at).getTimezoneOffset() * 60_000;
    const here = new Date(at - offsetMs).toISOString();
    return { date: here.slice(0, 10), time: here.slice(11, 16) };
  }
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(at);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  return { date: `${part('year')}-${part('month')}-${part('day')}`, time: `${part('hour')}:${part('minute')}` };
};

const dayBefore = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10);

// Moments as the store's wall has them.

/** `2026-11-21 14:02:11`, on the store's wall; of the machine's zone where none is set. */
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
    // Rows of a table follow each other in time, several of them in a second.
    const its = Math.floor(at / 1_000);
    if (its !== second) text = format.format(at);
    second = its;
    return text;
  };
};

/** Of `yyyy-MM-dd HH:mm:ss`, UTC, as X and Z reports keep their times, ms. */
export const momentOf = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`);
