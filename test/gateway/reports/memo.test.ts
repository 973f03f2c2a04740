/** The merchant's memo (spec 2.2): in the reports and in the file, and in no answer or notification. */
import { expect, test } from 'vitest';
import { hurry } from '../../../src/gateway/reports/batch.ts';
import { settlementFileOf } from '../../../src/gateway/reports/settlement-file.ts';
import { termsOf } from '../../../src/gateway/reports/terms.ts';
import { settlementColumns } from '../../../src/gateway/spec/settlement-columns.ts';
import { entityId, idOf, payment, plainCard, type TestGateway, testGateway } from '../../support/gateway/gateway.ts';

const MEMO = 'table 12; =window';
const SUMS = 'reports/v1/reconciliations/aggregations';
const DAY = '2026-01-02';

const recordsOf = async (gateway: TestGateway): Promise<Record<string, unknown>[]> => {
  const sums = await gateway.get(SUMS, { 'date.from': DAY, 'date.to': DAY });
  const [sum] = sums.body['aggregations'] as { id: string }[];
  return (await gateway.get(`${SUMS}/${sum?.id}`)).body['reconciliations'] as Record<string, unknown>[];
};

const fileOf = ({ store }: TestGateway) => settlementFileOf(store, { entityId, date: DAY, name: 'Corner Shop' });

test('is in its record, as the last column of a file that contains one, and in no answer', async () => {
  const gateway = await testGateway();
  const { store, clock } = gateway;
  const sale = await gateway.post('v1/payments', payment({ merchantMemo: MEMO }));
  await gateway.post('v1/payments', payment());
  const stored = await gateway.post('v1/registrations', { ...plainCard, merchantMemo: MEMO });
  const schedule = { registrationId: idOf(stored), amount: '1.00', currency: 'EUR', paymentType: 'DB' };
  const series = { 'standingInstruction.mode': 'REPEATED', 'standingInstruction.source': 'MIT' };
  const month = {
    ...schedule,
    ...series,
    'standingInstruction.type': 'RECURRING',
    'job.month': '*',
    'job.dayOfMonth': '1',
  };
  const planned = await gateway.post('scheduling/v1/schedules', { ...month, merchantMemo: MEMO });
  expect([sale.status, stored.status, planned.status]).toEqual([200, 200, 200]);
  const laterReply = await gateway.get(`v1/query/${idOf(sale)}`);
  for (const { text } of [sale, stored, planned, laterReply]) expect(text).not.toMatch(/memo|window/i);

  const header = `${settlementColumns.join(';')};MerchantMemo`;
  const lines = (text: string) => text.trimEnd().split('\n');
  const before = lines(await fileOf(gateway));
  expect(before[0]).toBe(header);
  await clock.advance(86_400_000);
  await hurry({ store, clock, terms: termsOf({ entityId, name: 'Corner Shop' }) });
  const [first, ...rows] = lines(await fileOf(gateway));
  expect(first).toBe(header);
  expect(rows).toEqual(before.slice(1));
  expect(rows.map((row) => /;("table 12;' =window")?$/.exec(row)?.[1])).toEqual([`"table 12;' =window"`, undefined]);
  expect(rows[1]?.split(';')).toHaveLength(settlementColumns.length + 1);
  expect((await recordsOf(gateway)).map((record) => record['merchantMemo'])).toEqual([MEMO, undefined]);
});

test('a file without a memo has the interface’s own columns', async () => {
  const gateway = await testGateway();
  await gateway.post('v1/payments', payment());
  const [header, row] = (await fileOf(gateway)).split('\n');
  expect(header).toBe(settlementColumns.join(';'));
  expect(row?.split(';')).toHaveLength(settlementColumns.length);
});
