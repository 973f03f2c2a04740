/** Settlement files for tests: an acquirer's lines, with changes by the test. */
import { settlementColumns } from '../../src/gateway/spec/settlement-columns.ts';
import type { Cells, Column } from '../../src/reconciliation/settlement-columns.ts';
import type { ExpectedSale } from '../../src/reconciliation/settlement-match.ts';
import { readSettlement } from '../../src/reconciliation/settlement-reader.ts';

export const MERCHANT = 'e'.repeat(32);
export const DAY = '2026-11-21';

export const id = (n: number): string => n.toString(16).padStart(32, '0');

/** A line for 10.00 EUR, settled minus 0.17 EUR. */
export const cells = (more: Cells = {}): Cells => ({
  ReconciliationType: 'SETTLED',
  PaymentType: 'DEBIT',
  Cashflow: 'POS',
  MerchantId: MERCHANT,
  UniqueID: id(1),
  TransactionId: id(101),
  Amount: '10.00',
  Currency: 'EUR',
  SettlementAmount: '9.83',
  SettlementCurrency: 'EUR',
  SettlementFee: '0.17',
  SettlementFxRate: '1.00',
  SettlementDate: DAY,
  SettlementStatus: 'SUCCESS',
  AccountNumberLast4: '0010',
  ...more,
});

export const csv = (lines: readonly Cells[], header: readonly string[] = settlementColumns): string =>
  [header, ...lines.map((line) => header.map((name) => line[name as Column] ?? ''))]
    .map((row) => `${row.join(';')}\n`)
    .join('');

async function* bytesOf(content: string | Uint8Array, step: number): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  for (let offset = 0; offset < bytes.length; offset += step) yield bytes.subarray(offset, offset + step);
}

/** Reads a file that arrives in chunks of `step` bytes. */
export const read = async (content: string | Uint8Array, step = 1 << 16) => {
  const all = [];
  for await (const line of readSettlement(bytesOf(content, step), { file: 'x.csv', merchantId: MERCHANT, today: DAY }))
    all.push(line);
  return all;
};

export const expected = (n: number, more: Partial<ExpectedSale> = {}): ExpectedSale => ({
  sale: id(100 + n),
  receipt: n,
  payment: id(n),
  currency: 'EUR',
  till: 1_000n,
  gateway: 1_000n,
  intended: 1_000n,
  tip: 0n,
  last4: '0010',
  date: DAY,
  place: 'approved',
  ...more,
});
