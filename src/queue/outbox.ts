/**
 * The messages still to be sent, in the journal's own file: a message enters in the same durable step as the event that
 * made it necessary, and leaves in the same step as the event that settled it.
 */
import { printable } from '../base/mask.ts';
import type { TestAnswers } from '../base/open-messages.ts';
import type { Sql, SqlRow, SqlValue } from '../journal/sql.ts';
import { createManualOperations, type ManualOperations, marked, unmarked } from './manual-operations.ts';
import { isUnknown, makeOutboxTables, takeLease, unsettled } from './outbox-tables.ts';
import { LONGEST_BACKOFF_MS } from './policy.ts';
import type { Sealer } from './seal.ts';

export type Message = {
  readonly id: string;
  readonly kind: 'reversal' | 'forward' | 'repeat' | 'follow';
  readonly sale: string;
  /** The idempotency key: the same for each try. */
  readonly key: string;
  /** The content that is not secret, JSON text. */
  readonly body: string;
  /** The content that only the gateway may read. Sealed at rest; its key is destroyed when the message is settled. */
  readonly secret?: string;
  /** An earlier try may have reached the gateway, which must be asked before the message is sent again. */
  readonly tried?: boolean;
  /** The sale that must be answered before this message is sent. */
  readonly after?: string;
  /** How many answers came from someone who could not decide: after each, the next try is a new request. */
  readonly again?: number;
};

/** A message at rest: its secret stays sealed until it is sent. */
export type WaitingMessage = Omit<Message, 'secret'> & {
  readonly attempts: number;
  readonly again: number;
  /** How many answers in a row had no known meaning. */
  readonly unknowns: number;
  /** How many answers settled nothing, since it was put or a person gave it another turn. */
  readonly answers: number;
  readonly dueAt: number;
  /** Wall time at which it entered the queue. */
  readonly putAt: number;
  readonly note: string;
};

/**
 * `all` and `urgent` (reversals) are for people and ignore the due time. `unknown` (what a sale's ending waits for) and
 * `reversals` select due messages: a message keeps its pace, whoever asks.
 */
export type MessageGroup = 'all' | 'unknown' | 'urgent' | 'reversals';

/** Where a page of ready messages begins: after the last one of the previous page. */
export type OutboxCursor = { readonly dueAt: number; readonly row: number };

export type Ready = WaitingMessage & { readonly place: OutboxCursor };

/** The result of a try that settled nothing. */
export type Retry = {
  dueAt: number;
  note: string;
  unknown: boolean;
  answered?: boolean;
  /** The answer came from someone who could not decide: the next try is a new request. */
  again?: boolean;
  /** Provably never sent: this was the first attempt. */
  unsent?: boolean;
};

export interface Outbox extends ManualOperations {
  /** Call inside a journal write. */
  put(message: Message, now: number): void;
  /** The secret of a waiting message, opened; undefined when it has none. Throws `seal.broken`. */
  open(id: string): string | undefined;
  /**
   * Due messages, reversals first, then the oldest. `all` ignores the due time. `unknown` selects those that a sale's
   * ending waits for: reversals and repeated requests. A message that follows a sale with an unsettled message is left
   * out, and so is a message behind another one that follows the same sale.
   */
  due(now: number, which?: MessageGroup): WaitingMessage[];
  /** At most `most` of them, starting after `after`, in the order they became due, reversals included. */
  page(
    now: number,
    from: { which?: MessageGroup | undefined; after?: OutboxCursor | undefined; most: number },
  ): Ready[];
  /** The messages that waited for this one, now that it is settled. */
  freedBy(message: Pick<Message, 'sale' | 'after'>): Ready[];
  /** How many wait, including those behind another message. `all` ignores the due time. */
  countDue(now: number, which?: MessageGroup): number;
  /** All of them, or those of one sale. */
  waiting(sale?: string): WaitingMessage[];
  parked(sale?: string): WaitingMessage[];
  parkedOf(sale: string): WaitingMessage | undefined;
  /** Wall time of the next due message, or undefined when none can be sent. `reversals`: considers only those. */
  nextAt(which?: 'reversals'): number | undefined;
  /**
   * Durable before each try: after a crash it is known that the gateway may have the message. Several in one step.
   * Returns those that still wait: the others were settled, parked or withdrawn.
   */
  markTrying(...ids: string[]): Set<string>;
  /** The try settled nothing. */
  retryAt(id: string, retry: Retry): void;
  /** Call inside a journal write: the message is settled, and its data key destroyed. */
  settle(id: string): void;
  /**
   * Sets the message aside for a person. Its content stays. `answered`: a test system answered a live till; the next
   * try is a new request, and `mended` gives it another turn.
   */
  park(id: string, note: string, answered?: TestAnswers): void;
  holds(sale: string): boolean;
  /** The readable parts of waiting and parked messages. */
  bodies(kind: Message['kind']): string[];
  /** One sender per journal. Throws `queue.held` with the name of the current one. Call the result to release it. */
  lease(holder: string): () => void;
}

