/** Looks up a name for a connection, which goes to the addresses that were found, or nowhere if one is forbidden. */
import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { ADDRESS_REFUSED } from './failed-call.ts';

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
