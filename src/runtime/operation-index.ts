/** To find sales by what they are without reading all of them: of one operation since a time, and those of one bill. */
import type { Sql } from '../journal/sql.ts';
import type { LedgerIndex } from './ledger-index.ts';

const schema = [
  `CREATE TABLE IF NOT EXISTS sale_operation (sale TEXT PRIMARY KEY, receipt INTEGER NOT NULL, operation TEXT NOT NULL,
   at INTEGER NOT NULL, bill TEXT) STRICT`,
  'CREATE INDEX IF NOT EXISTS sale_operation_at ON sale_operation (operation, at)',
  'CREATE INDEX IF NOT EXISTS sale_operation_bill ON sale_operation (bill) WHERE bill IS NOT NULL',
];

export const operationIndex = (sql: Sql): LedgerIndex => {
  for (const statement of schema) sql.run(statement);
  return {
    version: 'operation-1',
    isWhole: (sales) => Number(sql.get('SELECT count(*) AS n FROM sale_operation')?.['n']) === sales,
    clear: () => sql.run('DELETE FROM sale_operation'),
    moved({ before, after }) {
      if (before !== undefined) return;
      const { sale, receipt, operation, at, bill } = after.intent;
      sql.run(
        'INSERT INTO sale_operation (sale, receipt, operation, at, bill) VALUES (?, ?, ?, ?, ?)',
        ...[sale, receipt, operation, at, bill?.id ?? null],
      );
    },
  };
};

/** The payments of a bill beside its first one, which may not name it; oldest first. */
export const salesOfBill = (sql: Sql, bill: string): string[] =>
  sql
    .all('SELECT sale FROM sale_operation WHERE bill = ? AND sale <> ? ORDER BY receipt', bill, bill)
    .map(({ sale }) => String(sale));

/** Begun at `since`, wall time in ms, or later; oldest first. */
export const salesOfOperation = (sql: Sql, operation: string, since: number): string[] =>
  sql
    .all('SELECT sale FROM sale_operation WHERE operation = ? AND at >= ? ORDER BY receipt', operation, since)
    .map(({ sale }) => String(sale));
