/**
 * Finds sales without reading all of them: those of one operation since a time, those of one bill, and
 * pre-authorisations that may still hold something.
 */
import type { Sql } from '../journal/sql.ts';
import { eventIn } from '../till/machine/event-text.ts';
import { replay, type Sale } from '../till/machine/sale.ts';
import { holdOf, type PaymentWithFollowers } from '../till/payments.ts';
import type { LedgerIndex } from './ledger-index.ts';

const schema = [
  `CREATE TABLE IF NOT EXISTS sale_operation (sale TEXT PRIMARY KEY, receipt INTEGER NOT NULL, operation TEXT NOT NULL,
   at INTEGER NOT NULL, bill TEXT) STRICT`,
  'CREATE INDEX IF NOT EXISTS sale_operation_at ON sale_operation (operation, at)',
  'CREATE INDEX IF NOT EXISTS sale_operation_bill ON sale_operation (bill) WHERE bill IS NOT NULL',
  `CREATE TABLE IF NOT EXISTS open_hold (sale TEXT PRIMARY KEY, receipt INTEGER NOT NULL, at INTEGER NOT NULL,
   charged INTEGER NOT NULL) STRICT`,
];

export const operationIndex = (sql: Sql): LedgerIndex => {
  for (const statement of schema) sql.run(statement);
  return {
    version: 'operation-2',
    isWhole: (sales) => Number(sql.get('SELECT count(*) AS n FROM sale_operation')?.['n']) === sales,
    clear() {
      for (const table of ['sale_operation', 'open_hold']) sql.run(`DELETE FROM ${table}`);
    },
    apply({ before, after }) {
      const { sale, receipt, operation, at, bill, follows } = after.intent;
      if (before === undefined)
        sql.run(
          'INSERT INTO sale_operation (sale, receipt, operation, at, bill) VALUES (?, ?, ?, ?, ?)',
          sale,
          receipt,
          operation,
          at,
          bill?.id ?? null,
        );
      if (operation === 'preauthorisation') noteHold(sql, sale);
      else if (follows !== undefined && isPreauthorisation(sql, follows.sale)) noteHold(sql, follows.sale);
    },
  };
};

const isPreauthorisation = (sql: Sql, sale: string): boolean =>
  sql.get("SELECT 1 FROM sale_operation WHERE sale = ? AND operation = 'preauthorisation'", sale) !== undefined;

/** Decides by the journal entries, which already include this change. The hold's duration does not affect its state. */
const noteHold = (sql: Sql, id: string): void => {
  const payment = paymentInJournal(sql, id);
  const hold = payment && holdOf(payment, 0);
  if (hold?.state !== 'open' && hold?.state !== 'unknown') sql.run('DELETE FROM open_hold WHERE sale = ?', id);
  else
    sql.run(
      'INSERT OR REPLACE INTO open_hold (sale, receipt, at, charged) VALUES (?, ?, ?, ?)',
      id,
      hold.sale.intent.receipt,
      hold.sale.intent.at,
      hold.completed.minor > 0n ? 1 : 0,
    );
};

/**
 * Pre-authorisations that began at `since`, wall time in ms, or later and may still hold something, oldest first.
 * `chargedSince`: the same for those that were already charged in part.
 */
export const openHoldSales = (sql: Sql, { since, chargedSince }: { since: number; chargedSince: number }): string[] =>
  sql
    .all('SELECT sale FROM open_hold WHERE at >= ? AND (charged = 0 OR at > ?) ORDER BY receipt', since, chargedSince)
    .map(({ sale }) => String(sale));

/** The payments of a bill other than its first, which may not name the bill; oldest first. */
export const salesOfBill = (sql: Sql, bill: string): string[] =>
  sql
    .all('SELECT sale FROM sale_operation WHERE bill = ? AND sale <> ? ORDER BY receipt', bill, bill)
    .map(({ sale }) => String(sale));

/** Sales that began at `since`, wall time in ms, or later; oldest first. */
export const salesOfOperation = (sql: Sql, operation: string, since: number): string[] =>
  sql
    .all('SELECT sale FROM sale_operation WHERE operation = ? AND at >= ? ORDER BY receipt', operation, since)
    .map(({ sale }) => String(sale));

/** A sale read from its entries alone, for indexes: they are called while the step is being written. */
export const saleInJournal = (sql: Sql, id: string): Sale | undefined =>
  replay(
    sql.all('SELECT body FROM entry WHERE subject = ? ORDER BY entry', id).map(({ body }) => eventIn(String(body))),
  );

/** Ids of the operations that follow it, oldest first. */
export const followersInJournal = (sql: Sql, id: string): string[] =>
  sql.all('SELECT sale FROM sale WHERE refunds = ? ORDER BY receipt', id).map(({ sale }) => String(sale));

const paymentInJournal = (sql: Sql, id: string): PaymentWithFollowers | undefined => {
  const sale = saleInJournal(sql, id);
  return sale && { sale, followers: followersInJournal(sql, id).flatMap((one) => saleInJournal(sql, one) ?? []) };
};
