/** A checkout that stores an account and charges nothing. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { idOf, type Parameters } from '../../support/gateway/gateway.ts';
import { type Counter, card, detailOf, errorsOf, OK, openCounter, payPath, pendingCode } from './counter.ts';

let counter: Counter;
beforeEach(async () => {
  counter = await openCounter();
});
afterEach(async () => {
  await counter.gateway.close();
  expect(counter.faults).toEqual([]);
});

const path = (id: string): string => `v1/checkouts/${id}/registration`;
const create = async (extra: Parameters = {}): Promise<string> =>
  idOf(await counter.shop.post('v1/checkouts', { createRegistration: 'true', ...extra }));

test('it is created, submitted and read, and the account can be charged', async () => {
  const id = await create();
  expect(await counter.shop.get(path(id))).toMatchObject({ status: 200, code: pendingCode, body: { ndc: id } });
  expect((await counter.shopper.get(`v1/checkouts/${id}/widget`)).body).toMatchObject({
    kind: 'registration',
    state: 'open',
  });
  const stored = await counter.shopper.post(path(id), card);
  expect(stored).toMatchObject({ status: 200, code: OK, body: { ndc: id, paymentBrand: 'VISA' } });
  expect(stored.text).not.toMatch(/4200000000000000|"123"/);
  const status = await counter.shop.get(path(id));
  expect(status).toMatchObject({ code: OK, body: { id: idOf(stored), ndc: id, card: { last4Digits: '0000' } } });
  const charge = { amount: '1.00', currency: 'EUR', paymentType: 'DB' };
  expect((await counter.shop.post(`v1/registrations/${idOf(stored)}/payments`, charge)).code).toBe(OK);
});

test('a double click stores once, and nothing else can be stored afterwards', async () => {
  const id = await create();
  const replies = await Promise.all(Array.from({ length: 8 }, () => counter.shopper.post(path(id), card)));
  expect(new Set(replies.map(idOf)).size).toBe(1);
  const other = await counter.shopper.post(path(id), { ...card, 'card.holder': 'Joe Jones' });
  expect(other.code).toBe('800.110.100');
  expect(detailOf(other)).toContain(idOf(replies[0] as never));
});

test('a refusal leaves it open', async () => {
  const id = await create();
  const refusal = await counter.shopper.post(path(id), { ...card, 'card.number': '4200000000000001' });
  expect(refusal).toMatchObject({ status: 400, code: '100.100.101' });
  expect(errorsOf(await counter.shopper.post(path(id)))).toHaveProperty('paymentBrand');
  expect((await counter.shopper.post(path(id), card)).code).toBe(OK);
});

test('it charges nothing, by any path or update', async () => {
  const id = await create();
  expect((await counter.shopper.post(payPath(id), card)).code).toBe('200.300.404');
  expect(errorsOf(await counter.shopper.post(path(id), { ...card, amount: '1.00' }))).toHaveProperty('amount');
  const update = await counter.shop.post(`v1/checkouts/${id}`, { amount: '1.00', currency: 'EUR', paymentType: 'DB' });
  expect(Object.keys(errorsOf(update))).toEqual(['amount', 'paymentType']);
  const types = await counter.shop.post('v1/checkouts', {
    createRegistration: 'true',
    'overridePaymentType[VISA]': 'PA',
  });
  expect(errorsOf(types)).toHaveProperty(['overridePaymentType[VISA]']);
});

test('a payment that stores its account charges and stores it', async () => {
  const id = await counter.checkout({ createRegistration: 'true' });
  const reply = await counter.shopper.post(payPath(id), card);
  expect(reply.body).toMatchObject({ registration: { id: reply.body['registrationId'] } });
  expect((await counter.shop.get(`v1/registrations/${reply.body['registrationId']}`)).status).toBe(200);
});
