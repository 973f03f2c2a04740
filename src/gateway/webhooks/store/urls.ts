/** The URLs of webhooks: stored, changed, and leased to one gateway at a time. */
import { type Kysely, type RawBuilder, sql as raw } from 'kysely';
import type { Connection } from '../../store/engine.ts';
import { type Query, query } from '../../store/query.ts';
import type { SealedAccount } from '../../store/records.ts';
import type { Tables } from '../../store/schema.ts';
import type { EventType, Webhook } from '../../store/webhook-store.ts';

type Row = {
  id: string;
  entity_id: string;
  name: string | null;
  url: string;
  types: string;
  fields: Webhook['fields'];
  wrapper: Webhook['wrapper'];
  state: Webhook['state'];
  at: bigint;
  secret: string | null;
  next_secret: string | null;
  next_from: bigint | null;
  failures: bigint;
  retry_at: bigint;
};

type Lease = { id: string; holder: string; now: bigint; until: bigint };

/** A statement written in SQL itself: Kysely only inserts the placeholders. */
export const rawQuery =
  (sql: Kysely<Tables>) =>
  <P extends object, R>(build: (of: P) => RawBuilder<R>): Query<P, R> =>
    query<P, R>((of) => ({ compile: () => build(of).compile(sql) }));

export interface WebhookUrls {
  add(db: Connection, webhook: Webhook): Promise<void>;
  byId(db: Connection, id: string): Promise<Webhook | undefined>;
  list(db: Connection, entityId?: string): Promise<readonly Webhook[]>;
  change(db: Connection, webhook: Webhook): Promise<void>;
  hasActive(db: Connection): Promise<boolean>;
  ready(db: Connection, now: number): Promise<readonly Webhook[]>;
  readonly leaseStatement: Query<Lease, unknown>;
  readonly releaseStatement: Query<{ id: string; holder: string }, unknown>;
}

/** `shared`: others may hold a URL. Without others, an earlier holder has ended. */
export const webhookUrls = (sql: Kysely<Tables>, shared: boolean): WebhookUrls => {
  const { add, byId, all, ofEntity, change, anyActive, ready, leasing, releasing } = prepareStatements(sql, shared);
  return {
    async add(db, webhook) {
      await db.change(add, toRow(webhook));
    },
    async byId(db, id) {
      const row = await db.row(byId, { id });
      return row === undefined ? undefined : toWebhook(row);
    },
    async list(db, entityId) {
      return (await (entityId === undefined ? db.rows(all, {}) : db.rows(ofEntity, { entityId }))).map(toWebhook);
    },
    async change(db, webhook) {
      await db.change(change, toRow(webhook));
    },
    hasActive: async (db) => (await db.rows(anyActive, {})).length > 0,
    ready: async (db, now) => (await db.rows(ready, { now: BigInt(now) })).map(toWebhook),
    leaseStatement: leasing,
    releaseStatement: releasing,
  };
};

const prepareStatements = (sql: Kysely<Tables>, shared: boolean) => {
  const ask = rawQuery(sql);
  return {
    add: ask(
      (of: Row) => raw`insert into webhook (id, entity_id, name, url, types, fields, wrapper, state, at, secret,
        next_secret, next_from, failures, retry_at, last_number, lease_until)
      values (${of.id}, ${of.entity_id}, ${of.name}, ${of.url}, ${of.types}, ${of.fields}, ${of.wrapper}, ${of.state},
        ${of.at}, ${of.secret}, ${of.next_secret}, ${of.next_from}, ${of.failures}, ${of.retry_at}, 0, 0)`,
    ),
    byId: ask((key: { id: string }) => raw<Row>`select * from webhook where id = ${key.id}`),
    all: ask((_: object) => raw<Row>`select * from webhook where state <> 'removed' order by at, id`),
    ofEntity: ask(
      (key: { entityId: string }) =>
        raw<Row>`select * from webhook where entity_id = ${key.entityId} and state <> 'removed' order by at, id`,
    ),
    change: ask(
      (of: Row) => raw`update webhook set name = ${of.name}, url = ${of.url}, types = ${of.types},
        fields = ${of.fields}, wrapper = ${of.wrapper}, state = ${of.state}, secret = ${of.secret},
        next_secret = ${of.next_secret}, next_from = ${of.next_from}, failures = ${of.failures},
        retry_at = ${of.retry_at} where id = ${of.id}`,
    ),
    anyActive: ask((_: object) => raw<Row>`select id from webhook where state = 'active' limit 1`),
    ready: ask(
      (key: { now: bigint }) => raw<Row>`select * from webhook where state = 'active' and (
          exists (select 1 from webhook_event where webhook_id = webhook.id and state = 'new')
          or (retry_at <= ${key.now} and exists (select 1 from webhook_event
            where webhook_id = webhook.id and state = 'waiting' and due_at <= ${key.now})))
        order by at, id`,
    ),
    leasing: ask((of: Lease) =>
      shared
        ? raw`update webhook set lease_holder = ${of.holder}, lease_until = ${of.until} where id = ${of.id}
            and state = 'active' and (lease_holder = ${of.holder} or lease_until <= ${of.now})`
        : raw`update webhook set lease_holder = ${of.holder}, lease_until = ${of.until} where id = ${of.id}
            and state = 'active'`,
    ),
    releasing: ask(
      (key: { id: string; holder: string }) =>
        raw`update webhook set lease_until = 0 where id = ${key.id} and lease_holder = ${key.holder}`,
    ),
  };
};

const sealedText = (sealed: SealedAccount | undefined) => (sealed === undefined ? null : JSON.stringify(sealed));

const toRow = (webhook: Webhook): Row => ({
  id: webhook.id,
  entity_id: webhook.entityId,
  name: webhook.name ?? null,
  url: webhook.url,
  types: webhook.types.join(','),
  fields: webhook.fields,
  wrapper: webhook.wrapper,
  state: webhook.state,
  at: BigInt(webhook.at),
  secret: sealedText(webhook.secret),
  next_secret: sealedText(webhook.next?.secret),
  next_from: webhook.next === undefined ? null : BigInt(webhook.next.from),
  failures: BigInt(webhook.failures),
  retry_at: BigInt(webhook.retryAt),
});

// Rows are trusted: the tables' own checks accept nothing else.
const toWebhook = (row: Row): Webhook => ({
  id: row.id,
  entityId: row.entity_id,
  name: row.name ?? undefined,
  url: row.url,
  types: row.types.split(',') as EventType[],
  fields: row.fields,
  wrapper: row.wrapper,
  state: row.state,
  at: Number(row.at),
  secret: row.secret === null ? undefined : (JSON.parse(row.secret) as SealedAccount),
  next:
    row.next_secret === null || row.next_from === null
      ? undefined
      : { secret: JSON.parse(row.next_secret) as SealedAccount, from: Number(row.next_from) },
  failures: Number(row.failures),
  retryAt: Number(row.retry_at),
});
