/**
 * How often wrong PINs may be tried. Each wrong one makes a debt that time pays off: a few are let through at once,
 * then one in 50 s, and only so many a day. A right PIN costs nothing and forgives nothing, so that nobody's own
 * sign-in gives somebody else's guesses back. `README.md` of this folder says why, and what that comes to.
 */

export type Pace = {
  /** Wrong tries that are let through without a wait. */
  readonly atOnce: number;
  /** Then one each so often, ms. */
  readonly everyMs: number;
  readonly aDay: number;
};

/** Less than a minute: within that a right PIN is looked at, too, on a machine that has much else to do. */
const EVERY_MS = 50_000;

/** Everybody without a known browser together, over all names. */
export const strangers: Pace = { atOnce: 5, everyMs: EVERY_MS, aDay: 100 };
/** Each browser that a manager has signed in at, over all names. */
export const knownBrowser: Pace = { atOnce: 5, everyMs: EVERY_MS, aDay: 200 };

const DAY_MS = 86_400_000;

/** What wrong tries have used up, as the time that pays it off, ms, at a moment of the machine's running time. */
export type Debt = { readonly nowMs: number; readonly dayMs: number; readonly monotonic: number };

export const noDebt: Debt = { nowMs: 0, dayMs: 0, monotonic: 0 };

/** What is left of it. A running time below that of the debt: the machine was started since, that long ago at least. */
export const debtAt = ({ nowMs, dayMs, monotonic: since }: Debt, monotonic: number): Debt => {
  const passedMs = monotonic >= since ? monotonic - since : monotonic;
  return { nowMs: Math.max(0, nowMs - passedMs), dayMs: Math.max(0, dayMs - passedMs), monotonic };
};

/** After one more wrong try. */
export const moreDebt = (debt: Debt, { everyMs, aDay }: Pace): Debt => ({
  ...debt,
  nowMs: debt.nowMs + everyMs,
  dayMs: debt.dayMs + DAY_MS / aDay,
});

/** How long until the next try may be made, ms; 0 for at once. */
export const waitOf = ({ nowMs, dayMs }: Debt, { atOnce, everyMs, aDay }: Pace): number =>
  Math.max(0, nowMs - (atOnce - 1) * everyMs, dayMs - (DAY_MS / aDay) * (aDay - 1));
