/** The settlement file of a troubled store’s day: what its gateway recorded, with a difference of every kind. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseRows, type SettlementRow, settlementCsv } from '../../../src/gateway/reports/settlement-csv.ts';
import { settlementFileOf } from '../../../src/gateway/reports/settlement-file.ts';
import { entityId } from '../gateway/gateway.ts';
import type { TroubledStore } from './troubled-store.ts';

const DAY_MS = 86_400_000;

/** Writes it to the store’s folder, and returns its path. */
export const troubledSettlement = async ({ gateway, sales, folder }: TroubledStore): Promise<string> => {
  const dayFromNow = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  // The store’s day began two hours ago: soon after midnight that is another day at the gateway.
  const files = [-1, 0].map((days) => settlementFileOf(gateway.store, { entityId, date: dayFromNow(days) }));
  const lines = (await Promise.all(files)).flatMap((file) => file.trimEnd().split('\n').slice(1));
  const rows = parseRows(lines).map((row): SettlementRow => ({ ...row, SettlementDate: dayFromNow(1) }));
  const of = (name: string): SettlementRow => {
    const found = rows.find((row) => row['TransactionId'] === sales[name]);
    if (found === undefined) throw new Error(`the gateway has booked no ${name}`);
    return found;
  };
  const approved = of('approved');
  const changed: readonly SettlementRow[] = [
    // A correct line, and then the same line a second time.
    approved,
    { ...approved, SettlementTxId: 'b'.repeat(32) },
    { ...of('partial'), SettlementAmount: '8.00' },
    of('refunded'),
    chargedBack(of('refunded')),
    { ...of('gift'), Amount: '21.00', SettlementAmount: '20.70' },
    // A line of another till, a general fee, and an unusable line.
    { ...approved, UniqueID: 'd'.repeat(32), TransactionId: 'e'.repeat(32), AccountNumberLast4: '9999' },
    fee(approved),
    { ...approved, Amount: 'much' },
    ...refundRows(approved, sales['late'] ?? ''),
  ];
  const file = join(folder, 'settlement.csv');
  writeFileSync(file, settlementCsv(changed));
  return file;
};

/** A chargeback of the line's whole amount, without a fee. */
const chargedBack = (row: SettlementRow): SettlementRow => ({
  ...row,
  ReconciliationType: 'CHARGEBACK',
  Cashflow: 'NEG',
  SettlementAmount: row['Amount'] ?? '',
  SettlementFee: '0.00',
  ReasonCode: '10.4',
  ChargebackId: 'c'.repeat(32),
});

const fee = (row: SettlementRow): SettlementRow => ({
  ...row,
  ReconciliationType: 'FEE',
  PaymentType: 'MONTHLY',
  Cashflow: 'NEG',
  UniqueID: '',
  TransactionId: '',
  Amount: '5.00',
  SettlementAmount: '5.00',
  SettlementFee: '',
  AccountNumberLast4: '',
});

/** Settled although the till had its approval reversed. */
const refundRows = (row: SettlementRow, sale: string): SettlementRow[] => [
  { ...row, UniqueID: '', TransactionId: sale, Amount: '91.00', SettlementAmount: '89.86', SettlementFee: '1.14' },
];
