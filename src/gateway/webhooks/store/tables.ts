/** The store's interface for webhooks, on an engine. */

import { type Kysely, sql as raw } from 'kysely';
import { DAY_MS } from '../../../base/clock.ts';
import type { Connection, Engine } from '../../store/engine.ts';
import type { Tables } from '../../store/schema.ts';
import type { Webhooks } from '../../store/webhook-store.ts';
import { webhookEvents } from './events.ts';
import { rawQuery, webhookUrls } from './urls.ts';

type Within = Pick<Engine, 'single' | 'transact'> & { read: <T>(work: (db: Connection) => Promise<T>) => Promise<T> };

/** Each call is a transaction of its own: none can be made from within another. */
export const webhooksOn = ({ sql, shared }: Engine, { read, single, transact }: Within): Webhooks => {
  const urls = webhookUrls(sql, shared);
  const events = webhookEvents(sql);
  const purge = webhookPurge(sql);
  const turnOf = (id: string): readonly string[] => [`webhook ${id}`];
  return {
    add: (webhook, most = Number.POSITIVE_INFINITY) =>
      transact([`webhooks of ${webhook.entityId}`], async (db) => {
        if ((await urls.list(db, webhook.entityId)).length >= most) return false;
        await urls.add(db, webhook);
        return true;
      }),
    byId: (id) => read((db) => urls.byId(db, id)),
    list: (entityId) => read((db) => urls.list(db, entityId)),
    change: (id, change) =>
      transact(turnOf(id), async (db) => {
        const before = await urls.byId(db, id);
        const after = before === undefined ? undefined : change(before);
        if (after !== undefined) await urls.change(db, after);
        return after;
      }),
    active: () => read((db) => urls.active(db)),
    ready: (now) => read((db) => urls.ready(db, now)),
    async lease({ id, holder, now, until }) {
      return (await single(urls.leasing, { id, holder, now: BigInt(now), until: BigInt(until) })) > 0;
    },
    async release(id, holder) {
      await single(urls.releasing, { id, holder });
    },
    number: (key) => transact(turnOf(key.webhookId), (db) => events.number(db, key)),
    due: (key) => read((db) => events.due(db, key)),
    settle: (of) => transact(turnOf(of.webhookId), (db) => events.settle(db, of)),
    resend: (of) => transact(turnOf(of.webhookId), (db) => events.resend(db, of)),
    counts: (webhookId) => read((db) => events.counts(db, webhookId)),
    log: (key) => read((db) => events.log(db, key)),
    purge: (key) => transact([], (db) => purge(db, key)),
  };
};

// Which data of webhooks are deleted, and when: in steps small enough that nobody waits for one.

/** How long delivered events can be sent again; given up events stay longer, because a person may have to act. */
const DELIVERED_MS = 30 * DAY_MS;
const DEAD_MS = 90 * DAY_MS;
const ATTEMPTS_MS = 30 * DAY_MS;
/** The maximum number of attempts kept for one URL. */
const ATTEMPTS_MOST = 20_000n;

type Of = { limit: bigint };
type Before = Of & { before: bigint };

const webhookPurge = (sql: Kysely<Tables>) => {
  const ask = rawQuery(sql);
  const ended = (state: 'delivered' | 'dead') =>
    ask(
      (of: Before) => raw`delete from webhook_event where sequence in (select sequence from webhook_event
        where state = ${raw.lit(state)} and ended_at < ${of.before} order by ended_at limit ${of.limit})`,
    );
  const delivered = ended('delivered');
  const dead = ended('dead');
  // For a URL that never came back, including events without an attempt.
  const givenUp = ask(
    (of: Of & { now: bigint }) => raw`update webhook_event set state = 'dead', due_at = null, ended_at = ${of.now}
      where sequence in (select event.sequence from webhook join webhook_event event on event.webhook_id = webhook.id
        where webhook.failures > 0 and event.state = 'waiting' and event.due_at <= ${of.now}
          and event.gives_up_at < ${of.now} limit ${of.limit})`,
  );
  const ofRemoved = (table: 'webhook_event' | 'webhook_attempt') =>
    ask(
      (key: Of) => raw`delete from ${raw.table(table)} where sequence in (select one.sequence
        from webhook join ${raw.table(table)} one on one.webhook_id = webhook.id
        where webhook.state = 'removed' limit ${key.limit})`,
    );
  const events = ofRemoved('webhook_event');
  const attempts = ofRemoved('webhook_attempt');
  const old = ask(
    (of: Before) => raw`delete from webhook_attempt where sequence in (select sequence from webhook_attempt
      where at < ${of.before} order by sequence limit ${of.limit})`,
  );
  const many = ask(
    (of: Of & { most: bigint }) => raw`delete from webhook_attempt where sequence in (select one.sequence
      from webhook join webhook_attempt one on one.webhook_id = webhook.id
      where one.sequence <= (select sequence from webhook_attempt last where last.webhook_id = webhook.id
        order by sequence desc limit 1 offset ${of.most}) limit ${of.limit})`,
  );
  // A gateway that still holds the URL may be making an attempt, and records it.
  const removed = ask(
    (of: Before) => raw`delete from webhook where id in (select id from webhook
      where state = 'removed' and lease_until < ${of.before}
        and not exists (select 1 from webhook_event one where one.webhook_id = webhook.id)
        and not exists (select 1 from webhook_attempt one where one.webhook_id = webhook.id) limit ${of.limit})`,
  );
  /** Returns how many rows this step deleted or gave up. */
  return async (db: Connection, key: { now: number; limit: number }): Promise<number> => {
    const now = BigInt(key.now);
    const limit = BigInt(key.limit);
    const before = (ms: number) => ({ limit, before: now - BigInt(ms) });
    const counts = [
      await db.change(givenUp, { limit, now }),
      await db.change(delivered, before(DELIVERED_MS)),
      await db.change(dead, before(DEAD_MS)),
      await db.change(events, { limit }),
      await db.change(attempts, { limit }),
      await db.change(old, before(ATTEMPTS_MS)),
      await db.change(many, { limit, most: ATTEMPTS_MOST }),
      await db.change(removed, before(DAY_MS)),
    ];
    return counts.reduce((sum, count) => sum + count, 0);
  };
};
