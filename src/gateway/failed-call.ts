/** What a call that ended without an answer proves, and why it did, in words that a person understands. */
import { printable } from '../base/mask.ts';
import { wordsOfCode } from '../base/system-words.ts';

/** What can come before a connection stands, in the platform's codes. */
const neverConnected = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/;

/** The same codes come from reading and writing too, when a standing connection breaks: those prove nothing. */
const beforeSending: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo']);

/**
 * Why no byte of the request can have left, or undefined when that is not proved. Of several addresses that were tried,
 * every one must have failed before its connection stood.
 */
export const unsentBecause = (error: unknown): string | undefined => {
  const words = causesOf(error).map(unsentCause);
  const proved = words.filter((each) => each !== undefined);
  return words.length === 0 || proved.length < words.length ? undefined : joined(proved);
};

/** Why a call failed. Never empty. */
export const reasonOf = (error: unknown): string => joined(causesOf(error).map(wordsOf)) || 'no reason was given';

const unsentCause = (cause: Cause): string | undefined => {
  // The Fetch standard forbids some ports; undici says so by these words alone, without a code.
  if (cause.message === 'bad port' && cause.code === undefined)
    return 'requests to this port are not allowed (bad port)';
  if (cause.code === 'UND_ERR_CONNECT_TIMEOUT') return 'it did not answer the connection';
  const isUnsent = beforeSending.has(cause.syscall) && neverConnected.test(String(cause.code));
  return isUnsent ? wordsOfCode(cause.code) : undefined;
};

type Cause = Error & { code?: unknown; syscall?: unknown };

/** The errors at the bottom of the causes; of several addresses tried, the one of each. */
const causesOf = (error: unknown, depth = 0): Cause[] => {
  if (!(error instanceof Error) || depth > 5) return [];
  if (error instanceof AggregateError) return error.errors.flatMap((each) => causesOf(each, depth + 1));
  if (error.cause instanceof Error) return causesOf(error.cause, depth + 1);
  return [error];
};

/** What says nothing: the platform's empty phrases, and names that every error has. */
const empty: ReadonlySet<string> = new Set(['', 'Error', 'TypeError', 'fetch failed']);

const wordsOf = ({ message, code, name }: Cause): string =>
  [message, typeof code === 'string' ? code : '', name].find((words) => !empty.has(words)) ?? '';

const joined = (words: readonly string[]): string =>
  printable([...new Set(words)].filter((each) => each !== '').join(', '), 80);
