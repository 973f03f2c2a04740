/** What a message's readable body says of test systems that answered it. */

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
