/**
 * The numbers that a terminal gives its payments: each follows the last one, and starts again after its highest. A gap
 * between two sales of this till shows that someone else was paid there: by hand, or by another register.
 */

/**
 * A device, by the name in its sales, at the counter with this pos.terminalId: another counter may have its namesake.
 */
export type DevicePlace = { readonly device: string; readonly terminalId: string };

/** What one sale at a device says about the device's numbers. */
export type DeviceSale = {
  readonly sale: string;
  /** The till's own number of the sale. */
  readonly receipt: number;
  readonly at: number;
  /** The number that the device reported as its last before this sale. */
  readonly before?: string;
  /** The number that the device gave it. */
  readonly number?: string;
  /** It reversed an earlier payment by its number. */
  readonly reverses?: true;
  /** The number of its own reversal, if it was reversed automatically. */
  readonly reversal?: string;
  /** How far the device's clock was ahead of the till's, ms. */
  readonly aheadMs?: number;
};

/** The number after this one, with as many digits; undefined if it is not a number. */
export const numberAfter = (number: string): string | undefined => {
  if (!/^\d{1,12}$/.test(number)) return undefined;
  const next = `${Number(number) + 1}`;
  return (next.length > number.length ? '1' : next).padStart(number.length, '0');
};

export type Jump = { readonly from: string; readonly to: string; readonly at: number; readonly receipt: number };

/** Places where the device's last payment was none of these sales, oldest first. An unknown number is not a jump. */
export const jumpsIn = (sales: readonly DeviceSale[]): Jump[] => {
  let last: string | undefined;
  return sales.flatMap(({ before, number, reversal, reverses, at, receipt }) => {
    const wasNot = last !== undefined && before !== undefined && before !== last;
    const isNot = reverses !== true && before !== undefined && number !== undefined && numberAfter(before) !== number;
    const jump = wasNot
      ? { from: last ?? '', to: before ?? '' }
      : isNot
        ? { from: before ?? '', to: number }
        : undefined;
    last = reversal ?? number;
    return jump === undefined ? [] : [{ ...jump, at, receipt }];
  });
};

/**
 * Whether a device that reports this number as its last has made a later payment for this till: it then reports an
 * earlier payment, and what it says about a lost one proves nothing.
 */
export const hasLaterPayment = (number: string | undefined, sales: readonly DeviceSale[]): boolean => {
  const i = sales.findLastIndex((one) => one.number !== undefined);
  const last = sales[i];
  if (number === undefined || last === undefined || number === last.number || number === last.reversal) return false;
  const earlier = sales.slice(0, i);
  return number === last.before || earlier.some((one) => number === one.number || number === one.reversal);
};

/** Whether the device gave this number to none of these other sales. */
export const isUsedOnce = (number: string, sales: readonly DeviceSale[]): boolean =>
  sales.filter((one) => one.reverses !== true && one.number === number).length <= 1;

// The clock of a terminal that prints its own time: compares it with the till's.

/** A device prints whole seconds, and reports a payment a moment after it was made. */
const TOLERANCE_MS = 2_000;

const SHAPE = /^(?:(\d{4})-)?(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)$/;

/**
 * The device's time as if it were UTC, ms; without a year the nearest one is taken. Undefined if it is not a time. Only
 * differences between two of them mean anything: the device's time zone is unknown.
 */
export const deviceTime = (text: string, nearMs: number): number | undefined => {
  const [, year, ...rest] = SHAPE.exec(text) ?? [];
  if (rest.length === 0) return undefined;
  const [month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = rest.map(Number);
  const at = (years: number): number => Date.UTC(years, month - 1, day, hours, minutes, seconds);
  if (year !== undefined) return at(Number(year));
  const nearYear = new Date(nearMs).getUTCFullYear();
  const distance = (years: number): number => Math.abs(at(years) - nearMs);
  return at(
    [nearYear - 1, nearYear, nearYear + 1].reduce((best, one) => (distance(one) < distance(best) ? one : best)),
  );
};

/** How far the device's clock is ahead of the till's: known from a payment that was reported as it was made. */
export const aheadOf = ({ time, heardAt }: { time?: string; heardAt?: number }): number | undefined => {
  if (time === undefined || heardAt === undefined) return undefined;
  const shownMs = deviceTime(time, heardAt);
  return shownMs === undefined ? undefined : shownMs - heardAt;
};

/** Whether the device made this payment before the till's request at `askedAt`, by the device's own clock. */
export const isBefore = (time: number, { askedAt, aheadMs }: { askedAt: number; aheadMs: number }): boolean =>
  time < askedAt + aheadMs - TOLERANCE_MS;
