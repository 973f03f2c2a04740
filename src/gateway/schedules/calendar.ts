/**
 * The due times of a Quartz expression. Computed by croner; the Quartz features that it lacks are added here: `L-3`,
 * `LW` in a list, a bare `L` as a day of the week, steps of years from 1970.
 *
 * A fixed time of the day falls due once on a day whose clock shows it twice (the first time), and once where the clock
 * skips it (right after the skip). Repetitions within a day (`*`, steps) follow elapsed time instead.
 */
import { Cron, CronDate, CronPattern } from 'croner';
import type { SchedulePeriod } from '../store/schedule-store.ts';

export type Calendar = {
  /** The first due time after this moment, or undefined if there is none. Both wall time, ms. */
  nextAfter(at: number): number | undefined;
  /** The last due time up to this moment, but not before `from`. */
  lastBefore(at: number, from: number): number | undefined;
  /** The smallest distance between two due times, in seconds; a day if there is one time per day. */
  leastSeconds: number;
};

/** One simple pattern, and a further condition on a matching day. */
type Part = { cron: Cron; holds: (at: number) => boolean };

const KEPT_MAX = 2000;
const cache = new Map<string, Calendar>();

/** `expression`: seven fields, exactly one of whose day fields is `?`, as `timingOf` makes them. */
export const calendarOf = (expression: string, timeZone: string): Calendar => {
  const key = `${timeZone} ${expression}`;
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const created = createCalendar(expression, timeZone);
  // Frequently used ones are soon cached again.
  if (cache.size >= KEPT_MAX) cache.clear();
  cache.set(key, created);
  return created;
};

const createCalendar = (expression: string, timeZone: string): Calendar => {
  const parts = partsOf(expression, timeZone);
  const firstAfter = (part: Part, at: number): number | undefined => {
    for (let next = part.cron.nextRun(new Date(at)); next !== null; next = part.cron.nextRun(next)) {
      // Years end at 2099 (spec 2.28), also for patterns that match too rarely to be found before.
      if (next.getTime() >= END) return undefined;
      if (part.holds(next.getTime())) return next.getTime();
    }
    return undefined;
  };
  const last = (part: Part, at: number, from: number): number | undefined => {
    // croner returns whole seconds strictly before the given one.
    let upperBound = new Date(Math.floor(at / 1000) * 1000 + 1000);
    for (;;) {
      const [found] = part.cron.previousRuns(1, upperBound);
      if (found === undefined || found.getTime() < from) return undefined;
      if (part.holds(found.getTime())) return found.getTime();
      upperBound = found;
    }
  };
  const definedTimes = (times: readonly (number | undefined)[]) => times.filter((time) => time !== undefined);
  const after = (at: number): number | undefined => {
    const next = Math.min(...definedTimes(parts.map((part) => firstAfter(part, at))));
    return Number.isFinite(next) ? next : undefined;
  };
  const upperBound = (at: number, from: number): number | undefined => {
    const found = Math.max(...definedTimes(parts.map((part) => last(part, at, from))));
    return Number.isFinite(found) ? found : undefined;
  };
  return {
    nextAfter: cacheLatest(after),
    lastBefore: cacheLatest(upperBound),
    leastSeconds: leastSecondsOf(expression),
  };
};

/** Many plans with one expression that fall due together ask the same question: it is computed once. */
const cacheLatest = <A extends readonly number[]>(work: (...of: A) => number | undefined) => {
  let request: A | undefined;
  let answer: number | undefined;
  return (...of: A): number | undefined => {
    if (request === undefined || of.some((each, i) => each !== request?.[i])) {
      answer = work(...of);
      request = of;
    }
    return answer;
  };
};

const END = Date.UTC(2100, 0, 2);

const options = { alternativeWeekdays: true, sloppyRanges: true, mode: '7-part' } as const;

