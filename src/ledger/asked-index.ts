/** To find a sale by the name that its request was given, and the sales of one cashier, without reading all of them. */
import type { Sql } from '../journal/sql.ts';
import type { LedgerIndex } from './ledger-index.ts';

const schema = [
  `CREATE TABLE IF NOT EXISTS sale_asked (sale TEXT PRIMARY KEY, receipt INTEGER NOT NULL, cashier TEXT NOT NULL,
   asked TEXT, asked_of TEXT) STRICT, WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS sale_asked_key ON sale_asked (asked) WHERE asked IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS sale_asked_cashier ON sale_asked (cashier, receipt)',
  'CREATE INDEX IF NOT EXISTS sale_asked_receipt ON sale_asked (receipt)',
  'CREATE TABLE IF NOT EXISTS sale_count (cashier TEXT PRIMARY KEY, sales INTEGER NOT NULL) STRICT, WITHOUT ROWID',
];

export const askedIndex = (sql: Sql): LedgerIndex => {
  for (const statement of schema) sql.run(statement);
  return {
    version: 'asked-2',
    isWhole: (sales) =>
      Number(sql.get('SELECT count(*) AS n FROM sale_asked')?.['n']) === sales && salesOf(sql, undefined) === sales,
    clear() {
      for (const table of ['sale_asked', 'sale_count']) sql.run(`DELETE FROM ${table}`);
    },
    moved({ before, after }) {
      if (before !== undefined) return;
      const { sale, receipt, cashier = '', asked } = after.intent;
      sql.run(
        'INSERT INTO sale_asked (sale, receipt, cashier, asked, asked_of) VALUES (?, ?, ?, ?, ?)',
        sale,
        receipt,
        cashier,
        asked?.key ?? null,
        asked?.of ?? null,
      );
      sql.run(
        'INSERT INTO sale_count (cashier, sales) VALUES (?, 1) ON CONFLICT DO UPDATE SET sales = sales + 1',
        cashier,
      );
    },
  };
};

/** The sale that was begun by the request of this name, and the hash of what was asked for under it. */
export const saleAsked = (sql: Sql, key: string): { sale: string; of: string } | undefined => {
  const row = sql.get('SELECT sale, asked_of FROM sale_asked WHERE asked = ?', key);
  return row && { sale: String(row['sale']), of: String(row['asked_of']) };
};

export type Slice = { from: number; most: number; cashier?: string };

/** Ids, newest first; `total` is how many there are in all. Of every cashier where none is named. */
export const slicedSales = (sql: Sql, { from, most, cashier }: Slice): { sales: string[]; total: number } => {
  const [where, values] = cashier === undefined ? ['', []] : ['WHERE cashier = ?', [cashier]];
  const rows = sql.all(
    `SELECT sale FROM sale_asked ${where} ORDER BY receipt DESC LIMIT ? OFFSET ?`,
    ...[...values, most, from],
  );
  return { sales: rows.map(({ sale }) => String(sale)), total: salesOf(sql, cashier) };
};

/** How many one cashier has made, or all. */
const salesOf = (sql: Sql, cashier: string | undefined): number => {
  const [where, values] = cashier === undefined ? ['', []] : ['WHERE cashier = ?', [cashier]];
  return Number(sql.get(`SELECT sum(sales) AS n FROM sale_count ${where}`, ...values)?.['n'] ?? 0);
};

/** In whose name a sale was made, and under which name its request came; undefined for one that there is not. */
export const makerOf = (sql: Sql, sale: string): { cashier: string; asked: string } | undefined => {
  const row = sql.get('SELECT cashier, asked FROM sale_asked WHERE sale = ?', sale);
  return row && { cashier: String(row['cashier']), asked: String(row['asked'] ?? '') };
};
