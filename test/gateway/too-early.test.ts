/** A request refused only for coming too early is processed again with the same key, once. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  idOf,
  type Parameters,
  posSale,
  type Reply,
  type TestGateway,
  testGateway,
} from '../support/gateway/gateway.ts';

const DONE = '000.100.110';
const TOO_EARLY = '700.400.570';
const key = (name: string) => ({ 'idempotency-key': name });

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await testGateway();
});
afterEach(async () => {
  await gateway.app.close();
  await gateway.store.close();
});

const listed = async (): Promise<string[]> => {
  const { body } = await gateway.get('v1/query', { merchantTransactionId: 'till-7-000042' });
  const payments = body['payments'] as { id: string; paymentType: string; result: { code: string } }[];
  return payments.map(({ paymentType, result }) => `${paymentType} ${result.code}`);
};

/** A sale with a slow acquirer; its id is in the list by then. */
const startSlowSale = async () => {
  let decide = () => {};
  gateway.acquirer.next({
    after: new Promise((resolve) => {
      decide = resolve;
    }),
  });
  const sale = gateway.post('v1/payments', posSale());
  await gateway.clock.settle();
  const { body } = await gateway.get('v1/query', { merchantTransactionId: 'till-7-000042' });
  const [payment] = body['payments'] as { id: string }[];
  return { id: payment?.id ?? '', sale, decide };
};

const reversal: Parameters = { paymentType: 'RV', merchantTransactionId: 'till-7-000042' };
const saleWithSequence: Parameters = {
  ...reversal,
  'pos.terminalId': '70001234',
  'pos.transactionSequenceNumber': '43',
};

test.each<[string, Parameters, Parameters]>([
  ['its Idempotency-Key', reversal, key('reverse-1')],
  ['the terminal’s counting', saleWithSequence, {}],
])(
  'a reversal known by %s that came before the payment was decided is made by its repeat, once',
  async (_, form, reversalCode) => {
    const { id, sale, decide } = await startSlowSale();
    const reverse = () => gateway.post(`v1/payments/${id}`, form, reversalCode);
    const early: Reply[] = [await reverse(), await reverse()];
    expect(early.map(({ code }) => code)).toEqual([TOO_EARLY, TOO_EARLY]);
    decide();
    expect((await sale).code).toBe(DONE);
    const reply = await reverse();
    expect(reply.code).toBe(DONE);
    expect((await reverse()).text).toBe(reply.text);
    expect(gateway.acquirer.referred).toHaveLength(1);
    expect(await listed()).toEqual([`DB ${DONE}`, `RV ${TOO_EARLY}`, `RV ${TOO_EARLY}`, `RV ${DONE}`]);
  },
);

test.each([
  ['the payment has no final result there', TOO_EARLY],
  ['too many requests', '800.120.100'],
])('an acquirer’s refusal as too early uses up no key: %s', async (_, resultCode) => {
  const sale = await gateway.post('v1/payments', posSale());
  gateway.acquirer.next({ resultCode });
  const reverse = () => gateway.post(`v1/payments/${idOf(sale)}`, reversal, key('reverse-1'));
  const codes = [(await reverse()).code, (await reverse()).code, (await reverse()).code];
  expect(codes).toEqual([resultCode, DONE, DONE]);
  expect(new Set(gateway.acquirer.referred.map(({ id }) => id)).size).toBe(2);
});

test('a refund refused because of another in progress is made by its repeat when that one is declined', async () => {
  const sale = await gateway.post('v1/payments', posSale());
  let decide = () => {};
  const after = new Promise<void>((resolve) => {
    decide = resolve;
  });
  gateway.acquirer.next({ after, resultCode: '800.100.155' });
  const refund = (reversalCode: string) =>
    gateway.post(
      `v1/payments/${idOf(sale)}`,
      { paymentType: 'RF', amount: '10.00', currency: 'EUR' },
      key(reversalCode),
    );
  const first = refund('refund-1');
  await gateway.clock.settle();
  expect((await refund('refund-2')).code).toBe('700.400.200');
  decide();
  expect((await first).code).toBe('800.100.155');
  expect((await refund('refund-2')).code).toBe(DONE);
});

test('a final refusal keeps its answer under its key', async () => {
  const sale = await gateway.post('v1/payments', posSale());
  const refund = () =>
    gateway.post(`v1/payments/${idOf(sale)}`, { paymentType: 'RF', amount: '10.01', currency: 'EUR' }, key('refund-1'));
  const first = await refund();
  expect(first.code).toBe('700.400.200');
  expect((await refund()).text).toBe(first.text);
});
