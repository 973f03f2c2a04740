/** The three outcomes of a call: answered, proved unsent, silent. Over real sockets where it matters. */
import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { type ClientOptions, gatewayClient } from '../../../src/gateway/client/client.ts';
import { listen } from '../../../src/gateway/server/http/listen.ts';
import { entityId, payment, testGateway, token } from '../../support/gateway/gateway.ts';
import { connecting, systemError } from '../../support/gateway/system-error.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of closers.splice(0)) await end();
});

const client = (of: Partial<ClientOptions>) =>
  gatewayClient({
    fetch,
    baseUrl: 'http://gateway.test/',
    entityId,
    token,
    clock: virtualClock(),
    timeoutMs: 1000,
    ...of,
  });

const answering = (status: number, body: string) => async () => new Response(body, { status });
const result = (code: string) => JSON.stringify({ id: 'x', result: { code, description: 'words' } });

test.each([
  [200, '000.100.110', 'approved'],
  [200, '000.200.000', 'pending'],
  [400, '800.100.155', 'declined'],
  [400, '200.300.404', 'refused'],
  [400, '800.120.100', 'later'],
  [429, '800.120.100', 'later'],
  [401, '800.900.300', 'refused'],
  [403, '800.900.300', 'refused'],
  [404, '200.300.406', 'refused'],
  [404, '700.400.530', 'refused'],
  [400, '900.100.300', 'unknown'],
  [400, '314.159.265', 'unknown'],
  [200, '800.100.155', 'declined'],
])('status %i with %s counts as answered and means %s', async (status, code, meaning) => {
  const outcome = await client({ fetch: answering(status, result(code)) }).post('v1/payments', {});
  expect(outcome).toMatchObject({
    kind: 'answered',
    means: meaning,
    code,
    status,
    description: 'words',
    body: { id: 'x' },
  });
});

test.each<[string, () => Promise<Response>]>([
  ['status 500', answering(500, result('800.100.155'))],
  ['status 503 with HTML', answering(503, '<html>')],
  ['a success with status 400', answering(400, result('000.100.110'))],
  ['a body cut short', answering(200, result('000.100.110').slice(0, -1))],
  ['an empty body', answering(200, '')],
  ['a list', answering(200, '[]')],
  ['no result', answering(401, '{"error":"login"}')],
  ['a result without code', answering(200, '{"result":{}}')],
  ['a code that is a number', answering(200, '{"result":{"code":0}}')],
  // After these the request may have had an effect: only 307 says that it has not.
  ['a redirect to another page', async () => Response.redirect('http://gateway.test/v1/payments/1', 303)],
  ['a page that has moved', async () => Response.redirect('http://gateway.test/', 302)],
  ['an endless body', async () => new Response(endless())],
  ['an error without a cause', () => Promise.reject(new TypeError('fetch failed'))],
  [
    'a reset connection',
    () => Promise.reject(new TypeError('fetch failed', { cause: systemError('ECONNRESET', 'read') })),
  ],
  [
    'a mixture',
    () =>
      Promise.reject(
        new TypeError('x', { cause: new AggregateError([connecting('ECONNREFUSED'), systemError('EPIPE', 'write')]) }),
      ),
  ],
])('%s is silence', async (_, answer) => {
  const outcome = await client({ fetch: answer }).post('v1/payments', {});
  expect(outcome).toMatchObject({ kind: 'silent', fault: { code: 'host.silent' } });
});

const SECURE = 'https://gateway.test/';

/** Answers the first requests with redirects to these addresses, then with an approval; records what it was sent. */
const redirectThrough = (...addresses: (string | undefined)[]) => {
  const sent: Request[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    sent.push(request);
    if (addresses.length === 0) return new Response(result('000.100.110'));
    const location = addresses.shift();
    return new Response('moved', { status: 307, headers: location === undefined ? {} : { location } });
  };
  return { sent, fetch };
};

