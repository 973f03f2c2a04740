/**
 * What a call that ended without an answer proves, and why it did, in words that a person understands; and connections
 * whose failures prove that nothing was sent.
 */

import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';
import { Fault } from '../../base/fault.ts';
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
const ADDRESS_REFUSED = 'ADDRESS_REFUSED';

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

// A connector of undici's whose failures prove that nothing was sent.
//
// Undici writes a request to the socket that its connector gives, and to nothing else. It gives one at `connect`, and
// over TLS at `secureConnect`, which Node emits after the certificate and the name in it were verified (undici 8.12.4,
// `lib/core/connect.js`; Node 24, `onConnectSecure`). So whatever the connector fails with, a certificate, a handshake
// that was cut or a system call, comes before the first byte of the request. This holds for HTTP/1.1 with one request
// at a time on a connection: undici writes some requests again over HTTP/2, and then the second try is what failed.

/** For an agent with `allowH2: false` and `pipelining: 1`. It fails with `host.unreachable`. */
export const provingConnector =
  (connect: buildConnector.connector): buildConnector.connector =>
  (options, done) =>
    connect(options, (...outcome) => {
      const [error] = outcome;
      if (error === null) done(...outcome);
      else done(new Fault('host.unreachable', { why: unsentBecause(error) ?? reasonOf(error) }, error), null);
    });

/** The platform's lookup, of which every address is looked at. No byte is sent where one is refused. */
export const lookupWithin =
  (mayReach: (address: string) => boolean, find: typeof lookup = lookup): LookupFunction =>
  (name, options, done) =>
    find(name, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, []);
      const refused = found.find(({ address }) => !mayReach(address));
      if (refused !== undefined) return done(refusal(name, refused.address), []);
      const [first] = found;
      return options.all === true || first === undefined ? done(null, found) : done(null, first.address, first.family);
    });

const refusal = (name: string, address: string): Error =>
  Object.assign(new Error(`${name} is at ${address} now, where plain http is not allowed`), { code: ADDRESS_REFUSED });
