/** Throttling cannot be bypassed: everything that a token's holder sends counts. */
import { expect, test } from 'vitest';
import { entityId, payment, testGateway, token } from '../support/gateway/gateway.ts';

const form = { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' };
const validBody = new URLSearchParams({ entityId, ...payment() }).toString();

test.each<[string, string, Record<string, string>?]>([
  ['no entityId', validBody.replace(/entityId=\w+&/, '')],
  ['an empty entityId', validBody.replace(/entityId=\w+/, 'entityId=')],
  ['an entityId in capitals', validBody.replace(/entityId=\w+/, (text) => `entityId=${text.slice(9).toUpperCase()}`)],
  ['an unknown entityId', validBody.replace(/entityId=\w+/, `entityId=${'f'.repeat(32)}`)],
  ['an entityId sent twice', `${validBody}&authentication.entityId=${entityId}`],
  ['a body that is not a form', '%'],
  ['a body of another type', '{}', { 'content-type': 'application/json' }],
  ['an invalid key', validBody, { 'idempotency-key': 'a b' }],
])('a request with %s counts too', async (_, body, headers = {}) => {
  const gateway = await testGateway({ channel: { throttle: { perSecond: 0.001, burst: 2 } } });
  const send = () => gateway.raw('v1/payments', { method: 'POST', body, headers: { ...form, ...headers } });
  const replies = [await send(), await send(), await send()];
  expect(replies.map(({ status }) => status === 429)).toEqual([false, false, true]);
  expect((await gateway.post('v1/payments', payment())).code).toBe('800.120.100');
  await gateway.app.close();
  await gateway.store.close();
});
