/**
 * What a call without an answer proves, and its cause in words that a person understands; and connections whose
 * failures prove that nothing was sent.
 */

import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';
import { Fault } from '../../base/fault.ts';
import { printable } from '../../base/mask.ts';
import { isBeforeConnection, systemErrorText } from '../../base/system-error-text.ts';

/**
 * Why no byte of the request can have been sent, or undefined if that is not proved. If several addresses were tried,
 * every one must have failed before it was connected. The failed system call decides, not the error code: firewalls,
 * cables and drivers have their own codes, and all of these also come from reading and writing.
 */
export const unsentReason = (error: unknown): string | undefined => {
  const reasons = causesOf(error).map(unsentReasonOf);
  const provenReasons = reasons.filter((each) => each !== undefined);
  return reasons.length === 0 || provenReasons.length < reasons.length ? undefined : join(provenReasons);
};

/** Why a call failed. Never empty. */
export const reasonOf = (error: unknown): string => join(causesOf(error).map(causeText)) || 'no reason was given';

const unsentReasonOf = (cause: Cause): string | undefined => {
  // The Fetch standard forbids some ports; undici reports that only by this message, without a code.
  if (cause.message === 'bad port' && cause.code === undefined)
    return 'requests to this port are not allowed (bad port)';
  if (cause.code === ADDRESS_REFUSED) return cause.message;
  if (cause.code === 'UND_ERR_CONNECT_TIMEOUT') return 'it did not answer the connection';
  return isBeforeConnection(cause) ? systemErrorText(cause) : undefined;
};

/** The code of a connection that was refused because its host name leads to a forbidden address. */
const ADDRESS_REFUSED = 'ADDRESS_REFUSED';

type Cause = Error & { code?: unknown; syscall?: unknown };

/** The errors at the end of the cause chains; if several addresses were tried, one for each. */
const causesOf = (error: unknown, depth = 0): Cause[] => {
  if (!(error instanceof Error) || depth > 5) return [];
  if (error instanceof AggregateError) return error.errors.flatMap((each) => causesOf(each, depth + 1));
  if (error.cause instanceof Error) return causesOf(error.cause, depth + 1);
  return [error];
};

/** Texts without information: the platform's generic messages, and names that every error has. */
const empty: ReadonlySet<string> = new Set(['', 'Error', 'TypeError', 'fetch failed']);

const causeText = ({ message, code, name }: Cause): string =>
  [message, typeof code === 'string' ? code : '', name].find((text) => !empty.has(text)) ?? '';

const join = (reasons: readonly string[]): string =>
  printable([...new Set(reasons)].filter((each) => each !== '').join(', '), 80);

// An undici connector whose failures prove that nothing was sent.
//
// Undici writes a request only to the socket that its connector returns. The connector returns it at `connect`, or over
// TLS at `secureConnect`, which Node emits after verifying the certificate and its name (undici 8.12.4,
// `lib/core/connect.js`; Node 24, `onConnectSecure`). So every failure of the connector, be it a certificate, an
// aborted handshake or a system call, comes before the first byte of the request. This holds for HTTP/1.1 with one
// request at a time on a connection: over HTTP/2 undici sends some requests twice, and then the failure may be that of
// the second attempt.

/** For an agent with `allowH2: false` and `pipelining: 1`. Fails with `host.unreachable`. */
export const createProvingConnector =
  (connect: buildConnector.connector): buildConnector.connector =>
  (options, done) =>
    connect(options, (...outcome) => {
      const [error] = outcome;
      if (error === null) done(...outcome);
      else done(new Fault('host.unreachable', { why: unsentReason(error) ?? reasonOf(error) }, error), null);
    });

/** The platform's lookup, with a check of every address. If one is refused, no byte is sent. */
export const createRestrictedLookup =
  (mayReach: (address: string) => boolean, find: typeof lookup = lookup): LookupFunction =>
  (name, options, done) =>
    find(name, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, []);
      const forbidden = found.find(({ address }) => !mayReach(address));
      if (forbidden !== undefined) return done(refusalError(name, forbidden.address), []);
      const [first] = found;
      return options.all === true || first === undefined ? done(null, found) : done(null, first.address, first.family);
    });

const refusalError = (name: string, address: string): Error =>
  Object.assign(new Error(`${name} is at ${address} now, where plain http is not allowed`), { code: ADDRESS_REFUSED });
