/** The clock of a terminal that prints its own time: what it shows, compared with the till's. */

/** A device prints whole seconds, and tells a payment a moment after it was made. */
const TOLERANCE_MS = 2_000;

const SHAPE = /^(?:(\d{4})-)?(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)$/;

/**
 * The device's time as if it were UTC, ms; without a year it is the one that lies nearest. Undefined for what is no
 * time. Only differences between two of them mean anything: nobody knows the device's time zone.
 */
export const deviceTime = (text: string, nearMs: number): number | undefined => {
  const [, year, ...rest] = SHAPE.exec(text) ?? [];
  if (rest.length === 0) return undefined;
  const [month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = rest.map(Number);
  const at = (years: number): number => Date.UTC(years, month - 1, day, hours, minutes, seconds);
  if (year !== undefined) return at(Number(year));
  const near = new Date(nearMs).getUTCFullYear();
  const distance = (years: number): number => Math.abs(at(years) - nearMs);
  return at([near - 1, near, near + 1].reduce((best, one) => (distance(one) < distance(best) ? one : best)));
};

/** By how much the device's clock is ahead of the till's: known from a payment that was heard as it was made. */
export const aheadOf = ({ time, heardAt }: { time?: string; heardAt?: number }): number | undefined => {
  if (time === undefined || heardAt === undefined) return undefined;
  const shown = deviceTime(time, heardAt);
  return shown === undefined ? undefined : shown - heardAt;
};

/** Whether the device made this before the till asked at `askedAt`, by the device's own clock. */
export const isBefore = (time: number, { askedAt, aheadMs }: { askedAt: number; aheadMs: number }): boolean =>
  time < askedAt + aheadMs - TOLERANCE_MS;
