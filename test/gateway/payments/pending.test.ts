/** A payment that waits for its shopper: redirected to the simulated bank, decided on its page, and queried here. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { idOf, type Parameters, type Reply } from '../../support/gateway/gateway.ts';
import { openShop, type Shop } from './gateway-in-memory.ts';

let shop: Shop;
const faults: unknown[] = [];
beforeEach(async () => {
  shop = await openShop({ report: (error) => faults.push(error) });
});
afterEach(async () => {
  await shop.gateway.close();
  expect(faults.splice(0)).toEqual([]);
});

const OK = '000.100.110';
const pendingCode = '000.200.000';
const transfer: Parameters = {
  amount: '10.00',
  currency: 'EUR',
  paymentType: 'DB',
  paymentBrand: 'SOFORTUEBERWEISUNG',
  shopperResultUrl: 'https://shop.test/thanks',
  merchantTransactionId: 'order-0001',
};
const key = { 'idempotency-key': 'a-key' };
const startTransfer = (extra: Parameters = {}) => shop.post('v1/payments', { ...transfer, ...extra }, key);

const pageOf = (reply: Reply): string => {
  const { url, parameters } = reply.body['redirect'] as { url: string; parameters: unknown };
  expect(parameters).toEqual([]);
  return url;
};
const decide = (url: string, decision: string) =>
  shop.gateway.fetch(
    new Request(url, {
      method: 'POST',
      body: new URLSearchParams({ decision }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
  );

test('is answered as pending, with the shopper’s redirect', async () => {
  const reply = await startTransfer();
  expect(reply).toMatchObject({ status: 200, code: pendingCode });
  expect(reply.body).toMatchObject({ amount: '10.00', paymentBrand: 'SOFORTUEBERWEISUNG' });
  expect(pageOf(reply)).toMatch(/^https:\/\/shop\.test\/v1\/simulators\/bank\//);
  const page = await (await shop.gateway.fetch(new Request(pageOf(reply)))).text();
  expect(page).toContain('10.00 EUR');
});

test('while it waits, its repeat has the same bytes, and queries see it waiting', async () => {
  const first = await startTransfer();
  expect((await startTransfer()).text).toBe(first.text);
  expect((await shop.get(`v1/payments/${idOf(first)}`)).text).toBe(first.text);
  const { payments } = (await shop.get('v1/query', { merchantTransactionId: 'order-0001' })).body;
  expect(payments).toMatchObject([
    { id: idOf(first), result: { code: pendingCode }, redirect: { url: pageOf(first) } },
  ]);
  for (const paymentType of ['RV', 'RF']) {
    const early = await shop.post(`v1/payments/${idOf(first)}`, { paymentType, amount: '1.00', currency: 'EUR' });
    expect(early).toMatchObject({ status: 400, code: '700.400.570' });
  }
});

test.each([
  ['pays', OK, 200],
  ['refuses', '100.396.101', 400],
])('a shopper who %s returns to the shop, and the payment ends with %s', async (decision, code, status) => {
  const first = await startTransfer();
  const response = await decide(pageOf(first), decision);
  expect(response.status).toBe(303);
  expect(response.headers.get('location')).toMatch(/^https:\/\/shop\.test\/thanks/);
  const reply = await shop.get(`v1/payments/${idOf(first)}`);
  expect(reply).toMatchObject({ status, code });
  expect(reply.body).not.toHaveProperty('redirect');
  expect(reply.body['amount']).toBe(status === 200 ? '10.00' : undefined);
  expect((await startTransfer()).text).toBe(reply.text);
  // A second click changes nothing.
  await decide(pageOf(first), decision === 'pays' ? 'refuses' : 'pays');
  expect((await shop.get(`v1/payments/${idOf(first)}`)).text).toBe(reply.text);
  const refund = await shop.post(`v1/payments/${idOf(first)}`, { paymentType: 'RF', amount: '10.00', currency: 'EUR' });
  expect(refund.code).toBe(status === 200 ? OK : '700.400.520');
});

test('its ending is found by a query too, and by an immediate refund', async () => {
  const first = await startTransfer();
  await decide(pageOf(first), 'pays');
  const refund = await shop.post(`v1/payments/${idOf(first)}`, { paymentType: 'RF', amount: '4.00', currency: 'EUR' });
  expect(refund).toMatchObject({ status: 200, code: OK });
  const { payments } = (await shop.get('v1/query', { merchantTransactionId: 'order-0001' })).body;
  expect(payments).toMatchObject([{ id: idOf(first), result: { code: OK } }]);
});

test('stores the account when the shopper has paid, not before', async () => {
  const account = {
    'bankAccount.holder': 'Jane Jones',
    'bankAccount.iban': 'DE89370400440532013000',
    'bankAccount.bic': 'COBADEFFXXX',
  };
  const first = await startTransfer({ ...account, createRegistration: 'true' });
  expect(first.code).toBe(pendingCode);
  await decide(pageOf(first), 'pays');
  const reply = await shop.get(`v1/payments/${idOf(first)}`);
  const registration = await shop.get(`v1/registrations/${reply.body['registrationId']}`);
  expect(registration).toMatchObject({
    status: 200,
    body: { bankAccount: { holder: 'Jane Jones', last4Digits: '3000' } },
  });
});

test('is refused by name without a return address', async () => {
  const reply = await startTransfer({ shopperResultUrl: '' });
  expect(reply).toMatchObject({ status: 400, code: '200.300.404' });
  expect(reply.body['result']).toMatchObject({ parameterErrors: [{ name: 'shopperResultUrl' }] });
});
