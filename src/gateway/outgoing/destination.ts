/** Where an address that somebody else gave leads, and whether the gateway may go there. */
import type { LookupAddress } from 'node:dns';
import { BlockList, isIP, isIPv4, isIPv6, type LookupFunction } from 'node:net';

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

// Which addresses of the network are somebody's own and not the public's: from the IANA special-purpose registries
// (RFC 6890 and its updates), with what carries one address inside of another.

/** IPv4 is public unless it stands here. */
const reserved4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Where clouds tell a machine its secrets, too.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // A public address by the registries, and the inside of one large cloud.
  ['168.63.129.16', 32],
];

/** IPv6 is not public unless it stands here: mapped, translated (64:ff9b::) and local ones are all outside of it. */
const public6 = ['2000::', 3] as const;

/** And not these: protocol assignments with Teredo and ORCHID, documentation, 6to4. */
const reserved6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const listOf = (networks: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, family);
  return list;
};

// One list each: a list that holds mapped addresses would answer for IPv4 as well.
const blocked4 = listOf(reserved4, 'ipv4');
const blocked6 = listOf(reserved6, 'ipv6');
const open6 = listOf([public6], 'ipv6');

/** Whether this address, as text without brackets, is one of the public network. What is no address is none. */
export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return !blocked4.check(address, 'ipv4');
  // With a zone it is one of this machine's links.
  if (!isIPv6(address) || address.includes('%')) return false;
  return open6.check(address, 'ipv6') && !blocked6.check(address, 'ipv6');
};
