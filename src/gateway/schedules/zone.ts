/**
 * A place's clock: what it shows at a moment, and the moment at which it shows something. A time that it shows twice is
 * the first of the two; one that it leaps over is as much later as the leap is long.
 */
import { CronDate } from 'croner';
import type { SchedulePeriod } from './store/schedules.ts';

/** What a clock shows; months from 1. */
type WallClockTime = { year: number; month: number; day: number; hour: number; minute: number; second: number };

/** `at` is wall time, ms. */
export const wallClockAt = (at: number, timeZone: string): WallClockTime => {
  const { year, month, day, hour, minute, second } = new CronDate(new Date(at), timeZone);
  return { year, month: month + 1, day, hour, minute, second };
};

/** Wall time, ms. A day, month … beyond its end runs over into the next. */
export const momentOf = ({ year, month, day, hour, minute, second }: WallClockTime, timeZone: string): number => {
  const fitting = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  // Its fields are set and no text is read: texts are read by the clock of the machine first.
  const date = new CronDate(new Date(0), timeZone);
  date.year = fitting.getUTCFullYear();
  date.month = fitting.getUTCMonth();
  date.day = fitting.getUTCDate();
  date.hour = fitting.getUTCHours();
  date.minute = fitting.getUTCMinutes();
  date.second = fitting.getUTCSeconds();
  return date.getDate(false).getTime();
};

/** A DATETIME of the host API as this clock shows it: `yyyy-MM-dd HH:mm:ss`. Wall time, ms. */
export const momentNamed = (text: string, timeZone: string): number => {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = text.split(/[- :]/).map(Number);
  return momentOf({ year, month, day, hour, minute, second }, timeZone);
};

const SECONDS = { SECOND: 1, MINUTE: 60, HOUR: 3600, DAY: 86_400, WEEK: 604_800, MONTH: 2_629_746, YEAR: 31_556_952 };

/** About how long it is, ms: a month and a year as they are on average. */
export const aboutMs = ({ unit, number }: SchedulePeriod): number => SECONDS[unit] * number * 1000;

/**
 * So much later: days and longer by the calendar, so that it is the same time of the day; what is shorter by the
 * clock. The last day of a shorter month stands for those that it lacks.
 */
export const later = (at: number, { unit, number }: SchedulePeriod, timeZone: string): number => {
  if (unit === 'SECOND' || unit === 'MINUTE' || unit === 'HOUR') return at + aboutMs({ unit, number });
  const shown = wallClockAt(at, timeZone);
  const ms = at % 1000;
  if (unit === 'DAY') return momentOf({ ...shown, day: shown.day + number }, timeZone) + ms;
  if (unit === 'WEEK') return momentOf({ ...shown, day: shown.day + 7 * number }, timeZone) + ms;
  const month = shown.month + number * (unit === 'YEAR' ? 12 : 1);
  const last = new Date(Date.UTC(shown.year, month, 0)).getUTCDate();
  return momentOf({ ...shown, month, day: Math.min(shown.day, last) }, timeZone) + ms;
};
