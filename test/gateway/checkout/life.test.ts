import { afterEach, beforeEach, expect, test } from 'vitest';
import { idOf } from '../../support/gateway/gateway.ts';
import {
  type Counter,
  card,
  detailOf,
  errorsOf,
  MINUTE,
  OK,
  openCounter,
  order,
  payPath,
  pendingCode,
} from './counter.ts';

let counter: Counter;
beforeEach(async () => {
  counter = await openCounter();
});
afterEach(async () => {
  await counter.gateway.close();
  expect(counter.faults).toEqual([]);
});

test('a checkout is created, paid by the shopper, and its status can be read any number of times', async () => {
  const created = await counter.shop.post('v1/checkouts', order);
  expect(created).toMatchObject({ status: 200, code: '000.200.100' });
  const id = idOf(created);
  expect(created.body['ndc']).toBe(id);
  expect(id).toMatch(/^[a-zA-Z0-9.-]{32,48}$/);
  expect(`/${payPath(id)}`).toMatch(/^\/v[0-9]+\/checkouts\/[a-zA-Z0-9.-]+\/payment$/);

  const before = await counter.shop.get(payPath(id));
  expect(before).toMatchObject({ status: 200, code: pendingCode, body: { ndc: id } });
  expect(before.body).not.toHaveProperty('id');

  const reply = await counter.shopper.post(payPath(id), card);
  expect(reply).toMatchObject({ status: 200, code: OK, body: { ndc: id, checkoutId: id, amount: '12.50' } });
  const status = await counter.shop.get(payPath(id));
  expect(status.text).toBe(reply.text);
  expect((await counter.shop.get(payPath(id))).text).toBe(reply.text);
  const single = await counter.shop.get(`v1/payments/${idOf(reply)}`);
  expect(single.text).toBe(reply.text);
});

test('ids never repeat, and have 128 random bits', async () => {
  const ids = await Promise.all(Array.from({ length: 200 }, () => counter.checkout()));
  expect(new Set(ids).size).toBe(200);
  const firsts = new Map<string, number>();
  for (const id of ids) firsts.set(id.slice(0, 2), (firsts.get(id.slice(0, 2)) ?? 0) + 1);
  // Random ids hit most of the 256 first bytes; ids that begin with the time hit one.
  expect(firsts.size).toBeGreaterThan(80);
});

test.each([
  ['nothing', {}, ['amount', 'currency', 'paymentType']],
  ['no amount', { currency: 'EUR', paymentType: 'DB' }, ['amount']],
  [
    'only createRegistration and an amount',
    { createRegistration: 'true', amount: '1.00' },
    ['currency', 'paymentType'],
  ],
  ['a card', { ...order, 'card.number': '4200000000000000' }, ['card.number']],
  ['a security code', { ...order, 'card.cvv': '123' }, ['card.cvv']],
  ['another type', { ...order, paymentType: 'RF' }, ['paymentType']],
  ['a type for an unknown brand', { ...order, 'overridePaymentType[NOSUCH]': 'PA' }, ['overridePaymentType[NOSUCH]']],
  ['no starting type for a brand', { ...order, 'overridePaymentType[VISA]': 'RF' }, ['overridePaymentType[VISA]']],
  ['an account that is not stored', { ...order, 'registrations[0].id': 'a'.repeat(32) }, ['registrations[0].id']],
  ['a parameter that the shopper sends later', { ...order, registrationId: 'a'.repeat(32) }, ['registrationId']],
])('refuses the creation with %s by name', async (_, form, names) => {
  const reply = await counter.shop.post('v1/checkouts', form as Record<string, string>);
  expect(reply).toMatchObject({ status: 400, code: '200.300.404' });
  expect(Object.keys(errorsOf(reply))).toEqual(names);
});

test('creation accepts every parameter of a payment, and the payment returns them', async () => {
  const extra = {
    merchantTransactionId: 'order-000001',
    'customer.givenName': 'Jane',
    'customer.surname': 'Jones',
    'cart.items[0].name': 'Hose',
    'customParameters[basket]': '7',
    'sender.accountNumber': 'AT611904300234573201',
    descriptor: 'Corner Shop',
  };
  const id = await counter.checkout(extra);
  const reply = await counter.shopper.post(payPath(id), card);
  expect(reply.body).toMatchObject({
    merchantTransactionId: 'order-000001',
    descriptor: 'Corner Shop',
    customer: { givenName: 'Jane', surname: 'Jones' },
    cart: { items: [{ name: 'Hose' }] },
    customParameters: { basket: '7' },
  });
  expect(reply.text).not.toContain('AT611904300234573201');
});

