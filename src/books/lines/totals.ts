/** What each sale has moved, by time, terminal and brand: gives the figures of a day without reading a single sale. */
import type { Sql, SqlRow } from '../../journal/sql.ts';
import type { LedgerIndex } from '../../ledger/ledger-index.ts';
import type { Intent, Operation } from '../../till/machine/facts.ts';
import type { Sale } from '../../till/machine/sale.ts';
import { brandOf, movedBy } from './lines.ts';

// Amounts taken and given back in each quarter of an hour: in total, by brand and by terminal. Updated with each step
// of a sale, so that the figures of a day cost the same in the evening as in the morning.

/** Time zones and nearly all cut-offs are at whole quarters of an hour. */
export const QUARTER_MS = 900_000;

/** The `total` part has an empty name, and only it counts `begun`. */
type TotalsPart = 'total' | 'brand' | 'terminal_id';

const sumsSchema = `CREATE TABLE IF NOT EXISTS takings_quarter (part TEXT NOT NULL, at INTEGER NOT NULL, currency TEXT NOT NULL,
  name TEXT NOT NULL, made INTEGER NOT NULL, taken INTEGER NOT NULL, refunded INTEGER NOT NULL, begun INTEGER NOT NULL,
  PRIMARY KEY (part, at, currency, name)) STRICT, WITHOUT ROWID`;

/** The amount that one sale moved, in minor units; negative if it was given back. */
export type Worth = { brand: string; minor: bigint };

export const openQuarterTotals = (sql: Sql) => {
  sql.run(sumsSchema);
  const add = ({ at, amount }: Intent, [part, name]: Place, by: Sums): void => {
    if (by.made === 0 && by.taken === 0n && by.refunded === 0n && by.begun === 0) return;
    const row = [part, at - (at % QUARTER_MS), amount.currency, name, by.made, by.taken, by.refunded, by.begun];
    sql.run(
      `INSERT INTO takings_quarter (part, at, currency, name, made, taken, refunded, begun)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET made = made + excluded.made,
       taken = taken + excluded.taken, refunded = refunded + excluded.refunded, begun = begun + excluded.begun`,
      ...row,
    );
  };
  const move = (intent: Intent, previous: Worth | undefined, current: Worth): void => {
    const sums = difference(previous?.minor ?? 0n, current.minor);
    add(intent, ['total', ''], { ...sums, begun: previous === undefined ? 1 : 0 });
    add(intent, ['terminal_id', intent.terminalId], sums);
    if (previous !== undefined && previous.brand !== current.brand) {
      add(intent, ['brand', previous.brand], difference(previous.minor, 0n));
      add(intent, ['brand', current.brand], difference(0n, current.minor));
    } else add(intent, ['brand', current.brand], sums);
  };
  return {
    /** How many sales are included. */
    begun: (): number =>
      Number(sql.get("SELECT sum(begun) AS n FROM takings_quarter WHERE part = 'total'")?.['n'] ?? 0),
    clear: (): void => sql.run('DELETE FROM takings_quarter'),
    /** `previous` is undefined for a new sale. */
    move,
  };
};

type Place = readonly [part: TotalsPart, name: string];
type Sums = { made: number; taken: bigint; refunded: bigint; begun: number };

const difference = (previous: bigint, current: bigint): Sums => ({
  made: Number(current > 0n) - Number(previous > 0n),
  taken: charged(current) - charged(previous),
  refunded: charged(-current) - charged(-previous),
  begun: 0,
});

const charged = (minor: bigint): bigint => (minor > 0n ? minor : 0n);

/** Keyed by receipt, so that new rows go to the end of the table. Days are found by the search index. */
const schema = `CREATE TABLE IF NOT EXISTS takings (receipt INTEGER PRIMARY KEY, terminal_id TEXT NOT NULL,
  operation TEXT NOT NULL, currency TEXT NOT NULL, brand TEXT NOT NULL, minor INTEGER NOT NULL) STRICT`;

