/** Settlement days: from one cut-off to the next, in a channel's time zone. */

/** The minute of the day, 1 to 1440, at which a day ends; 1440 is midnight. */
import { DAY_MS, MINUTE_MS } from '../../base/clock.ts';

type Days = { readonly timeZone: string; readonly cutOff: number };

/** The moment at which the day ends, wall time in ms; the next day starts with it. */
export const endOfDay = (day: string, { timeZone, cutOff }: Days): number =>
  momentOf(Date.parse(`${day}T00:00:00Z`) + cutOff * MINUTE_MS, timeZone);

/** The day that this moment belongs to, `YYYY-MM-DD`. */
export const dayOf = (at: number, days: Days): string => {
  let day = nextDay(localDayOf(at, days.timeZone), -1);
  while (at >= endOfDay(day, days)) day = nextDay(day);
  return day;
};

/** The last day that is over and whose file is due at `now`: at the first `at` (minutes) after its cut-off. */
export const lastDueDay = (now: number, days: Days & { readonly at: number }): string => {
  let day = dayOf(now, days);
  while (dueAt(day, days) > now) day = nextDay(day, -1);
  return day;
};

/** When the day's file is due, wall time in ms. */
export const dueAt = (day: string, days: Days & { readonly at: number }): number => {
  const end = endOfDay(day, days);
  let on = localDayOf(end, days.timeZone);
  for (;;) {
    const at = momentOf(Date.parse(`${on}T00:00:00Z`) + days.at * MINUTE_MS, days.timeZone);
    if (at >= end) return at;
    on = nextDay(on);
  }
};

export const nextDay = (day: string, dayCount = 1): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + dayCount * DAY_MS).toISOString().slice(0, 10);

/** `yyyy-MM-dd HH:mm:ss` as clocks in the zone show it. */
export const localTimeOf = (at: number, timeZone: string): string =>
  new Date(at + offsetAt(at, timeZone)).toISOString().slice(0, 19).replace('T', ' ');

const localDayOf = (at: number, timeZone: string): string => localTimeOf(at, timeZone).slice(0, 10);

/**
 * Turns a wall clock time, written as if it were UTC, into the moment; for a time skipped by the clocks, a nearby one.
 */
const momentOf = (wallClockMs: number, timeZone: string): number => {
  const guess = wallClockMs - offsetAt(wallClockMs, timeZone);
  return wallClockMs - offsetAt(guess, timeZone);
};

const formats = new Map<string, Intl.DateTimeFormat>();

const offsetAt = (at: number, timeZone: string): number => {
  if (timeZone === 'UTC') return 0;
  const format = formats.get(timeZone) ?? formatIn(timeZone);
  formats.set(timeZone, format);
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
};

const formatIn = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
