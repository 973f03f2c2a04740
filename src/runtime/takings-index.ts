/** What each sale has moved, by when, terminal and brand: the figures of a day without reading a single sale. */
import type { Sql, SqlRow } from '../journal/sql.ts';
import type { Operation } from '../till/facts.ts';
import type { Sale } from '../till/sale.ts';
import { brandOf, movedBy } from './books-lines.ts';
import type { LedgerIndex } from './ledger-index.ts';

/** By receipt: rows of new sales stand at the table's end, and the days are found by the index of the search. */
const schema = `CREATE TABLE IF NOT EXISTS takings (receipt INTEGER PRIMARY KEY, terminal_id TEXT NOT NULL,
  operation TEXT NOT NULL, currency TEXT NOT NULL, brand TEXT NOT NULL, minor INTEGER NOT NULL) STRICT`;

export const takingsIndex = (sql: Sql): LedgerIndex => {
  sql.run(schema);
  const rowAt = (receipt: number | undefined): SqlRow | undefined =>
    receipt === undefined ? undefined : sql.get('SELECT operation, brand FROM takings WHERE receipt = ?', receipt);

  const begin = ({ intent }: Sale, { brand, minor }: { brand: string; minor: bigint }): void =>
    sql.run(
      'INSERT INTO takings (receipt, terminal_id, operation, currency, brand, minor) VALUES (?, ?, ?, ?, ?, ?)',
      ...[intent.receipt, intent.terminalId, intent.operation, intent.amount.currency, brand, minor],
    );

  return {
    version: 'takings-1',
    isWhole: (sales) => Number(sql.get('SELECT count(*) AS n FROM takings')?.['n']) === sales,
    clear: () => sql.run('DELETE FROM takings'),
    moved({ before, after }) {
      const { receipt, follows } = after.intent;
      const parent = rowAt(follows?.receipt);
      const operation = parent?.['operation'] as Operation | undefined;
      const inherited = String(parent?.['brand'] ?? '');
      const worth = (sale: Sale) => ({ brand: brandOf(sale) ?? inherited, minor: movedBy(sale, operation) });
      const is = worth(after);
      if (before === undefined) return begin(after, is);
      const was = worth(before);
      if (was.brand !== is.brand || was.minor !== is.minor)
        sql.run('UPDATE takings SET brand = ?, minor = ? WHERE receipt = ?', is.brand, is.minor, receipt);
    },
  };
};

/** What was charged and what was given back in some sales, minor units, both without a sign. `count`: of charges. */
export type Takings = { name: string; count: number; taken: bigint; refunded: bigint };

type Span = { from: number; to: number; currency: string };

/** Of the sales that were begun from `from` on and before `to`, ms, in this currency. */
const inSpan = `FROM sale_search s INDEXED BY sale_search_at JOIN takings t ON t.receipt = s.receipt
  WHERE s.at >= ? AND s.at < ? AND t.currency = ?`;

const sums = `sum(t.minor > 0) AS n, coalesce(sum(max(t.minor, 0)), 0) AS taken,
  coalesce(sum(max(-t.minor, 0)), 0) AS refunded`;

const takingsIn = (row: SqlRow): Takings => ({
  name: String(row['name'] ?? ''),
  count: Number(row['n'] ?? 0),
  taken: BigInt(Number(row['taken'] ?? 0)),
  refunded: BigInt(Number(row['refunded'] ?? 0)),
});

export const takingsOf = (sql: Sql, { from, to, currency }: Span): Takings =>
  takingsIn(sql.get(`SELECT ${sums} ${inSpan}`, from, to, currency) ?? {});

/** The same by hours since `from`: `name` is the number of the hour. Hours in which nothing was moved are left out. */
export const takingsByHour = (sql: Sql, { from, to, currency }: Span): Takings[] =>
  sql
    .all(
      `SELECT CAST(s.at - ? AS INTEGER) / 3600000 AS name, ${sums} ${inSpan} GROUP BY 1 ORDER BY 1`,
      from,
      from,
      to,
      currency,
    )
    .map(takingsIn);

/** The same by brand or terminal, those that took most first. */
export const takingsBy = (sql: Sql, column: 'brand' | 'terminal_id', { from, to, currency }: Span): Takings[] =>
  sql
    .all(
      `SELECT t.${column} AS name, ${sums} ${inSpan} GROUP BY 1 HAVING n > 0 ORDER BY taken DESC, 1`,
      ...[from, to, currency],
    )
    .map(takingsIn);

/** How many sales were begun, whatever became of them. */
export const salesBegun = (sql: Sql, { from, to }: Omit<Span, 'currency'>): number =>
  Number(sql.get('SELECT count(*) AS n FROM sale_search WHERE at >= ? AND at < ?', from, to)?.['n'] ?? 0);

/**
 * Entries, those that charged, and what they moved by currency, of the sales begun between two entries of the journal,
 * both left out.
 */
export const takingsBetween = (
  sql: Sql,
  { after, before, terminalId }: { after: number; before: number; terminalId: string },
): { currency: string; count: number; made: number; net: bigint }[] =>
  sql
    .all(
      `SELECT t.currency AS currency, count(*) AS n, sum(t.minor > 0) AS made, sum(t.minor) AS net
       FROM entry e JOIN sale s ON s.sale = e.subject
       JOIN takings t ON t.receipt = s.receipt
       WHERE e.entry > ? AND e.entry < ? AND e.kind = 'intended' AND t.terminal_id = ? GROUP BY 1 ORDER BY 1`,
      ...[after, before, terminalId],
    )
    .map(({ currency, n, made, net }) => ({
      ...{ currency: String(currency), count: Number(n), made: Number(made), net: BigInt(Number(net)) },
    }));
