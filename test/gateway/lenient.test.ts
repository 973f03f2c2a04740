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

let strict: TestGateway;
let lenient: TestGateway;
beforeAll(async () => {
  [strict, lenient] = [await testGateway(), await testGateway({ channel: { lenient: true } })];
});
afterAll(async () => {
  for (const { app, store } of [strict, lenient]) {
    await app.close();
    await store.close();
  }
});

type Told = Readonly<Record<string, string>>;
type Entry = { name: string; message: string };

const told = (list: unknown): Told =>
  Object.fromEntries(((list ?? []) as Entry[]).map(({ name, message }) => [name, message]));
const warned = ({ body }: Reply): Told => told(body['parameterWarnings']);
const refused = ({ body }: Reply): Told => told((body['result'] as Record<string, unknown>)['parameterErrors']);

const paid = new URLSearchParams({ entityId, ...payment({ paymentBrand: 'VISA' }) }).toString();

/** The form of a payment with these pairs appended unchanged. */
const send = (gateway: TestGateway, more: string, path = 'v1/payments'): Promise<Reply> =>
  gateway.raw(path, {
    method: 'POST',
    body: `${paid}&${more}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' },
  });

const once = 'must be sent only once';
const names = 'may not be empty when any other customer parameter is sent';

/** The additions to a payment, and the message about them: a warning on one channel is a refusal on the other. */
const forgiven: readonly (readonly [more: string, told: Told])[] = [
  ['amount=10.00', { amount: once }],
  ['amount=10.00&amount=10.00&currency=EUR', { amount: once, currency: once }],
  ['paymentBrand=&paymentBrand=VISA', { paymentBrand: once }],
  [`entityId=${entityId}`, { entityId: once }],
  ['merchantTransactionId=test123', { merchantTransactionId: 'must be 8 to 255 characters' }],
  ['customer.ip=127.0.0.1', { 'customer.givenName': names, 'customer.surname': names }],
  ['customer.email=jane%40example.com&customer.surname=Jones', { 'customer.givenName': names }],
];

test.each(forgiven)('%s', async (more, says) => {
  const taken = await send(lenient, more);
  expect([taken.status, warned(taken)]).toEqual([200, says]);
  const turned = await send(strict, more);
  expect([turned.status, turned.code, refused(turned)]).toEqual([400, '200.300.404', says]);
});

test.each<readonly [more: string, told: Told]>([
  ['amount=11.00', { amount: once }],
  ['amount=10.00&amount=11.00', { amount: once }],
  ['amount=11.00&amount=10.00', { amount: once }],
  [`merchantTransactionId=${'x'.repeat(256)}`, { merchantTransactionId: 'must be 8 to 255 characters' }],
  ['card.cvv=12', { 'card.cvv': 'must be 3 to 4 digits' }],
])('no channel takes %s', async (more, says) => {
  for (const gateway of [lenient, strict]) {
    const turned = await send(gateway, more);
    expect([turned.status, turned.code, refused(turned)]).toEqual([400, '200.300.404', says]);
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
  expect(warned(reply)).toMatchObject({ merchantTransactionId: 'must be 8 to 255 characters' });
});
