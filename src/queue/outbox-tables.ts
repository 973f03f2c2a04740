/** The queue's tables, and the upgrade of an older till's tables. */
import { Fault } from '../base/fault.ts';
import type { Sql } from '../journal/sql.ts';

/** Messages that are not settled; and among them those that the ending of a sale waits for. */
export const unsettled = "state IN ('waiting', 'parked')";
export const isUnknown = "kind IN ('reversal', 'repeat')";

/** The kinds that this version can send. */
export const messageKinds = ['reversal', 'forward', 'repeat', 'follow'] as const;

const schema = [
  `CREATE TABLE IF NOT EXISTS message (id TEXT PRIMARY KEY, kind TEXT NOT NULL, sale TEXT NOT NULL,
  key TEXT NOT NULL, body TEXT NOT NULL, sealed BLOB, wrapped BLOB, state TEXT NOT NULL, attempts INTEGER NOT NULL,
  unknowns INTEGER NOT NULL, tried INTEGER NOT NULL, due_at INTEGER NOT NULL, note TEXT NOT NULL,
  put_at INTEGER NOT NULL, after_sale TEXT, again INTEGER NOT NULL DEFAULT 0,
  answers INTEGER NOT NULL DEFAULT 0) STRICT`,
];

/** There are few indexes, and they are small: each one makes the step that stores a sale more expensive. */
const indexes = [
  'DROP INDEX IF EXISTS message_kind',
  `CREATE INDEX IF NOT EXISTS message_sale ON message (sale) WHERE ${unsettled}`,
  "CREATE INDEX IF NOT EXISTS message_waiting ON message (due_at) WHERE state = 'waiting'",
  "CREATE INDEX IF NOT EXISTS message_parked ON message (put_at) WHERE state = 'parked'",
  `CREATE INDEX IF NOT EXISTS message_unknown ON message (due_at) WHERE state = 'waiting' AND ${isUnknown}`,
  "CREATE INDEX IF NOT EXISTS message_urgent ON message (due_at) WHERE state = 'waiting' AND kind = 'reversal'",
  `CREATE INDEX IF NOT EXISTS message_after ON message (after_sale)
   WHERE state = 'waiting' AND after_sale IS NOT NULL`,
];

/** Adds missing columns to the queue of an older till. Harmless if none is missing, or there is no queue. */
export const upgradeOutbox = (sql: Sql): void => {
  const has = new Set(sql.all('PRAGMA table_info(message)').map(({ name }) => name));
  if (has.size === 0) return;
  if (!has.has('after_sale')) sql.run('ALTER TABLE message ADD COLUMN after_sale TEXT');
  for (const name of ['again', 'answers'])
    if (!has.has(name)) sql.run(`ALTER TABLE message ADD COLUMN ${name} INTEGER NOT NULL DEFAULT 0`);
};

export const makeOutboxTables = (sql: Sql): void => {
  upgradeOutbox(sql);
  for (const statement of [...schema, ...indexes]) sql.run(statement);
};

// How many messages are in the queue, and for how long: counted without reading a message.

export type QueueFigures = {
  waiting: number;
  parked: number;
  /** When the oldest waiting message entered the queue, ms. */
  oldestPutAt: number | undefined;
};

export const queueFigures = (sql: Sql): QueueFigures => {
  const of = (state: 'waiting' | 'parked') =>
    sql.get(`SELECT count(*) AS count, min(put_at) AS oldest FROM message WHERE state = '${state}'`);
  const waiting = of('waiting');
  const oldest = waiting?.['oldest'];
  return {
    waiting: Number(waiting?.['count'] ?? 0),
    parked: Number(of('parked')?.['count'] ?? 0),
    oldestPutAt: typeof oldest === 'number' ? oldest : undefined,
  };
};

// Which forwarder sends the messages of a journal. Another process cannot open the file at all: this prevents a second
// sender within the process. The row lives as long as the connection, so that a crash leaves none behind.

const leaseSchema =
  'CREATE TEMP TABLE IF NOT EXISTS sender (only INTEGER PRIMARY KEY CHECK (only = 1), holder TEXT NOT NULL)';

/** Throws `queue.held`. Call the result to release it. */
export const takeLease = (sql: Sql, holder: string): (() => void) => {
  sql.run(leaseSchema);
  const held = sql.get('SELECT holder FROM sender')?.['holder'];
  if (held !== undefined) throw new Fault('queue.held', { holder: String(held) });
  sql.run('INSERT INTO sender (only, holder) VALUES (1, ?)', holder);
  return () => sql.run('DELETE FROM sender');
};
