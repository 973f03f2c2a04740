/** The address that shoppers are sent to: the configured one, a trusted proxy's, or this machine's own. */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpListener, listen } from '../../../../src/gateway/server/http/listen.ts';
import { type PublicAddressSettings, publicAddress } from '../../../../src/gateway/server/http/public-address.ts';
import { entityId, payment, token } from '../../../support/gateway/gateway.ts';
import { selfSigned } from '../../../support/servers/certificate.ts';
import { openShop, type Shop } from '../../payments/gateway-in-memory.ts';

type Headers = Readonly<Record<string, string>>;

const PROXY = '10.0.0.5';
const { cert } = selfSigned({ name: 'pay.example' });

/** For a request that came to 192.0.2.7:8443 over TLS, or to 127.0.0.1:8443 without, from the proxy by default. */
const addressOf = (
  headers: Headers,
  { from = PROXY, secure = false, local: localAddressText = '', port = 8443 } = {},
): string => {
  const publicAddressOf = publicAddress({
    proxies: [PROXY],
    host: 'till-7',
    ...(secure && { certificate: () => cert }),
  });
  const localAddress = localAddressText === '' ? (secure ? '192.0.2.7' : '127.0.0.1') : localAddressText;
  return publicAddressOf({
    headers,
    socket: { remoteAddress: from, localAddress, localPort: port, ...(secure && { encrypted: true }) },
  });
};

const OWN_ORIGIN = 'http://127.0.0.1:8443';

test.each<[string, Headers, string]>([
  ['the usual two', { 'x-forwarded-host': 'pay.example', 'x-forwarded-proto': 'https' }, 'https://pay.example'],
  ['the host alone', { 'x-forwarded-host': 'Pay.example:8443' }, 'https://pay.example:8443'],
  [
    'http, if the proxy says so',
    { 'x-forwarded-host': 'pay.example', 'x-forwarded-proto': 'http' },
    'http://pay.example',
  ],
  [
    'a path too',
    { 'x-forwarded-host': 'pay.example', 'x-forwarded-prefix': '/shop/pay/' },
    'https://pay.example/shop/pay',
  ],
  ['the standard header', { forwarded: 'for=192.0.2.43;proto=https;host=pay.example' }, 'https://pay.example'],
  [
    'the same in quotes',
    { forwarded: 'For="[2001:db8::1]:4711"; Host="pay.example:444"; Proto=https' },
    'https://pay.example:444',
  ],
  ['an address', { forwarded: 'host="[2001:db8::7]:444"' }, 'https://[2001:db8::7]:444'],
  [
    'a client’s value before the proxy’s',
    { 'x-forwarded-host': 'stranger.example, pay.example' },
    'https://pay.example',
  ],
  [
    'a client’s element before the proxy’s',
    { forwarded: 'host=stranger.example, for=8.8.8.8;host=pay.example' },
    'https://pay.example',
  ],
  [
    'a trusted proxy before it',
    { forwarded: `for=8.8.8.8;host=pay.example, for=${PROXY};host=inner` },
    'https://pay.example',
  ],
  [
    'both languages alike',
    { forwarded: 'host=pay.example;proto=https', 'x-forwarded-host': 'pay.example', 'x-forwarded-proto': 'https' },
    'https://pay.example',
  ],
  [
    'a client’s value in the other header family',
    { forwarded: 'host=stranger.example', 'x-forwarded-host': 'pay.example' },
    OWN_ORIGIN,
  ],
  [
    'a client’s value beside only a proto',
    { forwarded: 'host=stranger.example;proto=https', 'x-forwarded-proto': 'https' },
    OWN_ORIGIN,
  ],
  [
    'a contradicting proto in the other header family',
    { forwarded: 'host=pay.example;proto=http', 'x-forwarded-host': 'pay.example', 'x-forwarded-proto': 'https' },
    OWN_ORIGIN,
  ],
  ['no host', { 'x-forwarded-proto': 'https', host: 'stranger.example' }, OWN_ORIGIN],
  ['an invalid host', { 'x-forwarded-host': 'pay.example/@stranger' }, OWN_ORIGIN],
  ['a line break', { 'x-forwarded-host': 'pay.example\r\nset-cookie: a' }, OWN_ORIGIN],
  ['an invalid scheme', { 'x-forwarded-host': 'pay.example', 'x-forwarded-proto': 'javascript' }, OWN_ORIGIN],
  [
    'a path that leads elsewhere',
    { 'x-forwarded-host': 'pay.example', 'x-forwarded-prefix': '//stranger.example' },
    OWN_ORIGIN,
  ],
  ['a path upwards', { 'x-forwarded-host': 'pay.example', 'x-forwarded-prefix': '/../x' }, OWN_ORIGIN],
])('a named proxy says %s', (_, headers, address) => expect(addressOf(headers)).toBe(address));

test.each<[string, Headers]>([
  ['X-Forwarded-Host', { 'x-forwarded-host': 'stranger.example', 'x-forwarded-proto': 'https' }],
  ['Forwarded', { forwarded: 'host=stranger.example;proto=https' }],
])('%s from an untrusted machine is ignored', (_, headers) => {
  for (const from of ['10.0.0.6', '127.0.0.1', '']) expect(addressOf(headers, { from })).toBe(OWN_ORIGIN);
});