/** Everything except the sealed content, which is read when its message is sent. */
const columns =
  'rowid, id, kind, sale, key, body, tried, attempts, unknowns, answers, again, due_at, note, put_at, after_sale';
const order = "ORDER BY kind <> 'reversal', put_at, rowid";

/** The message's parent has no unsettled message, and no earlier message that follows the same parent still waits. */
const isFree = `(after_sale IS NULL OR (
  NOT EXISTS (SELECT 1 FROM message p WHERE p.sale = message.after_sale AND p.${unsettled})
  AND NOT EXISTS (SELECT 1 FROM message s WHERE s.after_sale = message.after_sale AND s.state = 'waiting'
    AND s.rowid < message.rowid)))`;

/** A due time too far in the future comes from a clock that was set back: it counts as due. */
const isDue = 'due_at NOT BETWEEN ? AND ?';
const soon = (now: number): number[] => [now + 1, now + LONGEST_BACKOFF_MS];

/** A condition on a waiting message, and the values for its `?` at that wall time, in order. */
type Condition = { where: string; values(now: number): number[] };

const none = (): number[] => [];
const conditions: Readonly<Record<MessageGroup | 'due', Condition>> = {
  all: { where: '1', values: none },
  unknown: { where: `${isUnknown} AND ${isDue}`, values: soon },
  urgent: { where: "kind = 'reversal'", values: none },
  reversals: { where: `kind = 'reversal' AND ${isDue}`, values: soon },
  due: { where: isDue, values: soon },
};

export const openOutbox = (sql: Sql, sealer: Sealer): Outbox => {
  makeOutboxTables(sql);
  return {
    ...contents(sql, sealer),
    ...turns(sql),
    ...endings(sql),
    holds: (sale) => sql.get(`SELECT 1 FROM message WHERE sale = ? AND ${unsettled}`, sale) !== undefined,
    bodies: (kind) =>
      sql.all(`SELECT body FROM message WHERE kind = ? AND ${unsettled}`, kind).map((row) => String(row['body'])),
    lease: (holder) => takeLease(sql, holder),
  };
};

/**
 * Secrets are JSON, padded with spaces to this length. SQLite leaves copies of a row on its pages when it moves rows,
 * and `secure_delete` does not reach them; but content that does not fit on a row's own page (4096 bytes) is on
 * separate pages, which are never copied, and zeroed when released. So the wrapped key, which follows it, is certainly
 * gone.
 */
const SECRET_LEAST = 4_096;

const contents = (sql: Sql, sealer: Sealer): Pick<Outbox, 'put' | 'open'> => ({
  put({ id, kind, sale, key, body, secret, tried, after, again = 0 }, now) {
    const record = secret === undefined ? undefined : sealer.seal(id, secret.padEnd(SECRET_LEAST));
    const sealed = [record?.sealed ?? null, record?.wrapped ?? null];
    const row = [id, kind, sale, key, body, ...sealed, tried === true ? 1 : 0, now, now, after ?? null, again];
    sql.run(
      `INSERT INTO message (id, kind, sale, key, body, sealed, wrapped, state, attempts, unknowns, tried, due_at, note,
       put_at, after_sale, again) VALUES (?, ?, ?, ?, ?, ?, ?, 'waiting', 0, 0, ?, ?, '', ?, ?, ?)`,
      ...row,
    );
  },
  open(id) {
    const { sealed, wrapped } = sql.get('SELECT sealed, wrapped FROM message WHERE id = ?', id) ?? {};
    if (!(sealed instanceof Uint8Array && wrapped instanceof Uint8Array)) return undefined;
    return sealer.open(id, { sealed, wrapped }).trimEnd();
  },
});

type Turns = 'due' | 'page' | 'freedBy' | 'countDue' | 'waiting' | 'parked' | 'parkedOf' | 'nextAt';

