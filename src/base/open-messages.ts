/**
 * How long the till handles money with an unknown outcome, or money to be returned, on its own: after that it asks a
 * person, and continues. Texts for cashiers name these minutes.
 */

export const OVERDUE_MINUTES = 15;

const OVERDUE_AFTER_MS = OVERDUE_MINUTES * 60_000;
/** A clock that was set back by more than this must not prolong the wait. */
const SET_BACK_MS = 300_000;

/** Whether the wait is overdue; both times by the wall clock, ms. */
export const isOverdue = (since: number, now: number): boolean => {
  const [upTo, after] = overdueBounds(now);
  return since <= upTo || since > after;
};

/** What began at or before the first time, or after the second, is overdue: for a query. Wall time, ms. */
export const overdueBounds = (now: number): [upTo: number, after: number] => [
  now - OVERDUE_AFTER_MS,
  now + SET_BACK_MS,
];

/** The queue's note on a message that a newer version of this program has created or changed. */
export const FROM_NEWER = 'a newer version of this program has to send it';

// How a message's readable body marks answers of test systems.

/**
 * only: a test system answered every try, so no gateway that moves money has it. also: the result of another try is
 * unknown.
 */
export type TestAnswers = 'only' | 'also';

/** Undefined if no test system answered its last try. */
export const testAnswersIn = (body: string): TestAnswers | undefined => {
  // Most bodies have no mark, and need not be parsed.
  if (!body.includes('"otherMode"')) return undefined;
  const { otherMode } = JSON.parse(body) as { otherMode?: unknown };
  return otherMode === 'only' || otherMode === 'also' ? otherMode : undefined;
};