test('a checkout lasts thirty minutes, and names its result afterwards', async () => {
  const [unpaidId, paidId, lateId] = [await counter.checkout(), await counter.checkout(), await counter.checkout()];
  const payment = await counter.shopper.post(payPath(paidId), card);
  await counter.clock.advance(30 * MINUTE - 1);
  expect((await counter.shop.get(payPath(unpaidId))).code).toBe(pendingCode);
  expect((await counter.shop.get(payPath(paidId))).code).toBe(OK);
  expect((await counter.shopper.post(payPath(lateId), card)).code).toBe(OK);
  await counter.clock.advance(1);
  for (const reply of [
    await counter.shop.get(payPath(unpaidId)),
    await counter.shopper.post(payPath(unpaidId), card),
  ]) {
    expect(reply).toMatchObject({ status: 400, code: '200.300.404' });
    expect(reply.text).toContain('No payment session found for the requested id');
    expect(detailOf(reply)).toMatch(/30 minutes.*nothing was submitted/);
  }
  const endedReply = await counter.shop.get(payPath(paidId));
  expect(endedReply).toMatchObject({ status: 400, code: '200.300.404' });
  expect(detailOf(endedReply)).toContain(`GET /v1/payments/${idOf(payment)}`);
  expect((await counter.shop.get(`v1/payments/${idOf(payment)}`)).code).toBe(OK);
});

test('unknown checkouts and another channel’s get the same answer', async () => {
  const id = await counter.checkout();
  const [unknown, foreignReply] = [
    await counter.stranger.get(payPath(`${'A'.repeat(32)}.x`)),
    await counter.stranger.get(payPath(id)),
  ];
  for (const reply of [unknown, foreignReply]) {
    expect(reply).toMatchObject({ status: 404, code: '200.300.404' });
    expect(reply.body['result']).toMatchObject({
      description: expect.stringContaining('are you mixing test/live servers or have you paid more than 30min ago?'),
    });
  }
  expect(detailOf(foreignReply)).toBe(detailOf(unknown));
  const update = await counter.stranger.post(`v1/checkouts/${id}`, { amount: '1.00' });
  expect(update).toMatchObject({ status: 404, code: '200.300.404' });
  expect(await counter.shopper.get(`v1/checkouts/${'B'.repeat(40)}/widget`)).toMatchObject({ status: 404 });
});

test('a status query of the other kind names the right path', async () => {
  const id = await counter.checkout();
  const reply = await counter.shop.get(`v1/checkouts/${id}/registration`);
  expect(reply.code).toBe('200.300.404');
  expect(detailOf(reply)).toContain(`/v1/checkouts/${id}/payment`);
});

test('a creation repeated with the same key is one checkout', async () => {
  const key = { 'idempotency-key': 'order-7' };
  const [first, repeat] = [
    await counter.shop.post('v1/checkouts', order, key),
    await counter.shop.post('v1/checkouts', order, key),
  ];
  expect(repeat.text).toBe(first.text);
});

test('an id, and so the ndc of every answer, has only letters, digits and hyphens', async () => {
  const id = await counter.checkout();
  expect(id).toMatch(/^[0-9A-F]{32}-[A-Za-z0-9-]{1,15}$/);
  for (const { body } of [await counter.shop.get(payPath(id)), await counter.shopper.post(payPath(id), card)])
    expect(body['ndc']).toBe(id);
});

test('a payment type for a brand is accepted only at creation', async () => {
  const id = await counter.checkout({ 'overridePaymentType[VISA]': 'PA' });
  const only = { 'overridePaymentType[VISA]': 'is accepted only when a checkout is created' };
  for (const value of ['PA', 'DB'])
    expect(errorsOf(await counter.shop.post(`v1/checkouts/${id}`, { 'overridePaymentType[VISA]': value }))).toEqual(
      only,
    );
  expect(errorsOf(await counter.shopper.post(payPath(id), { ...card, 'overridePaymentType[MASTER]': 'CD' }))).toEqual({
    'overridePaymentType[MASTER]': 'is accepted only when a checkout is created',
  });
  expect((await counter.shop.post(`v1/checkouts/${id}`, { amount: '20.00' })).status).toBe(200);
  const reply = await counter.shopper.post(payPath(id), card);
  expect(reply.body).toMatchObject({ paymentType: 'PA', amount: '20.00' });
});

test('an update keeps its age, and is refused once it is paid', async () => {
  const id = await counter.checkout({ 'cart.items[0].name': 'Hose', 'cart.items[1].name': 'Can' });
  const updated = await counter.shop.post(`v1/checkouts/${id}`, { amount: '20.00', 'cart.items[0].name': 'Rake' });
  expect(updated).toMatchObject({ status: 200, code: '000.200.101', body: { id, ndc: id } });
  expect(errorsOf(await counter.shop.post(`v1/checkouts/${id}`, { currency: 'JPY', amount: '0.50' }))).toHaveProperty(
    'amount',
  );
  const reply = await counter.shopper.post(payPath(id), card);
  expect(reply.body).toMatchObject({ amount: '20.00', cart: { items: [{ name: 'Rake' }] } });
  const lateReply = await counter.shop.post(`v1/checkouts/${id}`, { amount: '1.00' });
  expect(lateReply).toMatchObject({ status: 400, code: '200.300.404' });
  expect(errorsOf(lateReply)['amount']).toContain('done');
});
