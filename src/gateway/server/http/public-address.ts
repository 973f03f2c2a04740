/**
 * The gateway's external address, for sending shoppers to its pages: the one that the operator set, otherwise the one
 * that a trusted proxy reports, otherwise this machine's own. A client's Host header only selects among this gateway's
 * own names.
 */
import { X509Certificate } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback } from '../../../base/gateway-address.ts';
import { createProxyTest, stripIpv4Mapping } from './proxies.ts';

export type PublicAddressSettings = {
  /** `https://pay.example/path`, without a slash at its end. If set, nothing else counts. */
  publicUrl?: string;
  /** Addresses and ranges of the proxies whose `Forwarded` and `X-Forwarded-*` are trusted. */
  proxies?: readonly string[];
};

export type PublicAddressParts = PublicAddressSettings & {
  /** The address or name that the server listens on. */
  host: string;
  /** The server's current certificate, PEM: names in it are the gateway's own. Undefined without TLS. */
  certificate?: () => string | undefined;
};

/** One request as it arrived over the network. */
export type ReceivedRequest = {
  headers: IncomingHttpHeaders;
  socket: { remoteAddress?: string; localAddress?: string; localPort?: number };
};

/** `https://host:port/path` without a slash at its end, for one request. */
export type PublicAddress = (arrived: ReceivedRequest) => string;

export const publicAddress = ({ publicUrl, proxies = [], host, certificate }: PublicAddressParts): PublicAddress => {
  if (publicUrl !== undefined) return () => publicUrl;
  const isProxy = proxies.length === 0 ? () => false : createProxyTest(proxies);
  const isOwn = createOwnNameTest(host, certificate);
  return ({ headers, socket }) => {
    const text = isProxy(socket.remoteAddress ?? '') ? forwardedAddressOf(headers, isProxy) : undefined;
    return text ?? ownAddress({ headers, socket }, isOwn);
  };
};

/** Whether an address can be set: a web address without a user, a query or a fragment. */
export const isPublicUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, host, pathname, href } = new URL(text);
  const path = pathname.replace(/\/+$/, '');
  return /^https?:$/.test(protocol) && (path === '' || PREFIX.test(path)) && href === `${protocol}//${host}${pathname}`;
};

/** The path in front of the gateway's own, `/path` or empty: a proxy may keep or remove it. */
export const prefixOf = (address: string): string => {
  const i = address.indexOf('/', address.indexOf('://') + 3);
  return i < 0 ? '' : address.slice(i);
};

export const stripPrefix = (target: string, prefix: string): string =>
  prefix !== '' && target.startsWith(`${prefix}/`) ? target.slice(prefix.length) : target;

const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]{0,252})|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;
const PREFIX = /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/;

type ForwardedAddress = { host: string; proto: string; prefix: string };

/** Undefined if it cannot be an address. */
const addressOf = ({ host, proto, prefix }: ForwardedAddress): string | undefined => {
  const scheme = proto.toLowerCase();
  const path = prefix.replace(/\/+$/, '');
  if (!HOST.test(host) || !/^https?$/.test(scheme) || !(path === '' || PREFIX.test(path))) return undefined;
  return `${scheme}://${host.toLowerCase()}${path}`;
};

/**
 * The address that the proxy reports. A proxy that sets only one of the two header families may forward a client's
 * value in the other, so if both are present they must agree.
 */
const forwardedAddressOf = (
  headers: IncomingHttpHeaders,
  isProxy: (address: string) => boolean,
): string | undefined => {
  const standardAddress = parseForwarded(singleValue(headers['forwarded']), isProxy);
  const customAddress = { host: lastOf(headers['x-forwarded-host']), proto: lastOf(headers['x-forwarded-proto']) };
  const host = standardAddress?.['host'] ?? customAddress.host;
  const proto = standardAddress?.['proto'] ?? customAddress.proto;
  const usesCustomHeaders = customAddress.host !== undefined || customAddress.proto !== undefined;
  if (
    standardAddress?.['host'] !== undefined &&
    usesCustomHeaders &&
    (customAddress.host !== host || customAddress.proto !== proto)
  )
    return undefined;
  return host === undefined
    ? undefined
    : addressOf({ host, proto: proto ?? 'https', prefix: lastOf(headers['x-forwarded-prefix']) ?? '' });
};

const singleValue = (header: string | string[] | undefined): string =>
  (Array.isArray(header) ? header.join(',') : header) ?? '';

/** The last value is the nearest proxy's; the earlier ones may be a client's. */
const lastOf = (header: string | string[] | undefined): string | undefined =>
  singleValue(header).split(',').at(-1)?.trim() || undefined;

/**
 * RFC 7239: one element for each proxy, the nearest last. An element is written by its proxy and names the machine that
 * connected there (`for`): if that was a trusted proxy too, the element before is trusted.
 */
const parseForwarded = (
  header: string,
  isProxy: (address: string) => boolean,
): Readonly<Record<string, string>> | undefined => {
  const elements = (header.match(/(?:[^",]|"(?:\\.|[^"\\])*")+/g) ?? []).map(pairsIn);
  let i = elements.length - 1;
  while (i > 0 && isProxy(nodeOf(elements[i]?.['for'] ?? ''))) i -= 1;
  return elements[i];
};

const pairsIn = (element: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...element.matchAll(/([\w-]+)=(?:"((?:\\.|[^"\\])*)"|([^;\s"]*))/g)].map(([, name = '', quoted, bare = '']) => [
      name.toLowerCase(),
      quoted?.replace(/\\(.)/g, '$1') ?? bare,
    ]),
  );

/** The address in `192.0.2.43:47011` or `[2001:db8::1]:4711`. */
const nodeOf = (node: string): string => /^\[(.*)\](?::\w+)?$/.exec(node)?.[1] ?? node.replace(/:\w+$/, '');

type OwnName = (name: string, localAddress: string) => boolean;

const createOwnNameTest = (host: string, certificate: PublicAddressParts['certificate']): OwnName => {
  let known: { pem: string; names: X509Certificate } | undefined;
  const isCertified = (name: string): boolean => {
    const pem = certificate?.();
    if (pem === undefined) return false;
    if (known?.pem !== pem) known = { pem, names: new X509Certificate(pem) };
    return known.names.checkHost(name) !== undefined;
  };
  return (name, localAddress) =>
    name === localAddress ||
    name === host.toLowerCase() ||
    (name === 'localhost' && isLoopback(localAddress)) ||
    isCertified(name);
};

/**
 * This machine by the name that the client used, if it is one of its own; otherwise by the address of the connection.
 */
const ownAddress = ({ headers, socket }: ReceivedRequest, isOwn: OwnName): string => {
  const secure = 'encrypted' in socket && socket.encrypted === true;
  const address = stripIpv4Mapping(socket.localAddress ?? '');
  const port = socket.localPort ?? 0;
  const isDefault = port === (secure ? 443 : 80);
  const [, bracketed, bare = '', input] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(headers.host ?? '') ?? [];
  const name = (bracketed ?? bare).toLowerCase();
  const isHere = input === undefined ? isDefault : Number(input) === port;
  const text = isHere && isOwn(name, address) ? name : address;
  const host = text.includes(':') ? `[${text}]` : text;
  return `${secure ? 'https' : 'http'}://${host}${isDefault ? '' : `:${port}`}`;
};
