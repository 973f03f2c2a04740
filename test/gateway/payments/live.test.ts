/** A live channel: its processor moves the money, nothing is simulated, and a test is refused by name. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { idOf, otherEntityId, type Parameters, payment } from '../../support/gateway/gateway.ts';
import { type UpstreamHost, upstreamHost } from '../../support/gateway/upstream-host.ts';
import { openShop, type Shop } from './gateway-in-memory.ts';

const LIVE = '000.000.000';

let processor: UpstreamHost;
let shop: Shop;
beforeEach(async () => {
  processor = await upstreamHost({ approval: LIVE });
  const upstream = { baseUrl: processor.baseUrl, entityId: otherEntityId, token: 'processor-token' };
  shop = await openShop({ channel: { mode: 'live', upstream } });
});
afterEach(async () => {
  await shop.gateway.close();
  await processor.close();
});

const fieldsOf = ({ body }: { body: Record<string, unknown> }): string[] =>
  Object.keys(body['result'] as object).sort();

test('a payment without testMode goes to the processor, and its answer is passed on unchanged', async () => {
  const reply = await shop.post('v1/payments', payment());
  expect(reply).toMatchObject({ status: 200, code: LIVE, body: { amount: '10.00' } });
  expect(reply.body).not.toHaveProperty('testMode');
  expect(fieldsOf(reply)).toEqual(['code', 'description']);
  expect(processor.posted.map(({ form }) => [form['amount'], form['testMode']])).toEqual([['10.00', undefined]]);
  expect((await shop.get(`v1/payments/${idOf(reply)}`)).text).toBe(reply.text);
});

test('its follow-ups go there too', async () => {
  const sale = await shop.post('v1/payments', payment());
  const refund = { paymentType: 'RF', amount: '4.00', currency: 'EUR' };
  expect((await shop.post(`v1/payments/${idOf(sale)}`, refund)).code).toBe(LIVE);
  expect(processor.posted.map(({ form }) => form['paymentType'])).toEqual(['DB', 'RF']);
});

test('an answer from a test system is passed on unchanged, so that the merchant sees it', async () => {
  processor.next({ does: 'answers', code: '000.100.110' });
  expect((await shop.post('v1/payments', payment())).code).toBe('000.100.110');
});

test.each([
  ['a payment', 'v1/payments', payment()],
  ['a registration', 'v1/registrations', payment({ paymentType: 'RG' })],
  ['a checkout', 'v1/checkouts', { amount: '10.00', currency: 'EUR', paymentType: 'DB' }],
])('refuses %s with a test mode before anybody is asked', async (_, path, form: Parameters) => {
  for (const testMode of ['INTERNAL', 'EXTERNAL']) {
    const reply = await shop.post(path, { ...form, testMode });
    expect(reply).toMatchObject({ status: 400, code: '600.200.500' });
    expect(reply.text).toContain('This channel is live, and testMode is for tests.');
  }
  expect(processor.counts().requests).toBe(0);
});

test('refuses a follow-up with a test mode too', async () => {
  const sale = await shop.post('v1/payments', payment());
  const refund = { paymentType: 'RF', amount: '4.00', currency: 'EUR', testMode: 'INTERNAL' };
  expect((await shop.post(`v1/payments/${idOf(sale)}`, refund)).code).toBe('600.200.500');
  expect(processor.posted).toHaveLength(1);
});

test('a card is stored without the test text, and charged at the processor', async () => {
  const { amount: _, currency: __, paymentType: ___, ...card } = payment();
  const stored = await shop.post('v1/registrations', card);
  expect(stored).toMatchObject({ status: 200, code: LIVE });
  expect(fieldsOf(stored)).toEqual(['code', 'description']);
  const charge = { amount: '3.00', currency: 'EUR', paymentType: 'DB' };
  expect((await shop.post(`v1/registrations/${idOf(stored)}/payments`, charge)).code).toBe(LIVE);
  expect(processor.posted.map(({ form }) => form['amount'])).toEqual(['3.00']);
});

test('test cards, trigger amounts and switches of the simulators have no effect', async () => {
  const reply = await shop.post('v1/payments', payment({ amount: '8000.51' }));
  expect(reply.code).toBe(LIVE);
  expect(processor.posted).toHaveLength(1);
});
