/** What a call that ended without an answer proves, and why it did, in words that a person understands. */
import { printable } from '../../base/mask.ts';
import { isBeforeConnection, systemWords } from '../../base/system-words.ts';

/**
 * Why no byte of the request can have left, or undefined when that is not proved. Of several addresses that were tried,
 * every one must have failed before its connection stood. The call that failed decides, not its code: a firewall, a
 * cable and a driver each have codes of their own, and all of them come from reading and writing too.
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
  if (cause.code === ADDRESS_REFUSED) return cause.message;
  if (cause.code === 'UND_ERR_CONNECT_TIMEOUT') return 'it did not answer the connection';
  return isBeforeConnection(cause) ? systemWords(cause) : undefined;
};

/** Of a connection that was not made, because its name led where it must not lead. */
export const ADDRESS_REFUSED = 'ADDRESS_REFUSED';

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
