/** Which machines may connect to a gateway without TLS: this machine, and the proxies that terminate TLS. */
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { isLoopback } from '../../../base/gateway-address.ts';

type Network = { address: string; bits: number; family: 'ipv4' | 'ipv6' };

/** An address, or a range such as `10.0.0.0/8`; undefined for anything else. */
export const networkOf = (text: string): Network | undefined => {
  const [address = '', length, ...rest] = text.split('/');
  const family = isIPv4(address) ? 'ipv4' : isIPv6(address) && !address.includes('%') ? 'ipv6' : undefined;
  if (family === undefined || rest.length > 0) return undefined;
  const maxBits = family === 'ipv4' ? 32 : 128;
  if (length === undefined) return { address, bits: maxBits, family };
  // A range of no bits would cover every machine.
  if (!/^[1-9]\d{0,2}$/.test(length) || Number(length) > maxBits) return undefined;
  return { address, bits: Number(length), family };
};

/** Whether a machine may connect. Without a list every machine may; this machine always may. */
export type MayConnect = (remoteAddress: string) => boolean;

export const allowProxiesOnly = (networks: readonly string[] | undefined): MayConnect => {
  if (networks === undefined) return () => true;
  const isProxy = createProxyTest(networks);
  return (remoteAddress) => isLoopback(stripIpv4Mapping(remoteAddress)) || isProxy(remoteAddress);
};

/** Whether a machine is on the list. This machine counts only if it is listed too. */
export const createProxyTest = (networks: readonly string[]): ((remoteAddress: string) => boolean) => {
  const blockList = new BlockList();
  for (const text of networks) {
    const network = networkOf(text);
    if (network !== undefined) blockList.addSubnet(network.address, network.bits, network.family);
  }
  return (remoteAddress) => {
    const address = stripIpv4Mapping(remoteAddress);
    return blockList.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  };
};

/**
 * A socket that listens on both families reports an IPv4 machine as ::ffff:10.0.0.5, and a link-local one as
 * fe80::1%eth0.
 */
export const stripIpv4Mapping = (remoteAddress: string): string =>
  remoteAddress.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