test.each<[string, Headers, Parameters<typeof addressOf>[1], string]>([
  ['its address', { host: '127.0.0.1:8443' }, {}, OWN_ORIGIN],
  ['localhost, on this machine', { host: 'localhost:8443' }, {}, 'http://localhost:8443'],
  ['localhost, from another', { host: 'localhost:8443' }, { local: '192.0.2.7' }, 'http://192.0.2.7:8443'],
  ['the name that it listens on', { host: 'TILL-7:8443' }, { local: '192.0.2.7' }, 'http://till-7:8443'],
  ['a stranger', { host: 'stranger.example:8443' }, {}, OWN_ORIGIN],
  ['its address with another port', { host: '127.0.0.1:9999' }, {}, OWN_ORIGIN],
  ['its address without a port', { host: '127.0.0.1' }, {}, OWN_ORIGIN],
  ['the default port, which is omitted', { host: 'till-7' }, { port: 80 }, 'http://till-7'],
  ['a name in its certificate', { host: 'pay.example:8443' }, { secure: true }, 'https://pay.example:8443'],
  ['a name that its certificate lacks', { host: 'till.example:8443' }, { secure: true }, 'https://192.0.2.7:8443'],
  ['an address of version 6', { host: '[2001:db8::7]:8443' }, { local: '2001:db8::7' }, 'http://[2001:db8::7]:8443'],
  ['a mapped address', {}, { local: '::ffff:192.0.2.7' }, 'http://192.0.2.7:8443'],
])('a client’s Host names %s', (_, headers, place, address) => {
  expect(addressOf(headers, { from: '192.0.2.99', ...place })).toBe(address);
});

test('the configured address takes precedence', () => {
  const publicAddressOf = publicAddress({ publicUrl: 'https://set.example/pay', proxies: [PROXY], host: '127.0.0.1' });
  const headers = { 'x-forwarded-host': 'pay.example', host: 'stranger.example' };
  expect(publicAddressOf({ headers, socket: { remoteAddress: PROXY } })).toBe('https://set.example/pay');
});

let shop: Shop;
const servers: HttpListener[] = [];
beforeAll(async () => {
  shop = await openShop({ channel: { threeDSecure: { enabled: true } } });
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await shop.gateway.close();
});

const openServer = async (reached?: PublicAddressSettings): Promise<HttpListener> => {
  const server = await listen({ app: shop.gateway, port: 0, host: '127.0.0.1', ...(reached && { reached }) });
  servers.push(server);
  return server;
};

const challenged = payment({ 'card.number': '4200000000000042', shopperResultUrl: 'https://merchant.test/' });

/** The redirect of a payment that was sent to this path. */
const redirectOf = async ({ port }: HttpListener, headers: Headers = {}, path = '/v1/payments'): Promise<string> => {
  const text = await new Promise<string>((resolve, reject) => {
    const bearer = { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' };
    const options = { port, host: '127.0.0.1', method: 'POST', path, headers: { ...bearer, ...headers } };
    const outgoingRequest = request(options, (answer) => resolve(answer.setEncoding('utf8').toArray().then(String)));
    outgoingRequest.once('error', reject);
    outgoingRequest.end(new URLSearchParams({ entityId, ...challenged }).toString());
  });
  const { redirect } = JSON.parse(text) as { redirect?: { url: string } };
  return redirect?.url.replace(/[0-9a-f]{32}$/, 'ID') ?? text;
};

const EXECUTE = '/v1/threeDSecure/execute/ID';

test('a client’s Host, or a target with a host, never becomes the shoppers’ address', async () => {
  const server = await openServer();
  const ownUrl = `http://127.0.0.1:${server.port}${EXECUTE}`;
  expect(await redirectOf(server, { host: 'stranger.example' })).toBe(ownUrl);
  expect(await redirectOf(server, {}, 'http://stranger.example/v1/payments')).toBe(ownUrl);
  expect(await redirectOf(server, { 'x-forwarded-host': 'stranger.example' })).toBe(ownUrl);
});

test('behind a trusted proxy shoppers are sent to its address, whether it keeps its path on requests or not', async () => {
  const server = await openServer({ proxies: ['127.0.0.1'] });
  const forwarded = { forwarded: 'proto=https;host=pay.example', 'x-forwarded-prefix': '/shop' };
  expect(await redirectOf(server, forwarded)).toBe(`https://pay.example/shop${EXECUTE}`);
  expect(await redirectOf(server, forwarded, '/shop/v1/payments')).toBe(`https://pay.example/shop${EXECUTE}`);
});

test('shoppers are sent to the configured address, from any path of it', async () => {
  const server = await openServer({ publicUrl: 'https://pay.example/shop' });
  for (const path of ['/v1/payments', '/shop/v1/payments']) {
    expect(await redirectOf(server, { host: 'stranger.example' }, path)).toBe(`https://pay.example/shop${EXECUTE}`);
  }
});
