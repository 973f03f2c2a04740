/** Where a gateway's address leads, and who on the way could read the token and the payments sent there. */

/**
 * `encrypted`: https. `thisMachine`, `privateNetwork`, `elsewhere`: plain http, readable by everyone on the way. Within
 * this machine that is nobody; in a private network it is everyone in that network.
 */
export type GatewayReach = 'encrypted' | 'thisMachine' | 'privateNetwork' | 'elsewhere';

/** Undefined for any scheme except http and https. */
export const reachOf = (text: string): GatewayReach | undefined => {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname } = new URL(text);
  if (protocol === 'https:') return 'encrypted';
  if (protocol !== 'http:') return undefined;
  if (isLoopback(hostname)) return 'thisMachine';
  return isPrivateNetwork(hostname) ? 'privateNetwork' : 'elsewhere';
};

/** A slash at the end, and no user, query or fragment, so that a path can be appended. */
export const isBaseAddress = (text: string): boolean => {
  if (reachOf(text) === undefined) return false;
  const { username, password, search, hash } = new URL(text);
  return `${username}${password}${search}${hash}` === '' && text.endsWith('/');
};

/** An address to which a token may be sent without permission: it is encrypted, or stays in this machine. */
export const isGatewayAddress = (text: string): boolean => {
  const reach = reachOf(text);
  return isBaseAddress(text) && (reach === 'encrypted' || reach === 'thisMachine');
};

/** 127.0.0.0/8, ::1 and `localhost`, with or without the brackets of a URL. */
export const isLoopback = (host: string): boolean => {
  const address = normaliseHost(host);
  return address === 'localhost' || address === '::1' || octetsOf(address)?.[0] === 127;
};

/**
 * RFC 1918, fc00::/7 and link-local addresses, and names that only a private network can resolve: those without a dot,
 * and the suffixes reserved for such networks (RFC 6762, RFC 8375, ICANN's `internal`, the usual `lan`). Their
 * addresses are checked again on each connection. 100.64.0.0/10 does not count: that network is the provider's.
 */
export const isPrivateNetwork = (host: string): boolean => {
  const address = normaliseHost(host);
  const octets = octetsOf(address);
  if (octets !== undefined) return isPrivateIPv4(octets);
  if (address.includes(':')) return /^(f[cd]|fe[89ab])[0-9a-f]*:/.test(address);
  return /^[^.]+$/.test(address) || /\.(local|lan|internal|home\.arpa)$/.test(address);
};

const isPrivateIPv4 = ([first = 0, second = 0]: readonly number[]): boolean =>
  first === 10 ||
  (first === 172 && second >= 16 && second <= 31) ||
  (first === 192 && second === 168) ||
  (first === 169 && second === 254);

/** Without brackets, the zone of a link-local address, and a final dot. */
const normaliseHost = (host: string): string =>
  host
    .replace(/^\[|\]$/g, '')
    .replace(/%.*$/, '')
    .replace(/\.$/, '')
    .toLowerCase();

/** The octets of an IPv4 address, also inside an IPv6 address (RFC 4291, 2.5.5.2) in either notation. */
const octetsOf = (address: string): number[] | undefined => {
  const dotted = /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})$/.exec(address)?.[1];
  if (dotted !== undefined) return dotted.split('.').map(Number);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address) ?? [];
  if (high === undefined || low === undefined) return undefined;
  return [high, low].flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 0xff]);
};
