/** The gateway on a port, addressed in bytes: invalid requests, slow ones, and shutdown. */
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Fault } from '../../../src/base/fault.ts';
import { type HttpListener, listen } from '../../../src/gateway/server/http/listen.ts';
import { entityId, payment, type TestGateway, testGateway, token } from '../../support/gateway/gateway.ts';
import { rawRequest, sendRaw } from '../../support/servers/raw-http.ts';

const RECEIVE_MS = 300;

let gateway: TestGateway;
let server: HttpListener;
beforeEach(async () => {
  gateway = await testGateway();
  server = await listen({ app: gateway.app, port: 0, host: '127.0.0.1', limits: { receiveMs: RECEIVE_MS } });
});
afterEach(async () => {
  await server.close();
  await gateway.app.close();
  await gateway.store.close();
});

const authorization = `Authorization: Bearer ${token}`;
const form = 'Content-Type: application/x-www-form-urlencoded';
const body = new URLSearchParams({ entityId, ...payment() }).toString();
const pay = rawRequest({ line: 'POST /v1/payments', headers: [authorization, form], body });
const get = (path: string) => rawRequest({ line: `GET ${path}`, headers: [authorization] });

const codeOf = (text: string) => (JSON.parse(text) as { result: { code: string } }).result.code;

test.each<[string, string | Uint8Array, number, string]>([
  ['no HTTP at all', 'hello\r\n\r\n', 400, '200.100.103'],
  ['TLS', Uint8Array.of(0x16, 3, 1, 0, 1, 0), 400, '200.100.103'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, '200.100.103'],
  ['no Host', 'GET /v1/payments/x HTTP/1.1\r\n\r\n', 400, '200.100.103'],
  ['an invalid Host', 'GET /v1/payments/x HTTP/1.1\r\nHost: a b\r\n\r\n', 400, '200.100.103'],
  ['an invalid address', get('http://[::1/v1/payments'), 400, '200.100.103'],
  ['a NUL in the address', get('/v1/pay\0ments'), 400, '200.100.103'],
  ['an asterisk', rawRequest({ line: 'OPTIONS *' }), 400, '200.100.103'],
  ['an unknown method', rawRequest({ line: 'BREW /v1/payments' }), 400, '200.100.103'],
  ['CONNECT', rawRequest({ line: 'CONNECT gateway.test:443' }), 405, '200.300.403'],
  ['TRACE', rawRequest({ line: 'TRACE /v1/payments' }), 405, '200.300.403'],
  ['an address that is too long', get(`/v1/payments/${'a'.repeat(20_000)}`), 431, '200.100.103'],
  ['too many headers', rawRequest({ line: 'GET /', headers: Array(3000).fill('a: b') }), 431, '200.100.103'],
  [
    'two lengths',
    rawRequest({ line: 'POST /v1/payments', headers: ['Transfer-Encoding: chunked'], body: 'a=b' }),
    400,
    '200.100.103',
  ],
  ['a truncated head', 'GET /v1/payments/x HTTP/1.1\r\nHost', 408, '200.100.103'],
  ['nothing', '', 408, '200.100.103'],
  ['a body cut off', pay.slice(0, -1), 408, '200.100.103'],
])('answers %s in JSON, and does nothing', async (_, bytes, status, code) => {
  const { answers } = await sendRaw(server.port, bytes, { answers: 1 });
  expect(answers.map((answer) => answer.status)).toEqual([status]);
  const [answer] = answers;
  expect(answer?.headers).toMatch(/^content-type: application\/json;charset=UTF-8$/im);
  expect(codeOf(answer?.body ?? '')).toBe(code);
  expect(JSON.parse(answer?.body ?? '')).toMatchObject({ ndc: expect.any(String), timestamp: expect.any(String) });
  expect(gateway.acquirer.authorised).toEqual([]);
  expect(gateway.reported).toEqual([]);
});