test.each([
  [['https://gateway.test/v1/payments?node=2']],
  [['/v2/payments']],
  [['https://gateway.test:443/one', 'two', '//gateway.test/three#part']],
])('follows a temporary redirect on the same encrypted origin with the whole request: %j', async (addresses) => {
  const { sent, fetch } = redirectThrough(...addresses);
  const outcome = await client({ fetch, baseUrl: SECURE }).post('v1/payments', { amount: '1.00' }, 'key-1');
  expect(outcome).toMatchObject({ kind: 'answered', means: 'approved' });
  expect(sent).toHaveLength(addresses.length + 1);
  for (const one of sent) {
    expect(new URL(one.url).origin).toBe('https://gateway.test');
    expect([one.method, one.headers.get('idempotency-key'), one.headers.get('authorization')]).toEqual([
      'POST',
      'key-1',
      `Bearer ${token}`,
    ]);
    expect(await one.text()).toBe(`entityId=${entityId}&amount=1.00`);
  }
  const request = redirectThrough(...addresses);
  await client({ fetch: request.fetch, baseUrl: SECURE }).get('v1/query', { merchantTransactionId: 'm' });
  expect(request.sent.map(({ method }) => method)).toEqual(['GET', ...addresses.map(() => 'GET')]);
});

test.each<[string, string, (string | undefined)[], RegExp]>([
  ['to another host', SECURE, ['https://elsewhere.test/v1/payments'], /another host, elsewhere\.test/],
  ['to a name below', SECURE, ['https://a.gateway.test/'], /another host/],
  ['to another port', SECURE, ['https://gateway.test:8443/'], /another host, gateway\.test:8443/],
  ['to an unencrypted address', SECURE, ['http://gateway.test/v1/payments'], /not encrypted/],
  ['to itself, unencrypted', 'http://gateway.test/', ['http://gateway.test/other'], /not encrypted/],
  ['with a login', SECURE, ['https://me:secret@gateway.test/'], /another host/],
  ['to a file', SECURE, ['file:///etc/passwd'], /another host/],
  ['to nowhere', SECURE, [undefined], /no valid address/],
  ['to no address', SECURE, ['https://'], /no valid address/],
  ['to its own origin again', SECURE, ['/v1/payments'], /in a circle/],
  ['round and round', SECURE, ['/one', '/two', '/one'], /in a circle/],
  ['on and on', SECURE, ['/1', '/2', '/3', '/4', '/5', '/6', '/7'], /more than 5 times/],
])('does not follow a temporary redirect %s: nothing was done, and nothing was sent there', async (...row) => {
  const [, baseUrl, addresses, reason] = row;
  const origin = new URL(baseUrl).origin;
  const { sent, fetch } = redirectThrough(...addresses);
  const outcome = await client({ fetch, baseUrl }).post('v1/payments', { amount: '1.00' }, 'key-1');
  expect(outcome).toMatchObject({
    kind: 'notSent',
    fault: { code: 'host.redirected', facts: { why: expect.stringMatching(reason) } },
  });
  for (const one of sent) expect(new URL(one.url).origin).toBe(origin);
  expect(sent.length).toBeLessThanOrEqual(6);
});

test('a connection that breaks after a redirect proves nothing', async () => {
  const { fetch } = redirectThrough('/other');
  const failOnOther = async (request: Request): Promise<Response> => {
    if (!request.url.endsWith('/other')) return fetch(request);
    throw new TypeError('fetch failed', { cause: systemError('ECONNRESET', 'read') });
  };
  expect(await client({ fetch: failOnOther, baseUrl: SECURE }).post('v1/payments', {})).toMatchObject({
    kind: 'silent',
  });
});

test.each([
  ['a port that the Fetch standard forbids', 'http://127.0.0.1:6000/', /bad port/],
  ['an unknown host name', 'http://gateway.invalid/', /^the name is not known$/],
])('%s: nothing was sent', async (_, baseUrl, reason) => {
  const outcome = await client({ baseUrl, clock: systemClock, timeoutMs: 20_000 }).post('v1/payments', payment());
  expect(outcome).toMatchObject({ kind: 'notSent', fault: { facts: { why: expect.stringMatching(reason) } } });
});

const endless = () =>
  new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(0x20)) });