/** Selects the messages that are sent next. */
const turns = (sql: Sql): Pick<Outbox, Turns> => {
  const condition = (now: number, which: MessageGroup | 'due' = 'due') => {
    const { where, values } = conditions[which];
    return { where, values: values(now) };
  };
  const select = (rest: string, ...values: SqlValue[]): Ready[] =>
    sql.all(`SELECT ${columns} FROM message ${rest}`, ...values).map(messageOf);
  const readyIn = (state: 'waiting' | 'parked', sale: string | undefined): Ready[] =>
    sale === undefined
      ? select(`WHERE state = '${state}' ${order}`)
      : select(`WHERE sale = ? AND state = '${state}' ${order}`, sale);
  return {
    due(now, which) {
      const { where, values } = condition(now, which);
      return select(`WHERE state = 'waiting' AND ${where} AND ${isFree} ${order}`, ...values);
    },
    page(now, { which, after, most }) {
      const { where, values } = condition(now, which);
      const bound = [...values, after?.dueAt ?? Number.MIN_SAFE_INTEGER, after?.row ?? 0, most];
      return select(
        `WHERE state = 'waiting' AND ${where} AND (due_at, rowid) > (?, ?) AND ${isFree} ORDER BY due_at, rowid LIMIT ?`,
        ...bound,
      );
    },
    freedBy: ({ sale, after }) =>
      select(
        `WHERE state = 'waiting' AND after_sale IN (?, ?) AND ${isFree} ORDER BY put_at, rowid`,
        sale,
        after ?? sale,
      ),
    countDue(now, which) {
      const { where, values } = condition(now, which);
      return Number(
        sql.get(`SELECT count(*) AS n FROM message WHERE state = 'waiting' AND ${where}`, ...values)?.['n'],
      );
    },
    waiting: (sale) => readyIn('waiting', sale),
    parked: (sale) => readyIn('parked', sale),
    parkedOf: (sale) => readyIn('parked', sale)[0],
    nextAt(which) {
      const kind = which === 'reversals' ? "AND kind = 'reversal'" : '';
      const next = sql.get(
        `SELECT due_at FROM message WHERE state = 'waiting' ${kind} AND ${isFree} ORDER BY due_at LIMIT 1`,
      );
      return next === undefined ? undefined : Number(next['due_at']);
    },
  };
};

/** How a message leaves the queue, or is retried. */
const endings = (sql: Sql): Pick<Outbox, 'markTrying' | 'retryAt' | 'settle' | 'park' | keyof ManualOperations> => ({
  ...createManualOperations(sql),
  markTrying(...ids) {
    const idsJson = JSON.stringify(ids);
    sql.run(`UPDATE message SET attempts = attempts + 1, tried = 1, body = ${unmarked} WHERE ${waitingAmong}`, idsJson);
    return new Set(sql.all(`SELECT id FROM message WHERE ${waitingAmong}`, idsJson).map(({ id }) => String(id)));
  },
  retryAt: (id, { dueAt, note, unknown, answered, again, unsent }) =>
    sql.run(
      `UPDATE message SET due_at = ?, note = ?, unknowns = iif(?, unknowns + 1, 0), answers = answers + ?,
       again = again + ?, tried = iif(?, 0, tried) WHERE id = ? AND state = 'waiting'`,
      dueAt,
      printable(note),
      ...[unknown, answered, again, unsent].map((is) => (is === true ? 1 : 0)),
      id,
    ),
  settle: (id) => sql.run("UPDATE message SET state = 'done', sealed = NULL, wrapped = NULL WHERE id = ?", id),
  park: (id, note, answered) =>
    sql.run(
      `UPDATE message SET state = 'parked', note = ?, again = again + ?,
       body = ${answered === undefined ? unmarked : marked} WHERE id = ? AND state = 'waiting'`,
      printable(note),
      answered === undefined ? 0 : 1,
      ...(answered === undefined ? [] : [answered]),
      id,
    ),
});

const waitingAmong = "state = 'waiting' AND id IN (SELECT value FROM json_each(?))";

const messageOf = (row: SqlRow): Ready => ({
  id: String(row['id']),
  kind: String(row['kind']) as Message['kind'],
  sale: String(row['sale']),
  key: String(row['key']),
  body: String(row['body']),
  tried: row['tried'] !== 0,
  attempts: Number(row['attempts']),
  unknowns: Number(row['unknowns']),
  answers: Number(row['answers']),
  again: Number(row['again']),
  dueAt: Number(row['due_at']),
  putAt: Number(row['put_at']),
  note: String(row['note']),
  place: { dueAt: Number(row['due_at']), row: Number(row['rowid']) },
  after: typeof row['after_sale'] === 'string' ? row['after_sale'] : undefined,
});