test('ignores an unknown expectation', async () => {
  const odd = rawRequest({ line: 'POST /v1/payments', headers: [authorization, form, 'Expect: a cake'], body });
  const { answers } = await sendRaw(server.port, odd, { answers: 1 });
  expect(answers.map(({ status }) => status)).toEqual([200]);
});

test('pipelined requests are answered in order, including a refused body', async () => {
  const stranger = rawRequest({ line: 'POST /v1/payments', headers: [form], body });
  const { answers } = await sendRaw(server.port, pay + stranger + get('/v1/x') + pay, { answers: 4 });
  expect(answers.map(({ status }) => status)).toEqual([200, 401, 404, 200]);
});

test('a client that leaves in the middle of its body causes no payment and no internal error', async () => {
  await sendRaw(server.port, pay.slice(0, -1), { halfClose: true });
  expect((await sendRaw(server.port, pay, { answers: 1 })).answers).toHaveLength(1);
  expect(gateway.acquirer.authorised).toHaveLength(1);
  expect(gateway.reported).toEqual([]);
});

test('bytes after a payment cannot replace its answer', async () => {
  let release = () => {};
  gateway.acquirer.next({
    after: new Promise((resolve) => {
      release = resolve;
    }),
  });
  const exchange = sendRaw(server.port, `${pay}garbage\r\n\r\n`);
  await gateway.clock.settle();
  while (gateway.acquirer.authorised.length === 0) await gateway.clock.settle();
  release();
  const { answers } = await exchange;
  expect(answers.map((answer) => [answer.status, codeOf(answer.body)])).toEqual([[200, '000.100.110']]);
});

test('closing waits for requests in progress, and for nothing else', async () => {
  const idle = connect(server.port, '127.0.0.1');
  const halfSocket = connect(server.port, '127.0.0.1', () => halfSocket.write(pay.slice(0, -1)));
  const exited = [idle, halfSocket].map(
    (socket) => new Promise((resolve) => socket.on('error', () => {}).on('close', resolve)),
  );
  let release = () => {};
  gateway.acquirer.next({
    after: new Promise((resolve) => {
      release = resolve;
    }),
  });
  const exchange = sendRaw(server.port, pay);
  while (gateway.acquirer.authorised.length === 0) await gateway.clock.settle();
  const closed = server.close();
  release();
  expect((await exchange).answers.map(({ status }) => status)).toEqual([200]);
  await Promise.all([closed, ...exited]);
});

test('closing does not wait for a body that is not read', async () => {
  const endless = connect(server.port, '127.0.0.1');
  const closed = new Promise((resolve) => endless.on('error', () => {}).on('close', resolve));
  const headers = [authorization, form, `Content-Length: ${100_000_000}`];
  const firstAnswer = new Promise((resolve) => endless.once('data', resolve));
  endless.write(rawRequest({ line: 'POST /v1/payments', headers }) + 'a'.repeat(200_000));
  await firstAnswer;
  await server.close();
  await closed;
});

test.each<[string, () => { port: number; host: string }, RegExp]>([
  ['that is taken', () => ({ port: server.port, host: '127.0.0.1' }), /^127\.0\.0\.1:\d+: another program has it$/],
  ['of another machine', () => ({ port: 0, host: '192.0.2.1' }), /^192\.0\.2\.1:0: this machine has no such address$/],
  [
    'with an unknown host name',
    () => ({ port: 0, host: 'gateway.invalid' }),
    /^gateway\.invalid:0: the name is not known$/,
  ],
])('refuses a port %s with advice', async (_, portOptions, pattern) => {
  const refusal = await listen({ app: gateway.app, ...portOptions() }).catch((fault: Fault) => fault);
  expect(refusal).toMatchObject({
    code: 'gateway.port',
    remedy: 'refuse',
    next: expect.stringContaining('another port'),
  });
  expect((refusal as Fault).message.replace('The gateway cannot listen on ', '')).toMatch(pattern);
});
