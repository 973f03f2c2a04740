/** The reports of the host API: daily sums, their records, pages, and only the channel's own. */
import { expect, test } from 'vitest';
import { hurry } from '../../../src/gateway/reports/batch.ts';
import { termsOf } from '../../../src/gateway/reports/terms.ts';
import {
  entityId,
  idOf,
  otherEntityId,
  payment,
  type TestGateway,
  testGateway,
} from '../../support/gateway/gateway.ts';

const SUMS = 'reports/v1/reconciliations/aggregations';
const PAGED = 'reports/v2/reconciliations/aggregations';
const DAY = '2026-01-02';
const days = { 'date.from': DAY, 'date.to': DAY };

type Sum = { id: string; currency: string; testMode: string; records: number; settlement: Record<string, string> };

const settleGateway = async (work: (gateway: TestGateway) => Promise<void>): Promise<TestGateway> => {
  const gateway = await testGateway();
  await work(gateway);
  await gateway.clock.advance(86_400_000);
  const { store, clock } = gateway;
  await hurry({ store, clock, terms: termsOf({ entityId, name: 'Corner Shop' }) });
  return gateway;
};

const sumsOf = async (gateway: TestGateway, query = {}): Promise<Sum[]> =>
  (await gateway.get(SUMS, { ...days, ...query })).body['aggregations'] as Sum[];

test('returns a sum for each day, currency and test mode, and its records under the API’s names', async () => {
  const gateway = await settleGateway(async ({ post }) => {
    const sale = await post('v1/payments', payment({ merchantTransactionId: 'order-0001' }));
    await post('v1/payments', payment({ amount: '20.00', currency: 'USD' }));
    await post(`v1/payments/${idOf(sale)}`, { paymentType: 'RF', amount: '4.00', currency: 'EUR' });
    await post('v1/payments', payment({ paymentType: 'PA' }));
  });
  const sums = await sumsOf(gateway);
  expect(sums.map(({ currency, records, settlement }) => [currency, records, settlement])).toEqual([
    // 10.00 less 0.17, and 4.00 back.
    ['EUR', 2, { date: DAY, cashflow: 'POS', amount: '5.83', currency: 'EUR', fee: '0.17' }],
    ['USD', 1, { date: DAY, cashflow: 'POS', amount: '19.71', currency: 'USD', fee: '0.29' }],
  ]);
  expect((await sumsOf(gateway, { currency: 'USD' })).map(({ currency }) => currency)).toEqual(['USD']);
  expect(await sumsOf(gateway, { testMode: 'EXTERNAL' })).toEqual([]);
  expect(await sumsOf(gateway, { 'date.from': '2026-01-03', 'date.to': '2026-02-01' })).toEqual([]);

  const detail = await gateway.get(`${SUMS}/${sums[0]?.id}`, { sortValue: 'SettlementTxDate', sortOrder: 'DESC' });
  expect(detail.code).toBe('000.000.100');
  const records = detail.body['reconciliations'] as Record<string, unknown>[];
  expect(records.map((record) => [record['recordType'], record['transactionType'], record['amount']])).toEqual([
    ['SETTLED', 'REFUND', '4.00'],
    ['SETTLED', 'DEBIT', '10.00'],
  ]);
  expect(records[1]).toMatchObject({
    merchantEntityId: entityId,
    merchantAccount: { name: 'Corner Shop' },
    merchantTransactionId: 'order-0001',
    currency: 'EUR',
    settlement: { cashflow: 'POS', amount: '9.83', fee: '0.17', fxRate: '1.00', date: DAY, status: 'SUCCESS' },
    card: { last4Digits: '0000' },
  });
  expect(JSON.stringify(detail.body)).not.toContain('4200000000000000');
});

