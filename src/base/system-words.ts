/** Why the operating system would not connect, listen or go on, in words; its own codes mean nothing to a cashier. */

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the name is not known',
  EAI_AGAIN: 'the name is not known',
  EHOSTUNREACH: 'no route to it',
  ENETUNREACH: 'no route to it',
  ETIMEDOUT: 'it did not answer the connection',
  ECONNRESET: 'the other end cut it',
  EPIPE: 'the other end is gone',
  EADDRINUSE: 'another program has it',
  EADDRNOTAVAIL: 'this machine has no such address',
  EACCES: 'this user may not use it',
};

/** The platform's own code of an error, `EEXIST`; empty where it has none. */
export const systemCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** The words for a code of the platform; undefined for one that has none. */
export const wordsOfCode = (code: unknown): string | undefined =>
  typeof code === 'string' && Object.hasOwn(words, code) ? words[code] : undefined;

/** Why it failed; of several addresses that were tried, each cause once. What has no words of ours keeps its own. */
export const systemWords = (error: unknown): string => {
  if (error instanceof AggregateError) return [...new Set(error.errors.map(systemWords))].join(', ');
  if (!(error instanceof Error)) return String(error);
  return wordsOfCode('code' in error ? error.code : undefined) ?? error.message;
};
