/**
 * What is still to be sent, in the journal's own file: a message enters in the same durable step as the event that
 * made it necessary, and leaves in the same step as the event that settled it.
 */
import type { Sql, SqlRow } from '../journal/sql.ts';
import { LONGEST_BACKOFF_MS } from './policy.ts';
import type { Sealer } from './seal.ts';

export type Message = {
  readonly id: string;
  readonly kind: 'reversal' | 'forward' | 'repeat' | 'follow';
  /** The sale it belongs to. */
  readonly sale: string;
  /** The idempotency key: the same on each try. */
  readonly key: string;
  /** What to send as far as anybody may read it, JSON text. */
  readonly body: string;
  /** What only the gateway may read. Sealed at rest; its key is destroyed when the message is settled. */
  readonly secret?: string;
  /** An earlier try may have reached the gateway: it is to be asked before the message is sent again. */
  readonly tried?: boolean;
  /** The sale that has to be answered before this one is sent. */
  readonly after?: string;
};

/** A message at rest: its secret stays sealed until it is sent. */
export type Waiting = Omit<Message, 'secret'> & {
  readonly attempts: number;
  /** Answers in a row that nobody understood. */
  readonly unknowns: number;
  readonly dueAt: number;
  readonly note: string;
};

export type Which = 'all' | 'unknown' | 'reversals';

export interface Outbox {
  /** To be called inside a journal write. */
  put(message: Message, now: number): void;
  /** The secret of a waiting message, opened; undefined when it has none. Throws `seal.broken`. */
  open(id: string): string | undefined;
  /**
   * Messages whose time has come, reversals first, then the oldest. `all` ignores the time; `unknown` gives, at any
   * time, those that a sale's ending waits for: reversals and repeated requests. `reversals`: those that are due.
   */
  due(now: number, which?: Which): Waiting[];
  waiting(): Waiting[];
  parked(): Waiting[];
  /** Wall time of the next message's turn, or undefined when nothing waits. */
  nextAt(): number | undefined;
  /** Durable before each try: after a crash it is known that the gateway may have it. */
  trying(id: string): void;
  retryAt(id: string, retry: { dueAt: number; note: string; unknown: boolean }): void;
  /** To be called inside a journal write: the message is settled, its data key destroyed. */
  settle(id: string): void;
  /** Takes the message out of the turn for a person to look at. Its content stays. */
  park(id: string, note: string): void;
  /** Gives all parked messages another turn, now. Returns how many. */
  unpark(now: number): number;
  /** Whether anything of this sale still waits, or is parked. */
  holds(sale: string): boolean;
  /** The readable parts of what waits or is parked. */
  bodies(kind: Message['kind']): string[];
}

const unsettled = "state IN ('waiting', 'parked')";
const order = "ORDER BY kind <> 'reversal', put_at, rowid";

const schema = [
  `CREATE TABLE IF NOT EXISTS message (id TEXT PRIMARY KEY, kind TEXT NOT NULL, sale TEXT NOT NULL,
  key TEXT NOT NULL, body TEXT NOT NULL, sealed BLOB, wrapped BLOB, state TEXT NOT NULL, attempts INTEGER NOT NULL,
  unknowns INTEGER NOT NULL, tried INTEGER NOT NULL, due_at INTEGER NOT NULL, note TEXT NOT NULL,
  put_at INTEGER NOT NULL, after_sale TEXT) STRICT`,
  `CREATE INDEX IF NOT EXISTS message_sale ON message (sale) WHERE ${unsettled}`,
  `CREATE INDEX IF NOT EXISTS message_kind ON message (kind) WHERE ${unsettled}`,
  "CREATE INDEX IF NOT EXISTS message_waiting ON message (due_at) WHERE state = 'waiting'",
];

export const openOutbox = (sql: Sql, sealer: Sealer): Outbox => {
  const waiting = (condition: string, ...values: number[]): Waiting[] =>
    sql.all(`SELECT * FROM message WHERE state = 'waiting' AND ${condition} ${order}`, ...values).map(messageOf);
  for (const statement of schema) sql.run(statement);
  return {
    put({ id, kind, sale, key, body, secret, tried, after }, now) {
      const record = secret === undefined ? undefined : sealer.seal(id, secret);
      sql.run(
        "INSERT INTO message VALUES (?, ?, ?, ?, ?, ?, ?, 'waiting', 0, 0, ?, ?, '', ?, ?)",
        ...[
          id,
          kind,
          sale,
          key,
          body,
          record?.sealed ?? null,
          record?.wrapped ?? null,
          tried === true ? 1 : 0,
          now,
          now,
          after ?? null,
        ],
      );
    },
    open(id) {
      const { sealed, wrapped } = sql.get('SELECT sealed, wrapped FROM message WHERE id = ?', id) ?? {};
      if (!(sealed instanceof Uint8Array && wrapped instanceof Uint8Array)) return undefined;
      return sealer.open(id, { sealed, wrapped });
    },
    due(now, which) {
      if (which === 'all') return waiting('1');
      if (which === 'unknown') return waiting("kind <> 'forward'");
      const kind = which === 'reversals' ? "kind = 'reversal' AND " : '';
      return waiting(`${kind}due_at NOT BETWEEN ? AND ?`, now + 1, now + LONGEST_BACKOFF_MS);
    },
    waiting: () => waiting('1'),
    parked: () => sql.all(`SELECT * FROM message WHERE state = 'parked' ${order}`).map(messageOf),
    nextAt() {
      const next = sql.get("SELECT min(due_at) AS at FROM message WHERE state = 'waiting'")?.['at'];
      return next === null || next === undefined ? undefined : Number(next);
    },
    trying: (id) => sql.run('UPDATE message SET attempts = attempts + 1, tried = 1 WHERE id = ?', id),
    retryAt: (id, { dueAt, note, unknown }) =>
      sql.run(
        'UPDATE message SET due_at = ?, note = ?, unknowns = iif(?, unknowns + 1, 0) WHERE id = ?',
        ...[dueAt, note, unknown ? 1 : 0, id],
      ),
    settle: (id) => sql.run("UPDATE message SET state = 'done', sealed = NULL, wrapped = NULL WHERE id = ?", id),
    park: (id, note) => sql.run("UPDATE message SET state = 'parked', note = ? WHERE id = ?", note, id),
    unpark(now) {
      const parked = sql.all("SELECT id FROM message WHERE state = 'parked'").length;
      sql.run("UPDATE message SET state = 'waiting', unknowns = 0, due_at = ? WHERE state = 'parked'", now);
      return parked;
    },
    holds: (sale) => sql.get(`SELECT 1 FROM message WHERE sale = ? AND ${unsettled}`, sale) !== undefined,
    bodies: (kind) =>
      sql.all(`SELECT body FROM message WHERE kind = ? AND ${unsettled}`, kind).map((row) => String(row['body'])),
  };
};

const messageOf = (row: SqlRow): Waiting => ({
  id: String(row['id']),
  kind: String(row['kind']) as Message['kind'],
  sale: String(row['sale']),
  key: String(row['key']),
  body: String(row['body']),
  tried: row['tried'] !== 0,
  attempts: Number(row['attempts']),
  unknowns: Number(row['unknowns']),
  dueAt: Number(row['due_at']),
  note: String(row['note']),
  ...(typeof row['after_sale'] === 'string' && { after: row['after_sale'] }),
});