export const totalsIndex = (sql: Sql): LedgerIndex => {
  sql.run(schema);
  const sums = openQuarterTotals(sql);
  const rowAt = (receipt: number | undefined): SqlRow | undefined =>
    receipt === undefined
      ? undefined
      : sql.get('SELECT operation, brand, minor FROM takings WHERE receipt = ?', receipt);

  const begin = ({ intent }: Sale, current: Worth): void => {
    const row = [
      intent.receipt,
      intent.terminalId,
      intent.operation,
      intent.amount.currency,
      current.brand,
      current.minor,
    ];
    sql.run(
      'INSERT INTO takings (receipt, terminal_id, operation, currency, brand, minor) VALUES (?, ?, ?, ?, ?, ?)',
      ...row,
    );
    sums.move(intent, undefined, current);
  };

  return {
    version: 'takings-2',
    isWhole: (sales) => Number(sql.get('SELECT count(*) AS n FROM takings')?.['n']) === sales && sums.begun() === sales,
    clear() {
      sql.run('DELETE FROM takings');
      sums.clear();
    },
    apply({ before, after }) {
      const { receipt, follows } = after.intent;
      const parent = rowAt(follows?.receipt);
      const operation = parent?.['operation'] as Operation | undefined;
      const inherited = String(parent?.['brand'] ?? '');
      const worthOf = (sale: Sale): Worth => ({ brand: brandOf(sale) ?? inherited, minor: movedBy(sale, operation) });
      const current = worthOf(after);
      if (before === undefined) return begin(after, current);
      const previous = worthOf(before);
      if (previous.brand === current.brand && previous.minor === current.minor) return;
      const { brand, minor } = rowAt(receipt) ?? {};
      sums.move(after.intent, { brand: String(brand ?? ''), minor: BigInt(Number(minor ?? 0)) }, current);
      sql.run('UPDATE takings SET brand = ?, minor = ? WHERE receipt = ?', current.brand, current.minor, receipt);
    },
  };
};

/** Amounts charged and given back in some sales, in minor units, both positive. `count` is the number of charges. */
export type SalesTotals = { name: string; count: number; taken: bigint; refunded: bigint };

type Span = { from: number; to: number; currency: string };

/** Where to read the figures of sales that began in [from, to), ms, in one currency. */
type Source = { at: string; name: string; sums: string; rows: string };

const isOfQuarters = ({ from, to }: Omit<Span, 'currency'>): boolean =>
  from % QUARTER_MS === 0 && to % QUARTER_MS === 0;

/** A span that does not consist of whole quarters of an hour is summed sale by sale. */
const sourceOf = (span: Span, part: TotalsPart): Source =>
  isOfQuarters(span)
    ? {
        at: 'at',
        name: 'name',
        sums: `coalesce(sum(made), 0) AS n, coalesce(sum(taken), 0) AS taken, coalesce(sum(refunded), 0) AS refunded`,
        rows: `FROM takings_quarter WHERE part = '${part}' AND at >= ? AND at < ? AND currency = ?`,
      }
    : {
        at: 's.at',
        name: part === 'total' ? "''" : `t.${part}`,
        sums: `sum(t.minor > 0) AS n, coalesce(sum(max(t.minor, 0)), 0) AS taken,
          coalesce(sum(max(-t.minor, 0)), 0) AS refunded`,
        rows: `FROM sale_search s INDEXED BY sale_search_at JOIN takings t ON t.receipt = s.receipt
          WHERE s.at >= ? AND s.at < ? AND t.currency = ?`,
      };

const totalsInRow = (row: SqlRow): SalesTotals => ({
  name: String(row['name'] ?? ''),
  count: Number(row['n'] ?? 0),
  taken: BigInt(Number(row['taken'] ?? 0)),
  refunded: BigInt(Number(row['refunded'] ?? 0)),
});

export const totalsOf = (sql: Sql, span: Span): SalesTotals => {
  const { sums, rows } = sourceOf(span, 'total');
  return totalsInRow(sql.get(`SELECT ${sums} ${rows}`, span.from, span.to, span.currency) ?? {});
};

/** The same by hours since `from`; `name` is the number of the hour. Hours without movement are left out. */
export const totalsByHour = (sql: Sql, span: Span): SalesTotals[] => {
  const { from, to, currency } = span;
  const { at, sums, rows } = sourceOf(span, 'total');
  const values = [from, from, to, currency];
  return sql
    .all(`SELECT CAST(${at} - ? AS INTEGER) / 3600000 AS name, ${sums} ${rows} GROUP BY 1 ORDER BY 1`, ...values)
    .map(totalsInRow);
};

/** The same by brand or terminal, highest takings first. */
export const totalsBy = (sql: Sql, part: 'brand' | 'terminal_id', span: Span): SalesTotals[] => {
  const { name, sums, rows } = sourceOf(span, part);
  const values = [span.from, span.to, span.currency];
  return sql
    .all(`SELECT ${name} AS name, ${sums} ${rows} GROUP BY 1 HAVING n > 0 ORDER BY taken DESC, 1`, ...values)
    .map(totalsInRow);
};

/** How many sales began, whatever became of them. */
export const salesBegun = (sql: Sql, span: Omit<Span, 'currency'>): number => {
  const statement = isOfQuarters(span)
    ? "SELECT sum(begun) AS n FROM takings_quarter WHERE part = 'total' AND at >= ? AND at < ?"
    : 'SELECT count(*) AS n FROM sale_search WHERE at >= ? AND at < ?';
  return Number(sql.get(statement, span.from, span.to)?.['n'] ?? 0);
};
