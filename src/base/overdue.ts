/**
 * How long the till may go on by itself about money that nobody knows the end of, or that is to be given back: after
 * that a person is called, and it still goes on. Words for cashiers name these minutes.
 */

export const OVERDUE_MINUTES = 15;

const OVERDUE_AFTER_MS = OVERDUE_MINUTES * 60_000;
/** A clock that was set back by more than this is no reason to wait longer. */
const SET_BACK_MS = 300_000;

/** Both by the wall clock, ms. */
export const isOverdue = (since: number, now: number): boolean => {
  const [upTo, after] = overdueBounds(now);
  return since <= upTo || since > after;
};

/** Overdue is what began at the first moment or before it, or later than the second: for a query. Wall time, ms. */
export const overdueBounds = (now: number): [upTo: number, after: number] => [
  now - OVERDUE_AFTER_MS,
  now + SET_BACK_MS,
];
