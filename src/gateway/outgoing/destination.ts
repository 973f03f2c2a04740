/** Where an address that somebody else gave leads, and whether the gateway may go there. */
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import { isPublicAddress } from './addresses.ts';

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

/** Why the gateway calls no such URL, in words; undefined when it does. What names stand for is seen on connecting. */
export const whyRefused = (url: string, allowPrivate: boolean): string | undefined => {
  const parsed = URL.parse(url);
  if (parsed === null) return 'it is no URL';
  const { protocol, hostname, port, username, password } = parsed;
  if (protocol !== 'http:' && protocol !== 'https:') return 'it must begin with https:// or http://';
  if (username !== '' || password !== '') return 'it must hold no user and no password';
  if (allowPrivate) return undefined;
  // The parser leaves out the port that belongs to the scheme.
  if (port !== '' && port !== '80' && port !== '443') return 'its port must be 80 or 443';
  const address = bare(hostname);
  return isIP(address) === 0 || isPublicAddress(address) ? undefined : notPublic(address);
};

/** Its words go to whoever gave the URL: what a name of our own network stands for is not theirs to know. */
export class ForbiddenAddress extends Error {}

/**
 * The lookup of one connection, after the platform's manner: the name is asked for once, every address that it has must
 * be public, and the connection goes to those very addresses. A second answer of the name server is never asked for.
 */
export const guardedLookup =
  (resolve: Resolve, allowPrivate: boolean): LookupFunction =>
  (name, { all, family }, done) => {
    resolve(name).then(
      (found) => {
        const fitting = found.filter((each) => family === 0 || family === undefined || each.family === family);
        const [first] = fitting;
        if (first === undefined) return done(new UnknownName('the name has no address'), []);
        if (!allowPrivate && found.some(({ address }) => !isPublicAddress(address))) {
          return done(new ForbiddenAddress(notPublic(name)), []);
        }
        return all === true ? done(null, [...fitting]) : done(null, first.address, first.family);
      },
      () => done(new UnknownName('the name is not known'), []),
    );
  };

export class UnknownName extends Error {}

/** Without the brackets that a URL puts around IPv6. */
const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

const notPublic = (what: string): string => `${what} is not of the public network`;
