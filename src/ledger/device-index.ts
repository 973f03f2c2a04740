/** To find what sales at a device tell of its numbers and its clock, without reading all sales. */
import type { Sql, SqlRow } from '../journal/sql.ts';
import type { Sale } from '../till/machine/sale.ts';
import { aheadOf } from '../till/terminal/device-clock.ts';
import type { DevicePlace, DeviceSale } from '../till/terminal/device-numbers.ts';
import type { LedgerIndex } from './ledger-index.ts';

const schema = [
  `CREATE TABLE IF NOT EXISTS device_sale (sale TEXT PRIMARY KEY, device TEXT NOT NULL, terminal_id TEXT NOT NULL,
   at INTEGER NOT NULL, receipt INTEGER NOT NULL, before_number TEXT, number TEXT, reversal TEXT,
   reverses INTEGER NOT NULL, ahead_ms INTEGER) STRICT`,
  'CREATE INDEX IF NOT EXISTS device_sale_at ON device_sale (device, terminal_id, at)',
  `CREATE INDEX IF NOT EXISTS device_sale_number ON device_sale (device, terminal_id, receipt)
   WHERE number IS NOT NULL`,
  `CREATE INDEX IF NOT EXISTS device_sale_ahead ON device_sale (device, terminal_id, receipt)
   WHERE ahead_ms IS NOT NULL`,
];

export const deviceIndex = (sql: Sql): LedgerIndex => {
  for (const statement of schema) sql.run(statement);
  return {
    version: 'device-2',
    // Only some sales are in it: whether it is whole the indexes beside it tell, which are made anew with it.
    isWhole: () => true,
    clear: () => sql.run('DELETE FROM device_sale'),
    moved({ before, after }) {
      if (after.terminal === undefined || after.terminal === before?.terminal) return;
      sql.run(
        `INSERT OR REPLACE INTO device_sale (sale, device, terminal_id, at, receipt, before_number, number, reversal,
         reverses, ahead_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...rowOf(after, after.terminal),
      );
    },
  };
};

const rowOf = ({ intent }: Sale, { device, before, payment, reversalNumber }: NonNullable<Sale['terminal']>) => [
  intent.sale,
  device,
  intent.terminalId,
  intent.at,
  intent.receipt,
  before.receiptNumber ?? null,
  payment?.receiptNumber ?? null,
  reversalNumber ?? null,
  intent.follows?.at?.how === 'reverse' ? 1 : 0,
  (payment && aheadOf(payment)) ?? null,
];

/** Begun at `since`, wall time in ms, or later; oldest first. */
export const salesAtDevice = (sql: Sql, { device, terminalId }: DevicePlace, since: number): DeviceSale[] =>
  sql
    .all(
      'SELECT * FROM device_sale WHERE device = ? AND terminal_id = ? AND at >= ? ORDER BY receipt',
      ...[device, terminalId, since],
    )
    .map(saleIn);

const columns = { number: 'number', aheadMs: 'ahead_ms' } as const;

/** By its receipt, as the wall clock may have been set since. Each is found by an index of its own, at once. */
export const newestAtDevice = (
  sql: Sql,
  { device, terminalId }: DevicePlace,
  tells: keyof typeof columns,
): DeviceSale | undefined => {
  const row = sql.get(
    `SELECT * FROM device_sale WHERE device = ? AND terminal_id = ? AND ${columns[tells]} IS NOT NULL
     ORDER BY receipt DESC LIMIT 1`,
    ...[device, terminalId],
  );
  return row && saleIn(row);
};

const saleIn = ({ sale, receipt, at, before_number, number, reversal, reverses, ahead_ms }: SqlRow): DeviceSale => ({
  ...{ sale: String(sale), receipt: Number(receipt), at: Number(at) },
  ...(before_number !== null && { before: String(before_number) }),
  ...(number !== null && { number: String(number) }),
  ...(reversal !== null && { reversal: String(reversal) }),
  ...(reverses === 1 && { reverses: true as const }),
  ...(ahead_ms !== null && { aheadMs: Number(ahead_ms) }),
});