test('returns a hundred records a page, of one type if requested', async () => {
  const gateway = await settleGateway(async ({ post }) => {
    for (let n = 0; n < 101; n += 1) await post('v1/payments', payment());
    const sale = await post('v1/payments', payment());
    await post(`v1/payments/${idOf(sale)}`, { paymentType: 'CB', chargebackResultCode: '000.100.203' });
  });
  const [sum] = await sumsOf(gateway);
  const page = async (query: Record<string, string>) => (await gateway.get(`${PAGED}/${sum?.id}`, query)).body;
  const [first, second, third] = await Promise.all([page({}), page({ pageNo: '2' }), page({ pageNo: '3' })]);
  expect([first, second, third].map((body) => (body['reconciliations'] as unknown[]).length)).toEqual([100, 3, 0]);
  expect(first['pages']).toBe(2);
  const chargebacks = await page({ reconciliationType: 'CHARGEBACK' });
  expect(chargebacks).toMatchObject({
    pages: 1,
    reconciliations: [
      { recordType: 'CHARGEBACK', result: { code: '000.100.203' }, matchedTransactions: { status: 'MATCHED' } },
    ],
  });
  const invalidQueries: Record<string, string>[] = [{ pageNo: '0' }, { pageNo: 'x' }, { reconciliationType: 'SOLD' }];
  for (const query of invalidQueries) expect((await gateway.get(`${PAGED}/${sum?.id}`, query)).status).toBe(400);
});

test('another channel’s report is as unknown as one that does not exist', async () => {
  const gateway = await settleGateway(async ({ post }) => void (await post('v1/payments', payment())));
  const [sum] = await sumsOf(gateway);
  const other = (path: string, query = '') =>
    gateway.raw(`${path}?entityId=${otherEntityId}${query}`, { headers: { authorization: 'Bearer other-token' } });
  for (const base of [SUMS, PAGED]) {
    const [foreignReply, unknownReply] = [await other(`${base}/${sum?.id}`), await other(`${base}/${'f'.repeat(32)}`)];
    expect([foreignReply.status, foreignReply.code, unknownReply.status, unknownReply.code]).toEqual([
      404,
      '700.400.580',
      404,
      '700.400.580',
    ]);
  }
  expect((await other(SUMS, `&date.from=${DAY}&date.to=${DAY}`)).body['aggregations']).toEqual([]);
  expect((await gateway.get(`${SUMS}/${'x'.repeat(200)}`)).status).toBe(404);
});

test.each([
  [{}, 'date.from'],
  [{ 'date.from': DAY }, 'date.to'],
  [{ 'date.from': '2026-01-03', 'date.to': '2026-01-02' }, 'date.to'],
  [{ 'date.from': '2025-01-01', 'date.to': '2026-01-03' }, 'date.to'],
  [{ 'date.from': '2026-02-30', 'date.to': '2026-03-01' }, 'date.from'],
  [{ ...days, currency: 'eur' }, 'currency'],
  [{ ...days, testMode: 'LIVE' }, 'testMode'],
  [{ ...days, sortOrder: 'ASC' }, 'sortOrder'],
])('refuses the days %j by name', async (query, name) => {
  const { status, body } = await (await testGateway()).get(SUMS, query);
  const errors = (body['result'] as { parameterErrors: { name: string }[] }).parameterErrors;
  expect([status, errors.map((each) => each.name)]).toEqual([400, expect.arrayContaining([name])]);
});

const recordsOf = async (gateway: TestGateway): Promise<Record<string, unknown>[]> => {
  const lists = (await sumsOf(gateway)).map(async ({ id }) => (await gateway.get(`${PAGED}/${id}`)).body);
  return (await Promise.all(lists)).flatMap((body) => body['reconciliations'] as Record<string, unknown>[]);
};

test('lists the payments that a chargeback may belong to', async () => {
  const gateway = await settleGateway(async ({ post }) => {
    const sale = await post('v1/payments', payment());
    await post(`v1/payments/${idOf(sale)}`, { paymentType: 'CB' });
  });
  const chargeback = (await recordsOf(gateway)).find(({ recordType }) => recordType === 'CHARGEBACK');
  const { payment: disputed, matchedTransactions } = chargeback ?? {};
  expect(matchedTransactions).toEqual({ status: 'MATCHED', payment: [disputed] });
  expect(disputed).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/) });
});

