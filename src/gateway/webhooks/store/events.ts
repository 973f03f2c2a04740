/** Events of webhooks and the attempts to deliver them: numbered, found when due, settled, deleted in time. */
import { type Kysely, sql as raw } from 'kysely';
import type { Connection } from '../../store/engine.ts';
import { type ManyRows, manyRows, type Query } from '../../store/query.ts';
import type { Tables } from '../../store/schema.ts';
import type { Attempt, Resend, SettledEvent, Settling, WebhookEvent, Webhooks } from '../../store/webhook-store.ts';
import { rawQuery } from './urls.ts';

type EventRow = {
  sequence: bigint;
  webhook_id: string;
  id: string;
  type: WebhookEvent['type'];
  action: WebhookEvent['action'] | null;
  subject: string;
  snapshot: string;
  state: WebhookEvent['state'];
  number: bigint;
  at: bigint;
  gives_up_at: bigint;
  attempts: bigint;
};
type AttemptRow = {
  webhook_id: string;
  event_id: string;
  number: bigint;
  attempt: bigint;
  at: bigint;
  duration_ms: bigint;
  status: bigint | null;
  fault: string | null;
  why: string | null;
};
type EndedEvents = { sequence: bigint; at: bigint };
type Numbering = { webhookId: string; now: bigint; givesUpAt: bigint; limit: bigint };

export type WebhookEvents = Pick<
  OnConnection<Webhooks>,
  'numberEvents' | 'due' | 'settleBatch' | 'resend' | 'eventCounts' | 'log'
>;
/** The same operations, run on a given connection. */
type OnConnection<T> = {
  [K in keyof T]: T[K] extends (...of: infer A) => infer R ? (db: Connection, ...of: A) => R : never;
};

export const webhookEvents = (sql: Kysely<Tables>): WebhookEvents => {
  const reads = createReadStatements(sql);
  const settle = createSettleStatements(sql);
  const resend = createResendStatements(sql);
  const { numbering, counting } = numberingOf(sql);
  return {
    async numberEvents(db, { webhookId, now, givesUpAt, limit }) {
      const key = { webhookId, now: BigInt(now), givesUpAt: BigInt(givesUpAt), limit: BigInt(limit) };
      const count = await db.change(numbering, key);
      if (count > 0) await db.change(counting, { webhookId, count: BigInt(count) });
      return count;
    },
    async due(db, { webhookId, now, limit }) {
      return (await db.rows(reads.due, { webhookId, now: BigInt(now), limit: BigInt(limit) })).map(toEvent);
    },
    settleBatch: settle,
    resend: (db, request) => resend(db, request),
    async eventCounts(db, webhookId) {
      const rows = await db.rows(reads.counts, { webhookId });
      const count = (state: string) => Number(rows.find((row) => row.state === state)?.count ?? 0n);
      return { new: count('new'), waiting: count('waiting'), delivered: count('delivered'), dead: count('dead') };
    },
    async log(db, { webhookId, eventId, limit }) {
      const key = { webhookId, limit: BigInt(limit) };
      const rows = await (eventId === undefined ? db.rows(reads.log, key) : db.rows(reads.logOf, { ...key, eventId }));
      return rows.map(toAttempt);
    },
  };
};

const numberingOf = (sql: Kysely<Tables>) => {
  const ask = rawQuery(sql);
  return {
    // Only the holder of the URL numbers its events, so they continue from the last number without a gap.
    numbering: ask(
      (of: Numbering) => raw`update webhook_event set state = 'waiting', number = fresh.number, at = ${of.now},
          due_at = ${of.now}, gives_up_at = ${of.givesUpAt}
        from (select sequence, row_number() over (order by sequence)
            + (select last_number from webhook where id = ${of.webhookId}) as number
          from webhook_event where webhook_id = ${of.webhookId} and state = 'new'
          order by sequence limit ${of.limit}) as fresh
        where webhook_event.sequence = fresh.sequence`,
    ),
    counting: ask(
      (key: { webhookId: string; count: bigint }) =>
        raw`update webhook set last_number = last_number + ${key.count} where id = ${key.webhookId}`,
    ),
  };
};

type EventKey = { webhookId: string; limit: bigint };

const createReadStatements = (sql: Kysely<Tables>) => {
  const ask = rawQuery(sql);
  return {
    due: ask(
      (of: EventKey & { now: bigint }) => raw<EventRow>`select * from webhook_event
        where webhook_id = ${of.webhookId} and state = 'waiting' and due_at <= ${of.now}
        order by due_at, number limit ${of.limit}`,
    ),
    counts: ask(
      (key: { webhookId: string }) => raw<{ state: string; count: bigint }>`select state, count(*) as count
        from webhook_event where webhook_id = ${key.webhookId} group by state`,
    ),
    log: ask(
      (of: EventKey) => raw<AttemptRow>`select * from webhook_attempt where webhook_id = ${of.webhookId}
        order by sequence desc limit ${of.limit}`,
    ),
    logOf: ask(
      (of: EventKey & { eventId: string }) => raw<AttemptRow>`select * from webhook_attempt
        where event_id = ${of.eventId} and webhook_id = ${of.webhookId} order by sequence desc limit ${of.limit}`,
    ),
  };
};

/**
 * A gateway that was slower than its lease writes after another one: an event ended by that one stays ended, and an
 * accepted event is delivered, even if it was given up meanwhile.
 */
const unendedWhere = { delivered: "state <> 'delivered'", dead: "state = 'waiting'" } as const;

