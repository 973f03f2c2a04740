/**
 * What was taken offline in each quarter of an hour, kept with each step that changes it: the limits of the last hour
 * and of the day add up some quarters, and sale by sale only the one that their span begins in.
 */
import type { Sql, SqlRow } from '../journal/sql.ts';
import type { Instant } from '../till/machine/offline-facts.ts';

const QUARTER_MS = 900_000;
const HOUR_MS = 3_600_000;

/** `at` and `up_ms`: where the quarter begins, by trusted time and by the machine's own. */
const schema = [
  `CREATE TABLE IF NOT EXISTS offline_quarter (at INTEGER NOT NULL, boot TEXT NOT NULL, up_ms INTEGER NOT NULL,
   kind TEXT NOT NULL, n INTEGER NOT NULL, minor INTEGER NOT NULL, PRIMARY KEY (at, boot, up_ms, kind))
   STRICT, WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS offline_quarter_up ON offline_quarter (boot, up_ms)',
];

/** Nothing is bound to the factor: a number of JavaScript would make a fraction of the sum. */
const addStatement = (times: 1 | -1): string => `INSERT INTO offline_quarter (at, boot, up_ms, kind, n, minor)
  SELECT at - at % ${QUARTER_MS}, boot, up_ms - up_ms % ${QUARTER_MS}, kind, ${times}, ${times} * minor FROM offline_sale WHERE sale = ?
  ON CONFLICT DO UPDATE SET n = n + excluded.n, minor = minor + excluded.minor`;

const summed = (parts: readonly string[]): string =>
  `SELECT kind, sum(n) AS n, sum(minor) AS minor FROM (${parts.join(' UNION ALL ')}) GROUP BY kind`;

/** What is later than a moment, of the named column: whole quarters, and the rows of the one that the moment is in. */
const later = (column: 'at' | 'up_ms', boot = ''): string[] => [
  `SELECT kind, n, minor FROM offline_quarter WHERE ${boot}${column} > ?`,
  `SELECT kind, 1 AS n, minor FROM offline_sale WHERE ${boot}${column} > ? AND ${column} < ?`,
];
const laterThan = (ms: number): [quarters: number, rows: number, until: number] => [
  ms,
  ms,
  (Math.floor(ms / QUARTER_MS) + 1) * QUARTER_MS,
];

/**
 * By the machine's own time where it has been up since; before its start, by trusted time. What has no machine's time,
 * or a trusted time that is still to come, counts: it is not proved to be older.
 */
const hourStatement = summed([...later('up_ms', 'boot = ? AND '), ...later('at', 'boot <> ? AND ')]);
const dayStatement = summed(later('at'));

/** Of the sales in `offline_sale`, by their kind. */
export const quarterSums = (sql: Sql) => {
  for (const statement of schema) sql.run(statement);
  const add = (sale: string, times: 1 | -1): void => sql.run(addStatement(times), sale);
  return {
    /** The sale stands in the table, or as it is now again. */
    add: (sale: string): void => add(sale, 1),
    /** To be called before it is taken out, or changed. */
    takeOut: (sale: string): void => add(sale, -1),
    clear: (): void => sql.run('DELETE FROM offline_quarter'),
    /** How many sales are in the sums. */
    count: (): number => Number(sql.get('SELECT coalesce(sum(n), 0) AS n FROM offline_quarter')?.['n']),
    hour({ boot, upMs, at }: Instant): SqlRow[] {
      const [up, upRows, upTo] = laterThan(upMs - HOUR_MS);
      const [wall, wallRows, wallTo] = laterThan(at - HOUR_MS);
      return sql.all(hourStatement, boot, up, boot, upRows, upTo, boot, wall, boot, wallRows, wallTo);
    },
    /** `began` and all after it. */
    day: (began: number): SqlRow[] => sql.all(dayStatement, ...laterThan(began - 1)),
  };
};
