/** Lists of chargebacks: matched by id, by reference, by card and amount; booked once; stored if there is no match. */
import { expect, test } from 'vitest';
import { hurry } from '../../../src/gateway/reports/batch.ts';
import { importChargeback } from '../../../src/gateway/reports/chargeback-import.ts';
import { type ListedChargeback, parseChargebacks } from '../../../src/gateway/reports/chargeback-list.ts';
import { parseRows } from '../../../src/gateway/reports/settlement-csv.ts';
import { settlementFileOf } from '../../../src/gateway/reports/settlement-file.ts';
import { termsOf } from '../../../src/gateway/reports/terms.ts';
import { entityId, idOf, payment, type TestGateway, testGateway, token } from '../../support/gateway/gateway.ts';

const DAY = '2026-01-02';
const channel = { entityId, token };

const listed = (id: string, facts: Partial<ListedChargeback['facts']>): ListedChargeback => ({
  id,
  facts: { recordType: 'CHARGEBACK', amount: '10.00', currency: 'EUR', ...facts },
});

const load = ({ app: { gateway } }: TestGateway, chargeback: ListedChargeback) =>
  importChargeback({ gateway, channel }, chargeback);

const rowsOf = async ({ store, clock }: TestGateway, date: string) => {
  await clock.advance(86_400_000);
  await hurry({ store, clock, terms: termsOf({ entityId }) });
  return parseRows((await settlementFileOf(store, { entityId, date })).trimEnd().split('\n').slice(1));
};

test('a chargeback with a payment id becomes the gateway’s own, once', async () => {
  const gateway = await testGateway();
  const id = idOf(await gateway.post('v1/payments', payment()));
  const chargeback = listed('acq-1', { paymentId: id, reasonCode: '000.100.203', reason: '=HYPERLINK("x") fraud' });
  const first = await load(gateway, chargeback);
  expect(first).toMatchObject({ outcome: 'booked', status: 'MATCHED', matched: [id] });
  expect(await load(gateway, chargeback)).toEqual({ ...first, outcome: 'known' });
  const ownReply = await gateway.get(`v1/payments/${first.chargebackId}`);
  expect(ownReply.body).toMatchObject({
    paymentType: 'CB',
    referencedId: id,
    amount: '10.00',
    chargebackResultCode: '000.100.203',
  });

  const reversalOfChargeback = { recordType: 'CHARGEBACK REVERSAL', paymentId: id, reasonCode: '000.100.203' } as const;
  const reversal = await load(gateway, listed('acq-2', reversalOfChargeback));
  expect(reversal).toMatchObject({ outcome: 'booked', matched: [id] });
  const rows = (await rowsOf(gateway, DAY)).filter((row) => row['ReconciliationType'] !== 'SETTLED');
  expect(rows.map((row) => [row['ReconciliationType'], row['Cashflow'], row['UniqueID'], row['ChargebackId']])).toEqual(
    [
      ['CHARGEBACK', 'NEG', id, first.chargebackId],
      ['CHARGEBACK REVERSAL', 'POS', id, reversal.chargebackId],
    ],
  );
  expect(rows[0]?.['ReasonDesc']).toBe(`'=HYPERLINK("x") fraud`);
  // The notice has no reason, so the code's own description stays.
  expect(rows[1]?.['ReasonDesc']).not.toBe('');
});

test('matches the capture by the acquirer’s reference, and the sale by card, amount and days', async () => {
  const gateway = await testGateway();
  const holdId = idOf(await gateway.post('v1/payments', payment({ paymentType: 'PA' })));
  const capture = idOf(
    await gateway.post(`v1/payments/${holdId}`, { paymentType: 'CP', amount: '7.00', currency: 'EUR' }),
  );
  const sale = idOf(await gateway.post('v1/payments', payment({ amount: '12.34' })));
  expect(await load(gateway, listed('r1', { acquirerReference: holdId, amount: '7.00' }))).toMatchObject({
    matched: [capture],
  });
  const byCard = { last4: '0000', presentedOn: '2026-01-03', amount: '12.34' };
  expect(await load(gateway, listed('r2', byCard))).toMatchObject({ status: 'MATCHED', matched: [sale] });
  expect(await load(gateway, listed('r3', { ...byCard, last4: '1111' }))).toMatchObject({ status: 'NOT_MATCHED' });
  expect(await load(gateway, listed('r4', { ...byCard, presentedOn: '2026-01-09' }))).toMatchObject({
    status: 'NOT_MATCHED',
  });
});