const endEventsStatement = (sql: Kysely<Tables>, state: 'delivered' | 'dead'): ManyRows<EndedEvents, unknown> =>
  manyRows<EndedEvents, unknown>(['sequence', 'at'], (rows) => ({
    compile: () =>
      raw`update webhook_event set state = ${raw.lit(state)}, due_at = null, ended_at = ${rows[0]?.at},
          attempts = attempts + 1
        where sequence in (${raw.join(rows.map(({ sequence }) => sequence))}) and ${raw.raw(unendedWhere[state])}`.compile(
        sql,
      ),
  }));

const ATTEMPT = ['webhook_id', 'event_id', 'number', 'attempt', 'at', 'duration_ms', 'status', 'fault', 'why'] as const;

const createSettleStatements = (sql: Kysely<Tables>) => {
  const ask = rawQuery(sql);
  const endStatements = { delivered: endEventsStatement(sql, 'delivered'), dead: endEventsStatement(sql, 'dead') };
  const setAside = ask(
    (key: { sequence: bigint; dueAt: bigint }) => raw`update webhook_event set attempts = attempts + 1,
        due_at = ${key.dueAt} where sequence = ${key.sequence} and state = 'waiting'`,
  );
  const tried = ask(
    (key: { sequence: bigint }) =>
      raw`update webhook_event set attempts = attempts + 1 where sequence = ${key.sequence} and state = 'waiting'`,
  );
  const url: Query<{ id: string; failures: bigint; retryAt: bigint }, unknown> = ask(
    (key) => raw`update webhook set failures = ${key.failures}, retry_at = ${key.retryAt} where id = ${key.id}`,
  );
  const logging = manyRows<AttemptRow, unknown>(ATTEMPT, (rows) => ({
    compile: () =>
      raw`insert into webhook_attempt (${raw.join(ATTEMPT.map((name) => raw.ref(name)))}) values
        ${raw.join(rows.map((row) => raw`(${raw.join(ATTEMPT.map((name) => row[name]))})`))}`.compile(sql),
  }));
  return async (db: Connection, { webhookId, at, settled, failures, retryAt }: Settling): Promise<void> => {
    for (const state of ['delivered', 'dead'] as const) {
      const rows = settled
        .filter((each) => each.state === state)
        .map(({ event }) => ({ sequence: event.sequence, at: BigInt(at) }));
      for (const [statement, portion] of endStatements[state].portions(rows)) await db.change(statement, portion);
    }
    for (const each of settled) {
      if (each.state !== 'waiting') continue;
      const { sequence } = each.event;
      if (each.dueAt === undefined) await db.change(tried, { sequence });
      else await db.change(setAside, { sequence, dueAt: BigInt(each.dueAt) });
    }
    const attempts = settled.map((each) => toAttemptRow(webhookId, each));
    for (const [statement, portion] of logging.portions(attempts)) await db.change(statement, portion);
    await db.change(url, { id: webhookId, failures: BigInt(failures), retryAt: BigInt(retryAt) });
  };
};

const createResendStatements = (sql: Kysely<Tables>) => {
  const ask = rawQuery(sql);
  type ResendKey = { webhookId: string; at: bigint; givesUpAt: bigint };
  const rescheduleStatement = (
    key: ResendKey,
  ) => raw`update webhook_event set state = 'waiting', due_at = ${key.at}, attempts = 0,
      gives_up_at = ${key.givesUpAt}, ended_at = null where webhook_id = ${key.webhookId} and state <> 'new'`;
  const byEvent = ask((of: ResendKey & { eventId: string }) => raw`${rescheduleStatement(of)} and id = ${of.eventId}`);
  const deadOnes = ask((key: ResendKey) => raw`${rescheduleStatement(key)} and state = 'dead'`);
  const byPeriod = ask(
    (of: ResendKey & { from: bigint; to: bigint }) =>
      raw`${rescheduleStatement(of)} and at >= ${of.from} and at <= ${of.to}`,
  );
  const url = ask((key: { id: string }) => raw`update webhook set failures = 0, retry_at = 0 where id = ${key.id}`);
  return async (db: Connection, request: Resend): Promise<number> => {
    const { webhookId, at, givesUpAt } = request;
    const key = { webhookId, at: BigInt(at), givesUpAt: BigInt(givesUpAt) };
    const count =
      'eventId' in request
        ? await db.change(byEvent, { ...key, eventId: request.eventId })
        : 'dead' in request
          ? await db.change(deadOnes, key)
          : await db.change(byPeriod, { ...key, from: BigInt(request.from), to: BigInt(request.to) });
    // The user who requests it expects it now.
    if (count > 0) await db.change(url, { id: webhookId });
    return count;
  };
};

const toEvent = (row: EventRow): WebhookEvent => ({
  sequence: row.sequence,
  webhookId: row.webhook_id,
  id: row.id,
  type: row.type,
  action: row.action ?? undefined,
  subject: row.subject,
  snapshot: row.snapshot,
  state: row.state,
  number: Number(row.number),
  at: Number(row.at),
  givesUpAt: Number(row.gives_up_at),
  attempts: Number(row.attempts),
});

const toAttemptRow = (webhookId: string, { attempt }: SettledEvent): AttemptRow => ({
  webhook_id: webhookId,
  event_id: attempt.eventId,
  number: BigInt(attempt.number),
  attempt: BigInt(attempt.attempt),
  at: BigInt(attempt.at),
  duration_ms: BigInt(Math.round(attempt.durationMs)),
  status: 'status' in attempt ? BigInt(attempt.status) : null,
  fault: 'fault' in attempt ? attempt.fault : null,
  why: 'fault' in attempt ? attempt.why : null,
});

const toAttempt = (row: AttemptRow): Attempt => ({
  eventId: row.event_id,
  number: Number(row.number),
  attempt: Number(row.attempt),
  at: Number(row.at),
  durationMs: Number(row.duration_ms),
  ...(row.status === null ? { fault: row.fault ?? '', why: row.why ?? '' } : { status: Number(row.status) }),
});
