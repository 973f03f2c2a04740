/**
 * The lines of each batch added up by everything that a report distinguishes, updated with each line in its
 * transaction.
 */
import type { Sql, SqlRow } from '../../journal/sql.ts';
import { type BookLine, type LineSum, sumOfLine } from '../../reconciliation/report.ts';
import { type Buckets, buckets } from '../../reconciliation/whereabouts.ts';

/** A batch of a terminal. Batch 0: the sale belongs to none. */
export type BatchKey = { readonly terminalId: string; readonly batch: number };

const counts = ['count', 'moving', 'taking', 'tips', 'unsent'] as const;
const amounts = ['asked', 'moved', 'tip', 'intended', 'beyond'] as const;
/** As columns, with a prefix because two of the buckets have the names of other sums. */
const columns = [...counts, ...amounts, ...buckets.map((name) => `in_${name}`)];

export const sumsSchema = `CREATE TABLE IF NOT EXISTS book_sum (terminal_id TEXT NOT NULL, batch INTEGER NOT NULL,
  key TEXT NOT NULL, ${columns.map((name) => `${name} INTEGER NOT NULL`).join(', ')},
  PRIMARY KEY (terminal_id, batch, key)) STRICT, WITHOUT ROWID`;

type SumKey = Omit<LineSum, (typeof counts)[number] | (typeof amounts)[number] | 'buckets'>;

/** The properties that the summed lines share, as text with its parts in a fixed order. */
const keyOf = ({ program, ...of }: SumKey): string => {
  const flags = [of.offline, of.isUnknown, of.byTerminal, of.learned];
  return JSON.stringify([
    of.currency,
    of.operation,
    of.brand,
    of.entryMode,
    of.cashier,
    of.ending,
    ...flags.map(Number),
    ...(program ? [program.madeBy ?? null, program.approvedBy ?? null] : []),
  ]);
};

type Key = [string, SumKey['operation'], string, string, string, SumKey['ending'], ...unknown[]];
type Flags = [offline: boolean, isUnknown: boolean, byTerminal: boolean, learned: boolean];

const namedIn = (key: string): SumKey => {
  const [currency, operation, brand, entryMode, cashier, ending, ...more] = JSON.parse(key) as Key;
  const [offline, isUnknown, byTerminal, learned] = more.slice(0, 4).map((one) => one === 1) as Flags;
  const [madeBy, approvedBy] = more.slice(4) as (string | null)[];
  return {
    currency,
    operation,
    brand,
    entryMode,
    cashier,
    ending,
    offline,
    isUnknown,
    byTerminal,
    learned,
    program: more.length > 4 ? { madeBy: madeBy ?? undefined, approvedBy: approvedBy ?? undefined } : undefined,
  };
};

const valuesOf = (sum: LineSum): bigint[] => [
  ...counts.map((name) => BigInt(sum[name])),
  ...amounts.map((name) => sum[name]),
  ...buckets.map((name) => sum.buckets[name]),
];

const upsert = `INSERT INTO book_sum (terminal_id, batch, key, ${columns.join(', ')})
  VALUES (?, ?, ?, ${columns.map(() => '?').join(', ')})
  ON CONFLICT DO UPDATE SET ${columns.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`;

/** Adds a line to the sums of its batch, or removes it. Call it inside the transaction that writes the line. */
export const addLine = (sql: Sql, of: BatchKey, line: BookLine): void => moveSum(sql, of, { line, times: 1n });
export const removeLine = (sql: Sql, of: BatchKey, line: BookLine): void => moveSum(sql, of, { line, times: -1n });

const moveSum = (
  sql: Sql,
  { terminalId, batch }: BatchKey,
  { line, times }: { line: BookLine; times: bigint },
): void => {
  const sum = sumOfLine(line);
  sql.run(upsert, terminalId, batch, keyOf(sum), ...valuesOf(sum).map((value) => value * times));
};

/** The sums of a batch's finished lines. */
export const readSums = (sql: Sql, { terminalId, batch }: BatchKey): LineSum[] =>
  sql.all('SELECT * FROM book_sum WHERE terminal_id = ? AND batch = ? AND count > 0', terminalId, batch).map(sumIn);

/** A list's totals of lines in one currency: their number, how many of them took money, and the amount moved. */
export type LineTotal = Pick<LineSum, 'currency' | 'count' | 'taking' | 'moved'>;

/** The same by currency only, added up by the database. */
export const readTotals = (sql: Sql, { terminalId, batch }: BatchKey): LineTotal[] =>
  sql
    .all(
      `SELECT json_extract(key, '$[0]') AS currency, sum(count) AS count, sum(taking) AS taking, sum(moved) AS moved
       FROM book_sum WHERE terminal_id = ? AND batch = ? AND count > 0 GROUP BY 1`,
      terminalId,
      batch,
    )
    .map(({ currency, count, taking, moved }) => ({
      currency: String(currency),
      count: Number(count),
      taking: Number(taking),
      moved: toBigInt(moved),
    }));

const sumIn = (row: SqlRow): LineSum => ({
  ...namedIn(String(row['key'])),
  ...(Object.fromEntries(counts.map((name) => [name, Number(row[name])])) as Pick<LineSum, (typeof counts)[number]>),
  ...(Object.fromEntries(amounts.map((name) => [name, toBigInt(row[name])])) as Pick<
    LineSum,
    (typeof amounts)[number]
  >),
  buckets: Object.fromEntries(buckets.map((name) => [name, toBigInt(row[`in_${name}`])])) as Buckets,
});

const toBigInt = (value: unknown): bigint => BigInt(value as number);

/** Whether two lists have the same sums, however their lines are grouped. */
export const isSameSums = (one: readonly LineSum[], other: readonly LineSum[]): boolean => {
  const texts = [one, other].map((sums) =>
    [...byKey(sums)]
      .map((pair) => pair.join(' '))
      .sort()
      .join('\n'),
  );
  return texts[0] === texts[1];
};

const byKey = (sums: readonly LineSum[]): Map<string, bigint[]> => {
  const all = new Map<string, bigint[]>();
  for (const sum of sums) {
    const values = valuesOf(sum);
    const before = all.get(keyOf(sum));
    all.set(keyOf(sum), before === undefined ? values : before.map((value, i) => value + (values[i] ?? 0n)));
  }
  return all;
};