const partsOf = (expression: string, timeZone: string): readonly Part[] => {
  const [second, minute, hour, day = '', month, weekday = '', year = ''] = expression.split(' ');
  const years = year.replace(/(^|,)\*\//g, '$11970/').replace(/(^|,)([0-9]{4})\//g, '$1$2-2099/');
  const weekdays = weekday.replace(/(^|,)L(?=,|$)/g, '$17');
  const partFor = (days: string, holds: Part['holds'] = () => true): Part => {
    const pattern = [second, minute, hour, days, month, weekdays, years].join(' ');
    return { cron: new Cron(pattern, { ...options, timezone: timeZone, fixedTimeRule: 'no-wildcard' }), holds };
  };
  const items = [...new Set(day.split(','))];
  const simple = items.filter((item) => item !== 'LW' && !item.startsWith('L-'));
  return [
    ...(simple.length > 0 ? [partFor(simple.join(','))] : []),
    ...(items.includes('LW') ? [partFor('LW')] : []),
    ...items
      .filter((item) => item.startsWith('L-'))
      .map((item) => {
        const daysBack = Number(item.slice(2));
        return partFor(daysBefore(daysBack), (at) => isBeforeLast(at, daysBack, timeZone));
      }),
  ];
};

/** The days that can be this many days before the last of a month. */
const daysBefore = (daysBack: number): string =>
  [28, 29, 30, 31]
    .map((last) => last - daysBack)
    .filter((day) => day >= 1)
    .join(',');

const isBeforeLast = (at: number, daysBack: number, timeZone: string): boolean => {
  const { year, month, day } = wallClockAt(at, timeZone);
  return day === new Date(Date.UTC(year, month, 0)).getUTCDate() - daysBack;
};

const DAY_SECONDS = 86_400;

/** Between two due times of one day, and between the last of a day and the first of the next. */
const leastSecondsOf = (expression: string): number => {
  const [second, minute, hour] = expression.split(' ');
  const pattern = new CronPattern(`${second} ${minute} ${hour} * * * *`, undefined, options);
  let first: number | undefined;
  let upperBound: number | undefined;
  let minimum = DAY_SECONDS;
  for (const h of parseNumbers(pattern.hour)) {
    for (const m of parseNumbers(pattern.minute)) {
      for (const s of parseNumbers(pattern.second)) {
        const time = h * 3600 + m * 60 + s;
        if (upperBound !== undefined) minimum = Math.min(minimum, time - upperBound);
        first ??= time;
        upperBound = time;
      }
    }
  }
  return first === undefined || upperBound === undefined
    ? minimum
    : Math.min(minimum, DAY_SECONDS - upperBound + first);
};

const parseNumbers = (flags: readonly number[]): readonly number[] =>
  flags.flatMap((flag, number) => (flag === 0 ? [] : [number]));

// The clock of a place: what it shows at a moment, and the moment at which it shows a time. A time shown twice means
// the first moment; a skipped time means the moment as much later as the skip is long.

/** A clock's reading; months from 1. */
type WallClockTime = { year: number; month: number; day: number; hour: number; minute: number; second: number };

/** `at` is wall time, ms. */
const wallClockAt = (at: number, timeZone: string): WallClockTime => {
  const { year, month, day, hour, minute, second } = new CronDate(new Date(at), timeZone);
  return { year, month: month + 1, day, hour, minute, second };
};

/** Wall time, ms. A day, month … beyond its range runs over into the next. */
export const momentOf = ({ year, month, day, hour, minute, second }: WallClockTime, timeZone: string): number => {
  const candidate = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  // Sets fields instead of parsing a text, because texts are read in the machine's time zone first.
  const date = new CronDate(new Date(0), timeZone);
  date.year = candidate.getUTCFullYear();
  date.month = candidate.getUTCMonth();
  date.day = candidate.getUTCDate();
  date.hour = candidate.getUTCHours();
  date.minute = candidate.getUTCMinutes();
  date.second = candidate.getUTCSeconds();
  return date.getDate(false).getTime();
};

/** The moment at which this clock shows a DATETIME of the host API: `yyyy-MM-dd HH:mm:ss`. Wall time, ms. */
export const parseMoment = (text: string, timeZone: string): number => {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = text.split(/[- :]/).map(Number);
  return momentOf({ year, month, day, hour, minute, second }, timeZone);
};

const SECONDS = { SECOND: 1, MINUTE: 60, HOUR: 3600, DAY: 86_400, WEEK: 604_800, MONTH: 2_629_746, YEAR: 31_556_952 };

/** The approximate length, ms: months and years by their average. */
export const approximateMs = ({ unit, number }: SchedulePeriod): number => SECONDS[unit] * number * 1000;

/**
 * The moment this much later: days and longer by the calendar, keeping the time of the day; shorter units by elapsed
 * time. A day that a shorter month lacks becomes its last day.
 */
export const addPeriod = (at: number, { unit, number }: SchedulePeriod, timeZone: string): number => {
  if (unit === 'SECOND' || unit === 'MINUTE' || unit === 'HOUR') return at + approximateMs({ unit, number });
  const wallClock = wallClockAt(at, timeZone);
  const ms = at % 1000;
  if (unit === 'DAY') return momentOf({ ...wallClock, day: wallClock.day + number }, timeZone) + ms;
  if (unit === 'WEEK') return momentOf({ ...wallClock, day: wallClock.day + 7 * number }, timeZone) + ms;
  const month = wallClock.month + number * (unit === 'YEAR' ? 12 : 1);
  const last = new Date(Date.UTC(wallClock.year, month, 0)).getUTCDate();
  return momentOf({ ...wallClock, month, day: Math.min(wallClock.day, last) }, timeZone) + ms;
};
