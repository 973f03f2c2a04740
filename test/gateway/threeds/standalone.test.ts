/** POST /v1/threeDSecure: an authentication without a payment, and the payment that uses it. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { idOf, type Parameters } from '../../support/gateway/gateway.ts';
import { openShop, type Shop } from '../payments/gateway-in-memory.ts';
import { answer, cardPayment, openSecuredShop, redirectOf, rightCode, secureOf, toBank } from './secured-shop.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await openSecuredShop({ report: (error) => expect(error).toBeUndefined() });
});
afterEach(() => shop.gateway.close());

const authenticate = (number: string, extra: Parameters = {}) => {
  const { paymentType: _, 'card.cvv': __, ...rest } = cardPayment(number);
  return shop.post('v1/threeDSecure', { ...rest, ...extra });
};

test('a challenge, read by its own path, and its result in a separate payment', async () => {
  const first = await authenticate('4200000000000018', { paymentType: 'PA', merchantTransactionId: 'order-0042' });
  expect(first).toMatchObject({ status: 200, code: '000.200.000', body: { paymentType: '3D' } });
  expect(redirectOf(first).url).toBe(`https://shop.test/v1/threeDSecure/execute/${idOf(first)}`);
  const page = await answer(shop, await toBank(shop, redirectOf(first).url), rightCode);
  const path = new URL(page.location ?? '').searchParams.get('resourcePath') ?? '';
  expect(path).toBe(`/v1/threeDSecure/${idOf(first)}`);
  const reply = await shop.get(path.slice(1));
  expect(reply).toMatchObject({ status: 200, code: '000.100.110', body: { paymentType: '3D' } });
  const { eci, verificationId, dsTransactionId, version, authenticationStatus } = secureOf(reply);
  const proof = { eci, verificationId, dsTransactionId, version, authenticationStatus };
  const external = Object.fromEntries(Object.entries(proof).map(([name, value]) => [`threeDSecure.${name}`, value]));
  const paidReply = await shop.post('v1/payments', cardPayment('4200000000000018', external as Parameters));
  expect(paidReply).toMatchObject({ status: 200, code: '000.100.110' });
  expect(paidReply.body['resultDetails']).toMatchObject({ CavvResultCode: '2' });
  const types = (paymentTypes: string) => shop.get('v1/query', { merchantTransactionId: 'order-0042', paymentTypes });
  expect((await types('3D')).body['payments']).toMatchObject([{ id: idOf(first) }]);
  expect((await types('DB')).code).toBe('700.400.580');
});

test('nothing was paid, so nothing can be captured, refunded or reversed', async () => {
  const first = await authenticate('4200000000000026');
  expect(first.code).toBe('000.100.110');
  for (const [paymentType, code] of [
    ['CP', '700.400.510'],
    ['RF', '700.400.520'],
    ['RV', '700.400.530'],
  ]) {
    const amount = { amount: '25.00', currency: 'EUR' };
    expect((await shop.post(`v1/payments/${idOf(first)}`, { paymentType: paymentType ?? '', ...amount })).code).toBe(
      code,
    );
  }
});

test('refused for other accounts and without 3-D Secure on the channel; a zero amount only without a payment', async () => {
  const payment = await shop.post('v1/payments', cardPayment('4200000000000026'));
  expect(await shop.get(`v1/threeDSecure/${idOf(payment)}`)).toMatchObject({ status: 404, code: '700.400.580' });
  expect(await authenticate('4200000000000026', { amount: '0.00' })).toMatchObject({ code: '100.550.300' });
  expect(await authenticate('4200000000000026', { amount: '0.00', 'threeDSecure.npa': 'true' })).toMatchObject({
    code: '000.100.110',
  });
  const plainShop = await openShop();
  const { paymentType: _, ...rest } = cardPayment('4200000000000026');
  expect(await plainShop.post('v1/threeDSecure', rest)).toMatchObject({ status: 400, code: '600.200.500' });
  await plainShop.gateway.close();
});

test('its repeat with the same key is the same authentication', async () => {
  const { paymentType: _, ...rest } = cardPayment('4200000000000018');
  const key = { 'idempotency-key': 'once' };
  const first = await shop.post('v1/threeDSecure', rest, key);
  expect((await shop.post('v1/threeDSecure', rest, key)).text).toBe(first.text);
});
