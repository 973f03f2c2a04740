/** Where an address supplied by somebody else leads, and whether the gateway may call it. */
import type { LookupAddress } from 'node:dns';
import { BlockList, isIP, isIPv4, isIPv6, type LookupFunction } from 'node:net';

/** Returns all addresses of a host name. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

/** Why the gateway does not call this URL, as text; undefined if it does. Host names are resolved when connecting. */
export const refusalReason = (url: string, allowPrivate: boolean): string | undefined => {
  const parsed = URL.parse(url);
  if (parsed === null) return 'it is not a URL';
  const { protocol, hostname, port, username, password } = parsed;
  if (protocol !== 'http:' && protocol !== 'https:') return 'it must begin with https:// or http://';
  if (username !== '' || password !== '') return 'it must not contain a user or a password';
  if (allowPrivate) return undefined;
  // The parser omits the default port of the scheme.
  if (port !== '' && port !== '80' && port !== '443') return 'its port must be 80 or 443';
  const address = withoutBrackets(hostname);
  return isIP(address) === 0 || isPublicAddress(address) ? undefined : notPublicReason(address);
};

/** Its text goes to whoever supplied the URL, so it must not reveal the addresses of names in our own network. */
export class ForbiddenAddress extends Error {}

/**
 * The lookup of one connection, as the platform defines it: the name is resolved once, each of its addresses must be
 * public, and the connection goes to exactly those addresses. The name server is never asked a second time.
 */
export const guardedLookup =
  (resolve: Resolve, allowPrivate: boolean): LookupFunction =>
  (name, { all, family }, done) => {
    resolve(name).then(
      (addresses) => {
        const matching = addresses.filter((each) => family === 0 || family === undefined || each.family === family);
        const [first] = matching;
        if (first === undefined) return done(new UnknownName('the name has no address'), []);
        if (!allowPrivate && addresses.some(({ address }) => !isPublicAddress(address))) {
          return done(new ForbiddenAddress(notPublicReason(name)), []);
        }
        return all === true ? done(null, [...matching]) : done(null, first.address, first.family);
      },
      () => done(new UnknownName('the name is not known'), []),
    );
  };

export class UnknownName extends Error {}

/** Removes the brackets that a URL puts around IPv6. */
const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

const notPublicReason = (subject: string): string => `${subject} is not on the public internet`;

// The addresses that are not public: from the IANA special-purpose registries (RFC 6890 and its updates), and the
// formats that embed one address in another.

/** IPv4 addresses are public unless listed here. */
const reserved4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Cloud providers also serve a machine's secrets here.
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
  // Public by the registries, but internal to one large cloud.
  ['168.63.129.16', 32],
];

/**
 * IPv6 addresses are public only if listed here: mapped, translated (64:ff9b::) and local ones are all outside this
 * range.
 */
const public6 = ['2000::', 3] as const;

/** Excluded from it: protocol assignments with Teredo and ORCHID, documentation, 6to4. */
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

// One list for each family: a list with mapped addresses would match IPv4 as well.
const blocked4 = listOf(reserved4, 'ipv4');
const blocked6 = listOf(reserved6, 'ipv6');
const open6 = listOf([public6], 'ipv6');

/** Whether this address, as text without brackets, is public. False for anything that is not an address. */
export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return !blocked4.check(address, 'ipv4');
  // An address with a zone belongs to one of this machine's links.
  if (!isIPv6(address) || address.includes('%')) return false;
  return open6.check(address, 'ipv6') && !blocked6.check(address, 'ipv6');
};
