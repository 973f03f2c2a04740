/**
 * What the clock on a shop's wall shows. A time zone is an IANA name, Europe/Vienna; by default the machine's own,
 * which saves loading the tables of the others.
 */

export type WallTime = {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
};

/** Whether this machine knows the time zone. */
export const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

/** The wall time at `ms` since 1970 UTC. */
export const wallTimeAt = (ms: number, timeZone?: string): WallTime => {
  if (timeZone === undefined) {
    const at = new Date(ms);
    return {
      year: at.getFullYear(),
      month: at.getMonth() + 1,
      day: at.getDate(),
      hour: at.getHours(),
      minute: at.getMinutes(),
      second: at.getSeconds(),
    };
  }
  const parts = formatOf(timeZone).formatToParts(ms);
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value);
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
  };
};

const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** `2026-11-21`, the date of a wall time. */
export const dateIn = ({ year, month, day }: WallTime): string => `${year}-${twoDigits(month)}-${twoDigits(day)}`;

/** `14:02`, the hour and minute of a wall time. */
export const minuteIn = ({ hour, minute }: WallTime): string => `${twoDigits(hour)}:${twoDigits(minute)}`;

/** How many minutes the wall time is ahead of UTC at `ms`. */
export const zoneMinutesAt = (ms: number, timeZone?: string): number => Math.round(offsetAt(ms, timeZone) / 60_000);

/** The start of the day that contains `ms`, in wall time, ms since 1970 UTC. */
export const startOfDay = (ms: number, timeZone?: string): number => {
  const { year, month, day } = wallTimeAt(ms, timeZone);
  return momentAt({ ...{ year, month, day }, ...{ hour: 0, minute: 0, second: 0 } }, timeZone);
};

/** The moment of this wall time, ms since 1970 UTC; for a time that a clock change skips, the change itself. */
export const momentAt = ({ year, month, day, hour, minute, second }: WallTime, timeZone?: string): number => {
  const asUtc = Date.UTC(year, month - 1, day, hour, minute, second);
  const estimate = asUtc - offsetAt(asUtc, timeZone);
  return asUtc - offsetAt(estimate, timeZone);
};

const offsetAt = (ms: number, timeZone: string | undefined): number => {
  const { year, month, day, hour, minute, second } = wallTimeAt(ms, timeZone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1_000) * 1_000;
};

/** Creating one costs as much as using it a thousand times. */
const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const existing = formats.get(timeZone);
  if (existing !== undefined) return existing;
  const created = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formats.set(timeZone, created);
  return created;
};