const bank = { paymentBrand: 'DIRECTDEBIT_SEPA', amount: '10.00', currency: 'EUR', paymentType: 'DB' };

test.each([
  [{ 'bankAccount.iban': 'DE23100000001234567890' }, '7890', '10000000'],
  [{ 'bankAccount.iban': 'DE23100000001234567890', 'bankAccount.bankCode': '20815' }, '7890', '20815'],
  [{ 'bankAccount.iban': 'HR1210010051863000160', 'bankAccount.bic': 'MARKDEF1100' }, '0160', 'MARKDEF1100'],
  [{ 'bankAccount.number': '00234573201', 'bankAccount.bankCode': '20815' }, '3201', '20815'],
])(
  'a payment from the bank account %j has its holder, last four digits and bank',
  async (account, last4Digits, bankCode) => {
    const gateway = await settleGateway(async ({ post }) => {
      const form = { ...bank, ...account, 'bankAccount.holder': 'Jane Jones' };
      const sale = await post('v1/payments', { ...form, createRegistration: 'true' });
      await post(`v1/payments/${idOf(sale)}`, { paymentType: 'RF', amount: '4.00', currency: 'EUR' });
      await post(`v1/registrations/${sale.body['registrationId']}/payments`, { ...bank, paymentBrand: '' });
    });
    const records = await recordsOf(gateway);
    expect(records.map(({ transactionType }) => transactionType)).toEqual(['DEBIT', 'REFUND', 'DEBIT']);
    for (const record of records) {
      expect(record['bankAccount']).toEqual({ last4Digits, bankCode, holder: 'Jane Jones' });
      expect(record['card']).toBeUndefined();
    }
  },
);

test('details accept the sums’ parameters, and are unknown if these select other sums', async () => {
  const gateway = await settleGateway(async ({ post }) => void (await post('v1/payments', payment())));
  const [sum] = await sumsOf(gateway, { testMode: 'INTERNAL' });
  for (const base of [SUMS, PAGED]) {
    const queryRecords = (query: Record<string, string>) => gateway.get(`${base}/${sum?.id}`, query);
    for (const query of [{ testMode: 'INTERNAL' }, { ...days, testMode: 'INTERNAL', currency: 'EUR' }])
      expect((await queryRecords(query)).body).toMatchObject({ id: sum?.id, reconciliations: [{ amount: '10.00' }] });
    const invalidPages: Record<string, string>[] = [
      { testMode: 'EXTERNAL' },
      { currency: 'USD' },
      { 'date.from': '2026-01-03' },
    ];
    for (const query of invalidPages)
      expect(await queryRecords(query)).toMatchObject({ status: 404, code: '700.400.580' });
    expect((await queryRecords({ testMode: 'LIVE' })).code).toBe('200.300.404');
  }
});

test('charges a fee per batch for each sub-merchant, and none without sub-merchants', async () => {
  const gateway = await settleGateway(async ({ post }) => {
    const sumFor = (merchant: string) =>
      payment({ 'merchant.submerchantId': merchant, 'merchant.payFacId': 'facilitator-1' });
    for (const merchant of ['bakery', 'butcher', 'bakery']) await post('v1/payments', sumFor(merchant));
    await post('v1/payments', payment());
    await post('v1/payments', { ...sumFor('declined'), paymentType: 'PA' });
  });
  const fees = (await recordsOf(gateway)).filter(({ recordType }) => recordType === 'FEE');
  const shownFees = fees.map(({ transactionType, descriptor, amount }) => [transactionType, descriptor, amount]);
  expect(shownFees).toEqual([
    ['SUBMERCHANT', 'bakery', '0.10'],
    ['PAYMENT_FACILITATOR', 'facilitator-1', '0.20'],
    ['SUBMERCHANT', 'butcher', '0.10'],
  ]);
  // 4 × (10.00 − 0.17) − 0.40.
  expect((await sumsOf(gateway)).map(({ settlement }) => settlement['amount'])).toEqual(['38.92']);
});
