/** Partial approval and gift cards over the host API: a till's requests, and the resulting amount. */
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../../src/base/ids.ts';
import { gatewayClient } from '../../../src/gateway/client/client.ts';
import { openGateway } from '../../../src/gateway/server/embedded.ts';
import { listen } from '../../../src/gateway/server/http/listen.ts';
import { idOf, payment } from '../../support/gateway/gateway.ts';
import { openShop, type Shop } from './gateway-in-memory.ts';

const POOR = { 'card.number': '4761739001010168', 'card.expiryMonth': '12', 'card.expiryYear': '2030' };
const PART = { 'customParameters[partialApproval]': 'true' };
const gift = (number: string) => ({ paymentBrand: 'GIFTCARD', 'giftCard.number': number });
const { 'card.number': _number, 'card.expiryMonth': _month, 'card.expiryYear': _year, ...withoutCard } = payment();

const withShop = async (work: (shop: Shop) => Promise<void>): Promise<void> => {
  const shop = await openShop();
  await work(shop).finally(() => shop.gateway.close());
};

const follow = (paymentType: string, amount?: string) => ({
  paymentType,
  ...(amount === undefined ? {} : { amount, currency: 'EUR' }),
});

describe('a card with 10.00, charged 12.50', () => {
  const request = payment({ ...POOR, amount: '12.50', merchantTransactionId: 'till-7-000042' });

  test('declines as usual if no part is accepted', () =>
    withShop(async ({ post }) => {
      const reply = await post('v1/payments', request);
      expect([reply.code, reply.body['amount']]).toEqual(['800.100.155', undefined]);
    }));

  test('approves 10.00; repeat, read and query agree', () =>
    withShop(async ({ post, get }) => {
      const send = () => post('v1/payments', { ...request, ...PART }, { 'Idempotency-Key': 'k1' });
      const reply = await send();
      expect(reply).toMatchObject({ status: 200, code: '000.100.110' });
      expect(reply.body).toMatchObject({
        amount: '10.00',
        currency: 'EUR',
        resultDetails: { RequestedAmount: '12.50', AcquirerResponse: '10' },
      });
      expect((await send()).text).toBe(reply.text);
      expect((await get(`v1/payments/${idOf(reply)}`)).body['amount']).toBe('10.00');
      const found = await get('v1/query', { merchantTransactionId: 'till-7-000042' });
      expect(found.body['payments']).toMatchObject([{ id: idOf(reply), amount: '10.00' }]);
    }));

  test.each([
    ['RF', '10.01', '700.400.200'],
    ['RF', '10.00', '000.100.110'],
    ['RV', undefined, '000.100.110'],
    ['RV', '12.50', '700.400.300'],
  ])('%s of %s after it: %s', (type, amount, code) =>
    withShop(async ({ post }) => {
      const paidReply = await post('v1/payments', { ...request, ...PART });
      const reply = await post(`v1/payments/${idOf(paidReply)}`, follow(type, amount));
      expect(reply.code).toBe(code);
      if (code === '000.100.110') expect(reply.body['amount']).toBe('10.00');
    }),
  );

  test('a partial hold is captured for its part', () =>
    withShop(async ({ post }) => {
      const heldReply = await post('v1/payments', { ...request, ...PART, paymentType: 'PA' });
      expect(heldReply.body['amount']).toBe('10.00');
      const id = idOf(heldReply);
      expect((await post(`v1/payments/${id}`, follow('CP', '10.01'))).code).toBe('700.400.100');
      expect((await post(`v1/payments/${id}`, follow('CP', '10.00'))).code).toBe('000.100.110');
    }));

  test('a registration keeps the part as its payment’s amount', () =>
    withShop(async ({ post, get }) => {
      const paidReply = await post('v1/payments', { ...request, ...PART, createRegistration: 'true' });
      expect(paidReply.body).toMatchObject({ amount: '10.00', registrationId: expect.any(String) });
      expect((await get(`v1/payments/${idOf(paidReply)}`)).body['amount']).toBe('10.00');
    }));
});

describe('a gift card at the till', () => {
  const buy = (shop: Shop, number: string, extra: Record<string, string> = {}) =>
    shop.post('v1/payments', { ...withoutCard, ...gift(number), ...extra });
  const balance = (reply: { body: Readonly<Record<string, unknown>> }) =>
    (reply.body['resultDetails'] as Record<string, string> | undefined)?.['Balance'];

  test('pays, is topped up, gets a refund, and reports its balance', () =>
    withShop(async (shop) => {
      const number = '9911223344556677';
      const paidReply = await buy(shop, number, { amount: '12.50' });
      expect([paidReply.code, balance(paidReply)]).toEqual(['000.100.110', '87.50']);
      const topUp = await buy(shop, number, { amount: '20.00', paymentType: 'CD' });
      expect([topUp.code, balance(topUp)]).toEqual(['000.100.110', '107.50']);
      expect((await shop.post(`v1/payments/${idOf(paidReply)}`, follow('RF', '2.50'))).code).toBe('000.100.110');
      expect((await shop.post(`v1/payments/${idOf(topUp)}`, follow('RV'))).code).toBe('000.100.110');
      const last = await buy(shop, number, { amount: '90.01' });
      expect([last.code, balance(last)]).toEqual(['800.100.155', '90.00']);
    }));

  test('with too little money pays what it has, and the rest is another payment', () =>
    withShop(async (shop) => {
      const paidReply = await buy(shop, '9900000000000010', { amount: '25.00', ...PART });
      expect(paidReply.body).toMatchObject({
        amount: '10.00',
        resultDetails: { RequestedAmount: '25.00', Balance: '0.00' },
      });
      expect((await buy(shop, '9900000000000010', { amount: '15.00', ...PART })).code).toBe('800.100.155');
      expect((await shop.post(`v1/payments/${idOf(paidReply)}`, follow('RV'))).body['amount']).toBe('10.00');
      expect((await buy(shop, '9900000000000010', { amount: '10.00' })).code).toBe('000.100.110');
    }));

  test('its number and PIN appear in no answer', () =>
    withShop(async (shop) => {
      const paidReply = await buy(shop, '9911223344556677', { 'giftCard.pin': '6677' });
      expect(paidReply.text).not.toContain('9911223344556677');
      // Four digits alone occur in many ids by chance: look for the whole value, or the field's name.
      expect(paidReply.text).not.toMatch(/"6677"|giftCard/);
    }));
});

test('over a socket a till’s client learns of the part', async () => {
  const channel = { entityId: systemIds.next(), token: systemIds.next() };
  const clock = systemClock;
  const parts = { dataDir: ':memory:', clock, ids: systemIds, random: systemRandom };
  const gateway = await openGateway({ ...parts, channels: [channel] });
  const server = await listen({ app: gateway, port: 0, host: '127.0.0.1' });
  const baseUrl = `http://127.0.0.1:${server.port}/`;
  const client = gatewayClient({ ...channel, fetch, baseUrl, clock, timeoutMs: 5_000 });
  const form = { ...payment({ ...POOR, amount: '30.00' }), ...PART };
  const reply = await client.post('v1/payments', form, 'key-1').finally(async () => {
    await server.close();
    await gateway.close();
  });
  expect(reply).toMatchObject({ means: 'approved', body: { amount: '10.00' } });
});
