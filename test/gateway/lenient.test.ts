/** Errors that a lenient channel accepts with a warning and a strict one refuses, apart from unknown names. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  entityId,
  idOf,
  payment,
  type Reply,
  type TestGateway,
  testGateway,
  token,
} from '../support/gateway/gateway.ts';

let strictGateway: TestGateway;
let lenient: TestGateway;
beforeAll(async () => {
  [strictGateway, lenient] = [await testGateway(), await testGateway({ channel: { lenient: true } })];
});
afterAll(async () => {
  for (const { app, store } of [strictGateway, lenient]) {
    await app.close();
    await store.close();
  }
});

type MessagesByName = Readonly<Record<string, string>>;
type Entry = { name: string; message: string };

const messagesByName = (list: unknown): MessagesByName =>
  Object.fromEntries(((list ?? []) as Entry[]).map(({ name, message }) => [name, message]));
const warningsOf = ({ body }: Reply): MessagesByName => messagesByName(body['parameterWarnings']);
const errorsOf = ({ body }: Reply): MessagesByName =>
  messagesByName((body['result'] as Record<string, unknown>)['parameterErrors']);

const paymentForm = new URLSearchParams({ entityId, ...payment({ paymentBrand: 'VISA' }) }).toString();

/** The form of a payment with these pairs appended unchanged. */
const send = (gateway: TestGateway, more: string, path = 'v1/payments'): Promise<Reply> =>
  gateway.raw(path, {
    method: 'POST',
    body: `${paymentForm}&${more}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' },
  });

const onceMessage = 'must be sent only once';
const names = 'may not be empty when any other customer parameter is sent';

/** The additions to a payment, and the message about them: a warning on one channel is a refusal on the other. */
const warnedRequests: readonly (readonly [addition: string, expected: MessagesByName])[] = [
  ['amount=10.00', { amount: onceMessage }],
  ['amount=10.00&amount=10.00&currency=EUR', { amount: onceMessage, currency: onceMessage }],
  ['paymentBrand=&paymentBrand=VISA', { paymentBrand: onceMessage }],
  [`entityId=${entityId}`, { entityId: onceMessage }],
  ['merchantTransactionId=test123', { merchantTransactionId: 'must be 8 to 255 characters' }],
  ['customer.ip=127.0.0.1', { 'customer.givenName': names, 'customer.surname': names }],
  ['customer.email=jane%40example.com&customer.surname=Jones', { 'customer.givenName': names }],
];

test.each(warnedRequests)('%s', async (more, expected) => {
  const reply = await send(lenient, more);
  expect([reply.status, warningsOf(reply)]).toEqual([200, expected]);
  const refusal = await send(strictGateway, more);
  expect([refusal.status, refusal.code, errorsOf(refusal)]).toEqual([400, '200.300.404', expected]);
});

test.each<readonly [addition: string, expected: MessagesByName]>([
  ['amount=11.00', { amount: onceMessage }],
  ['amount=10.00&amount=11.00', { amount: onceMessage }],
  ['amount=11.00&amount=10.00', { amount: onceMessage }],
  [`merchantTransactionId=${'x'.repeat(256)}`, { merchantTransactionId: 'must be 8 to 255 characters' }],
  ['card.cvv=12', { 'card.cvv': 'must be 3 to 4 digits' }],
])('no channel takes %s', async (more, expected) => {
  for (const gateway of [lenient, strictGateway]) {
    const refusal = await send(gateway, more);
    expect([refusal.status, refusal.code, errorsOf(refusal)]).toEqual([400, '200.300.404', expected]);
  }
});

test('a short reference is stored, and can be queried', async () => {
  const sale = await send(lenient, 'merchantTransactionId=test124');
  const found = await lenient.get('v1/query', { merchantTransactionId: 'test124' });
  expect(found.body['payments']).toMatchObject([{ id: idOf(sale), merchantTransactionId: 'test124' }]);
});

test('a parameter sent twice in an address is a warning too', async () => {
  const headers = { authorization: `Bearer ${token}` };
  const address = `v1/payments/${idOf(await send(lenient, ''))}?entityId=${entityId}&entityId=${entityId}`;
  expect((await lenient.raw(address, { method: 'GET', headers })).status).toBe(200);
});

test('a checkout accepts them at its creation and from the shopper', async () => {
  const reply = await send(lenient, 'merchantTransactionId=test125', 'v1/checkouts');
  expect(warningsOf(reply)).toMatchObject({ merchantTransactionId: 'must be 8 to 255 characters' });
});
