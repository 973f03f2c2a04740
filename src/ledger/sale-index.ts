/** To find a sale without reading all of them: by receipt, by what it follows, and whether it is open. */
import type { Sql } from '../journal/sql.ts';
import { isOpen } from '../till/machine/sale.ts';
import type { LedgerIndex } from './ledger-index.ts';

const schema = [
  `CREATE TABLE IF NOT EXISTS sale (sale TEXT PRIMARY KEY, receipt INTEGER NOT NULL UNIQUE, terminal_id TEXT NOT NULL,
   sequence INTEGER NOT NULL, refunds TEXT, open INTEGER NOT NULL) STRICT`,
  'CREATE INDEX IF NOT EXISTS sale_open ON sale (receipt) WHERE open = 1',
  'CREATE INDEX IF NOT EXISTS sale_terminal ON sale (terminal_id, sequence)',
  'CREATE INDEX IF NOT EXISTS sale_refunds ON sale (refunds) WHERE refunds IS NOT NULL',
];

export const saleIndex = (sql: Sql): LedgerIndex => {
  for (const statement of schema) sql.run(statement);
  return {
    version: 'sale-1',
    isWhole: (sales) => Number(sql.get('SELECT count(*) AS n FROM sale')?.['n']) === sales,
    clear: () => sql.run('DELETE FROM sale'),
    moved({ before, after }) {
      const { sale, receipt, terminalId, sequence, follows } = after.intent;
      const open = isOpen(after) ? 1 : 0;
      if (before === undefined)
        sql.run(
          'INSERT INTO sale (sale, receipt, terminal_id, sequence, refunds, open) VALUES (?, ?, ?, ?, ?, ?)',
          ...[sale, receipt, terminalId, sequence, follows?.sale ?? null, open],
        );
      else if (isOpen(before) !== isOpen(after)) sql.run('UPDATE sale SET open = ? WHERE sale = ?', open, sale);
    },
  };
};
