/**
 * A connector of undici's whose failures prove that nothing was sent.
 *
 * Undici writes a request to the socket that its connector gives, and to nothing else. It gives one at `connect`, and
 * over TLS at `secureConnect`, which Node emits after the certificate and the name in it were verified (undici 8.12.4,
 * `lib/core/connect.js`; Node 24, `onConnectSecure`). So whatever the connector fails with, a certificate, a handshake
 * that was cut or a system call, comes before the first byte of the request. This holds for HTTP/1.1 with one request
 * at a time on a connection: undici writes some requests again over HTTP/2, and then the second try is what failed.
 */
import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';
import { Fault } from '../../base/fault.ts';
import { ADDRESS_REFUSED, reasonOf, unsentBecause } from './failed-call.ts';

/** For an agent with `allowH2: false` and `pipelining: 1`. It fails with `host.unreachable`. */
export const provingConnector =
  (connect: buildConnector.connector): buildConnector.connector =>
  (options, done) =>
    connect(options, (...outcome) => {
      const [error] = outcome;
      if (error === null) done(...outcome);
      else done(new Fault('host.unreachable', { why: unsentBecause(error) ?? reasonOf(error) }, error), null);
    });

// Looks up a name for a connection, which goes to the addresses that were found, or nowhere if one is forbidden.

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
