/** Bugs found by fuzzing: each of these requests once ended in an internal error. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Channel } from '../../src/gateway/channel.ts';
import { idOf, payment, type TestGateway, testGateway } from '../support/gateway/gateway.ts';

let gateway: TestGateway;
const open = async (channel: Partial<Channel> = {}) => {
  gateway = await testGateway({ channel });
};
beforeEach(() => open());
afterEach(async () => {
  expect(gateway.reported).toEqual([]);
  await gateway.app.close();
  await gateway.store.close();
});

test.each([
  [{ paymentBrand: 'PREPAYMENT' }],
  [{ paymentBrand: 'SOFORTUEBERWEISUNG', shopperResultUrl: 'https://shop.example.com/back' }],
  [{ paymentBrand: 'PREPAYMENT', 'bankAccount.bankName': 'Sparkasse' }],
])('an account that is named later cannot be stored now: %j', async (brand) => {
  const storeRequest = { amount: '10.00', currency: 'EUR', paymentType: 'PA', ...brand };
  const reply = await gateway.post('v1/payments', { ...storeRequest, createRegistration: 'true' });
  expect(reply).toMatchObject({ status: 400, code: '200.300.404' });
  expect(reply.text).toContain('"createRegistration"');
  expect(await gateway.post('v1/registrations', brand)).toMatchObject({ status: 400, code: '200.300.404' });
  expect(await gateway.post('v1/payments', storeRequest)).toMatchObject({ status: 200 });
});

test('an authorisation grows to ten digits and no further, whatever is in progress', async () => {
  const amountMax = '9999999999.99';
  const sale = await gateway.post('v1/payments', payment({ paymentType: 'PA', amount: '9999999999.98' }));
  const increaseBy = (amount: string) =>
    gateway.post(`v1/payments/${idOf(sale)}`, { paymentType: 'PA', amount, currency: 'EUR' });
  expect(await increaseBy(amountMax)).toMatchObject({ status: 400, code: '700.400.100' });
  const replies = await Promise.all([increaseBy('0.01'), increaseBy('0.01'), increaseBy('0.01')]);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  const reversal = await gateway.post(`v1/payments/${idOf(sale)}`, { paymentType: 'RV' });
  expect(reversal).toMatchObject({ status: 200, body: { amount: amountMax } });
});

test('a rebill is limited in a currency without a minor unit too', async () => {
  await gateway.app.close();
  await gateway.store.close();
  await open({ rebillUpTo: '50.50' });
  const sale = await gateway.post('v1/payments', payment({ amount: '10', currency: 'JPY' }));
  const repeatWith = (amount: string) =>
    gateway.post(`v1/payments/${idOf(sale)}`, { paymentType: 'RB', amount, currency: 'JPY' });
  expect(await repeatWith('50')).toMatchObject({ status: 200 });
  expect(await repeatWith('51')).toMatchObject({ status: 400, code: '700.100.300' });
});

test('a query that repeats one type very often is a query for one type', async () => {
  await gateway.post('v1/payments', payment({ merchantTransactionId: 'asked-often' }));
  const repeatCode = (code: string) => Array.from({ length: 70_000 }, () => code).join(',');
  const found = await gateway.get('v1/query', {
    merchantTransactionId: 'asked-often',
    paymentTypes: repeatCode('DB'),
    paymentMethods: repeatCode('CC'),
  });
  expect(found).toMatchObject({ status: 200 });
});

test.each(['%00', '%00%00', '%F0%9F%98%80', 'a'.repeat(65), '__proto__'])(
  'the id %s belongs to nothing, and the store is not queried for it',
  async (id) => {
    const requests: string[] = [];
    const { store } = gateway;
    const countReads = <T>(readById: (id: string) => Promise<T>) => {
      return (id: string): Promise<T> => {
        requests.push(id);
        return readById(id);
      };
    };
    const slowStore = { ...store, payment: countReads(store.payment), registration: countReads(store.registration) };
    const slowGateway = await testGateway({ store: slowStore });
    const charge = { amount: '1.00', currency: 'EUR', paymentType: 'DB' };
    const replies = [
      await slowGateway.get(`v1/payments/${id}`),
      await slowGateway.get(`v3/query/${id}`),
      await slowGateway.get(`v1/registrations/${id}`),
      await slowGateway.post(`v1/payments/${id}`, { paymentType: 'RV' }),
      await slowGateway.post(`v1/registrations/${id}/payments`, charge),
      await slowGateway.post(`v1/registrations/${id}/extendlife`, {}),
    ];
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
    expect(new Set(requests)).toEqual(new Set(['']));
    expect(slowGateway.reported).toEqual([]);
  },
);