test('a notice with several matches, or none, is stored and settled once', async () => {
  const gateway = await testGateway();
  const ids = [idOf(await gateway.post('v1/payments', payment())), idOf(await gateway.post('v1/payments', payment()))];
  const several = await load(gateway, listed('m1', { last4: '0000', presentedOn: DAY }));
  expect(several).toMatchObject({ outcome: 'kept', status: 'MULTIPLE_MATCHES', matched: ids });
  expect(await load(gateway, listed('m2', { paymentId: 'f'.repeat(32) }))).toMatchObject({
    outcome: 'kept',
    status: 'NOT_MATCHED',
  });
  const rows = (await rowsOf(gateway, DAY)).filter((row) => row['ReconciliationType'] === 'CHARGEBACK');
  expect(rows.map((row) => [row['MatchingStatus'], row['MatchedTransactions'], row['ConnectorTxId2']])).toEqual([
    ['MULTIPLE_MATCHES', ids.join(','), 'm1'],
    ['NOT_MATCHED', '', 'm2'],
  ]);
  expect(await load(gateway, listed('m2', {}))).toMatchObject({ outcome: 'known' });
  expect((await rowsOf(gateway, '2026-01-03')).length).toBe(0);
});

test('a chargeback already booked over the API is not booked again', async () => {
  const gateway = await testGateway();
  const id = idOf(await gateway.post('v1/payments', payment()));
  const ownId = idOf(await gateway.post(`v1/payments/${id}`, { paymentType: 'CB' }));
  expect(await load(gateway, listed('a1', { paymentId: id }))).toMatchObject({
    outcome: 'booked',
    chargebackId: ownId,
  });
  expect(await load(gateway, listed('a2', { paymentId: id }))).toMatchObject({
    outcome: 'kept',
    status: 'NOT_MATCHED',
  });
});

test('CSV and JSON give the same notices', () => {
  const csv =
    'SettlementTxId;ReconciliationType;UniqueID;Amount;Currency;AccountNumberLast4;TxRequestTime;ReasonCode\n' +
    'c1;CHARGEBACK;p1;10.00;EUR;0000;2026-01-02 10:00:00;10.4\n';
  const json = JSON.stringify({
    chargebacks: [
      {
        settlement: { id: 'c1' },
        ...{ payment: { id: 'p1' }, amount: '10.00', currency: 'EUR', card: { last4Digits: '0000' } },
        ...{ presentmentDate: '2026-01-02', result: { code: '10.4' } },
      },
    ],
  });
  const facts = { recordType: 'CHARGEBACK', amount: '10.00', currency: 'EUR', paymentId: 'p1', last4: '0000' };
  const expected = [{ id: 'c1', facts: { ...facts, presentedOn: '2026-01-02', reasonCode: '10.4' } }];
  expect(parseChargebacks(csv, 'x.csv')).toEqual(expected);
  expect(parseChargebacks(csv.replaceAll(';', ','), 'x.csv')).toEqual(expected);
  expect(parseChargebacks(json, 'x.json')).toEqual(expected);
});

const validChargeback = { id: 'x', amount: '1.00', currency: 'EUR' };

test.each([
  ['{', /not JSON/],
  ['{}', /neither a list/],
  ['[1]', /not an object/],
  [JSON.stringify([{ ...validChargeback, id: '' }]), /record 1: SettlementTxId is missing/],
  [JSON.stringify([validChargeback, validChargeback]), /record 2: its id occurs more than once/],
  [JSON.stringify([{ ...validChargeback, amount: '-1.00' }]), /record 1/],
  [JSON.stringify([{ ...validChargeback, amount: '0.00' }]), /zero/],
  [JSON.stringify([{ ...validChargeback, currency: 'XXXX' }]), /ISO 4217/],
  [JSON.stringify([{ ...validChargeback, recordType: 'SETTLED' }]), /CHARGEBACK/],
  [JSON.stringify([{ ...validChargeback, card: { last4Digits: '4200000000000000' } }]), /four digits/],
  ['id,amount\n"x,1.00', /cannot be used/],
])('refuses the list %s', (text, pattern) => {
  expect(() => parseChargebacks(text, 'list.csv')).toThrow(pattern);
  expect(() => parseChargebacks(text, 'list.csv')).not.toThrow(/4200000000000000/);
});
