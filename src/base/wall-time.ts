/**
 * What the clock on a shop's wall says. A time zone is an IANA name, Europe/Vienna; left out, it is the machine's own,
 * which spares the tables of all the others.
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

/** The wall's time at `ms` since 1970 UTC. */
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

/** By how many minutes the wall is ahead of UTC at `ms`. */
export const zoneMinutesAt = (ms: number, timeZone?: string): number => Math.round(aheadAt(ms, timeZone) / 60_000);

/** When the wall's day began in which `ms` falls, ms since 1970 UTC. */
export const startOfDay = (ms: number, timeZone?: string): number => {
  const { year, month, day } = wallTimeAt(ms, timeZone);
  return momentAt({ ...{ year, month, day }, ...{ hour: 0, minute: 0, second: 0 } }, timeZone);
};

/** When the wall says this, ms since 1970 UTC; of a time that a change of the clock leaves out, the change itself. */
export const momentAt = ({ year, month, day, hour, minute, second }: WallTime, timeZone?: string): number => {
  const asUtc = Date.UTC(year, month - 1, day, hour, minute, second);
  const near = asUtc - aheadAt(asUtc, timeZone);
  return asUtc - aheadAt(near, timeZone);
};

const aheadAt = (ms: number, timeZone: string | undefined): number => {
  const { year, month, day, hour, minute, second } = wallTimeAt(ms, timeZone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1_000) * 1_000;
};

/** Making one costs as much as a thousand times of using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const fresh = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formats.set(timeZone, fresh);
  return fresh;
};