test('no answer in time is silence, and the request is aborted', async () => {
  const clock = virtualClock();
  let signal: AbortSignal | undefined;
  const neverAnswer = (request: Request) => {
    signal = request.signal;
    return new Promise<Response>(() => {});
  };
  const outcome = client({ clock, fetch: neverAnswer }).post('v1/payments', {});
  await clock.advance(999);
  expect(signal?.aborted).toBe(false);
  await clock.advance(1);
  expect(await outcome).toMatchObject({ kind: 'silent', fault: { message: expect.stringContaining('1000 ms') } });
  expect(signal?.aborted).toBe(true);
  expect(clock.waiting()).toBe(0);
});

test('sends address, token, form and key', async () => {
  const requests: Request[] = [];
  const fetch = async (request: Request) => {
    requests.push(request);
    return new Response(result('000.100.110'));
  };
  const calls = client({ fetch, baseUrl: 'https://host.test/base' });
  await calls.post('/v1/payments', { amount: '10.00', descriptor: 'a&b=ü' }, 'key-1');
  await calls.get('v1/query', { merchantTransactionId: 'x y' });
  await calls.post('v1/payments', {});
  const [post, get, keyless] = requests;
  expect(post).toMatchObject({ method: 'POST', url: 'https://host.test/base/v1/payments' });
  expect(post?.headers.get('authorization')).toBe(`Bearer ${token}`);
  expect(post?.headers.get('content-type')).toBe('application/x-www-form-urlencoded; charset=UTF-8');
  expect(post?.headers.get('idempotency-key')).toBe('key-1');
  expect(await post?.text()).toBe(`entityId=${entityId}&amount=10.00&descriptor=a%26b%3D%C3%BC`);
  expect(get?.url).toBe(`https://host.test/base/v1/query?entityId=${entityId}&merchantTransactionId=x+y`);
  expect(get?.headers.get('idempotency-key')).toBeNull();
  expect(keyless?.headers.get('idempotency-key')).toBeNull();
});

test('works over a port', async () => {
  const gateway = await testGateway();
  const server = await listen({ app: gateway.app, port: 0, host: '127.0.0.1' });
  const calls = client({ baseUrl: `http://127.0.0.1:${server.port}/`, clock: systemClock, timeoutMs: 5000 });
  expect(await calls.post('v1/payments', payment())).toMatchObject({ kind: 'answered', means: 'approved' });
  const large = await calls.post('v1/payments', payment({ merchantMemo: 'x'.repeat(1024 * 1024) }));
  expect(large).toMatchObject({ kind: 'answered', code: '200.100.103' });
  await server.close();
  await gateway.store.close();
});

test('a refused connection proves that nothing was sent', async () => {
  const { app, store } = await testGateway();
  const server = await listen({ app, port: 0, host: '127.0.0.1' });
  await server.close();
  const calls = client({ baseUrl: `http://127.0.0.1:${server.port}/`, clock: systemClock, timeoutMs: 5000 });
  expect(await calls.post('v1/payments', payment())).toMatchObject({
    kind: 'notSent',
    fault: { facts: { why: 'nothing listens there' } },
  });
  await store.close();
});

const serverThat = async (listener: Parameters<typeof createServer>[1]): Promise<number> => {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

test.each<[string, Parameters<typeof createServer>[1]]>([
  ['closes the connection at once', (socket) => void socket.on('error', () => {}).destroy()],
  [
    'closes the connection after the request',
    (socket) => void socket.on('error', () => {}).on('data', () => socket.destroy()),
  ],
  [
    'closes the connection during its answer',
    (socket) => void socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"re')),
  ],
  ['does not speak HTTP', (socket) => void socket.on('data', () => socket.end('hello\r\n'))],
])('a server that %s counts as silent', async (_, listener) => {
  const port = await serverThat(listener);
  const calls = client({ baseUrl: `http://127.0.0.1:${port}/`, clock: systemClock, timeoutMs: 5000 });
  expect(await calls.post('v1/payments', payment())).toMatchObject({ kind: 'silent' });
});
