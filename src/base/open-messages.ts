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

/** What the queue notes of a message that a newer version of this program has made, or has written about since. */
export const FROM_NEWER = 'a newer version of this program has to send it';

// What a message's readable body says of test systems that answered it.

/**
 * only: a test system answered every try that was made of it, so nobody who moves money ever heard of it. also: another
 * try was made, of which that is not known.
 */
export type TestAnswers = 'only' | 'also';

/** Undefined where no test system answered its last try. */
export const testAnswersIn = (body: string): TestAnswers | undefined => {
  // Most have none, and need not be read.
  if (!body.includes('"otherMode"')) return undefined;
  const { otherMode } = JSON.parse(body) as { otherMode?: unknown };
  return otherMode === 'only' || otherMode === 'also' ? otherMode : undefined;
};
