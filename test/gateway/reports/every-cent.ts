/** Every cent of approved money is in exactly one record: the expectation for random batches. */
import { expect } from 'vitest';
import { parseRows, type SettlementRow } from '../../../src/gateway/reports/settlement-csv.ts';
import { batchFile } from '../../../src/gateway/reports/settlement-file.ts';
import { meaningOf } from '../../../src/gateway/spec/results.ts';
import type { Payment } from '../../../src/gateway/store/records.ts';
import type { Store } from '../../../src/gateway/store/store.ts';
import { ENTITY } from './chance-payments.ts';

/** All lines of all batches, oldest day first. */
export const allRows = async (store: Store): Promise<SettlementRow[]> => {
  const batches = (await store.settlements.list(ENTITY, 1_000)).toReversed();
  const files = await Promise.all(
    batches.map(async ({ id }) => Buffer.concat(await Array.fromAsync(batchFile(store, id)))),
  );
  return files.flatMap((file) => parseRows(file.toString('utf8').trimEnd().split('\n').slice(1)));
};

const isApproved = (one: Payment | undefined): boolean =>
  one?.state === 'done' && meaningOf(one.resultCode) === 'approved';

/** The payment's movement towards the merchant, in minor units. */
const settled = (one: Payment, byId: ReadonlyMap<string, Payment>): bigint => {
  if (!isApproved(one)) return 0n;
  const parent = byId.get(one.referencedId ?? '');
  if (one.paymentType === 'PA' || (one.paymentType === 'RV' && (parent?.paymentType === 'PA' || !isApproved(parent))))
    return 0n;
  const direction = (each: Payment): bigint => {
    if (each.paymentType === 'CD') return -1n;
    const referenced = byId.get(each.referencedId ?? '');
    return ['RF', 'RV', 'CB', 'CR'].includes(each.paymentType) && referenced !== undefined
      ? -direction(referenced)
      : 1n;
  };
  return direction(one) * one.amount.minor;
};

const minorOf = (text: string, currency: string): bigint =>
  currency === 'JPY' ? BigInt(text.replace(/\.00$/, '')) : BigInt(text.replace('.', ''));

/** Checks sums and single records, in both directions. */
export const expectEveryCent = async (store: Store, payments: readonly Payment[], seed: string): Promise<void> => {
  const rows = await allRows(store);
  const byId = new Map(payments.map((one) => [one.id, one]));
  const expected = new Map<string, bigint>();
  for (const one of payments) {
    const { currency } = one.amount;
    expected.set(currency, (expected.get(currency) ?? 0n) + settled(one, byId));
  }
  const got = new Map<string, bigint>([...expected.keys()].map((currency) => [currency, 0n]));
  for (const row of rows.filter((each) => each['ReconciliationType'] !== 'FEE')) {
    const currency = row['Currency'] ?? '';
    const minor = minorOf(row['Amount'] ?? '', currency);
    got.set(currency, (got.get(currency) ?? 0n) + (row['Cashflow'] === 'NEG' ? -minor : minor));
  }
  expect(Object.fromEntries(got), seed).toEqual(Object.fromEntries(expected));
  const ids = rows.map((row) => row['SettlementTxId']);
  expect(new Set(ids).size, seed).toBe(ids.length);
  for (const one of payments) {
    const record = await store.settlements.record(`payment ${one.id}`);
    expect([one.paymentType, one.id, record !== undefined], seed).toEqual([
      one.paymentType,
      one.id,
      isApproved(one) &&
        one.paymentType !== 'PA' &&
        !(one.paymentType === 'RV' && byId.get(one.referencedId ?? '')?.paymentType === 'PA'),
    ]);
  }
};
