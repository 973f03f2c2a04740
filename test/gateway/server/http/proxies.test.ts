/** A gateway without TLS behind a proxy that terminates it: other machines only get the hint to use the proxy. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpListener, listen } from '../../../../src/gateway/server/http/listen.ts';
import { allowProxiesOnly, networkOf } from '../../../../src/gateway/server/http/proxies.ts';
import { entityId, payment, type TestGateway, testGateway, token } from '../../../support/gateway/gateway.ts';
import { rawRequest, sendRaw } from '../../../support/servers/raw-http.ts';

test.each([
  ['10.0.0.5', true],
  ['10.0.0.6', false],
  ['::ffff:10.0.0.5', true],
  ['10.1.255.255', true],
  ['10.2.0.0', false],
  ['fd00::1', true],
  ['fe80::1%eth0', false],
  ['127.0.0.1', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['', false],
])('%s may connect: %s', (address, may) =>
  expect(allowProxiesOnly(['10.0.0.5', '10.1.0.0/16', 'fd00::/8'])(address)).toBe(may),
);

test('without a list every machine may connect', () => expect(allowProxiesOnly(undefined)('8.8.8.8')).toBe(true));

test.each(['10.0.0.0/33', '10.0.0.0/0', '::/0', '10.0.0.0/08', 'proxy', '10.0.0.1/8/8', 'fe80::1%eth0', ''])(
  '%s is no network',
  (text) => expect(networkOf(text)).toBeUndefined(),
);

let gateway: TestGateway;
let server: HttpListener;
let isTrusted = true;
beforeAll(async () => {
  gateway = await testGateway();
  server = await listen({ app: gateway.app, port: 0, host: '127.0.0.1', mayConnect: () => isTrusted });
});
afterAll(async () => {
  await server.close();
  await gateway.app.close();
  await gateway.store.close();
});

const pay = rawRequest({
  line: 'POST /v1/payments',
  headers: [`Authorization: Bearer ${token}`, 'Content-Type: application/x-www-form-urlencoded'],
  body: new URLSearchParams({ entityId, ...payment() }).toString(),
});

test('a machine that is not a proxy gets 403 with an explanation, and its payment is ignored', async () => {
  isTrusted = false;
  const { answers } = await sendRaw(server.port, pay, { answers: 1 });
  expect(answers.map(({ status }) => status)).toEqual([403]);
  expect(answers[0]?.body).toContain('Use the https address of this gateway’s proxy. Nothing was done.');
  expect(gateway.acquirer.authorised).toEqual([]);
  isTrusted = true;
  expect((await sendRaw(server.port, pay, { answers: 1 })).answers.map(({ status }) => status)).toEqual([200]);
});
