/** The store's interface for webhooks, on an engine. */

import { type Kysely, sql as raw } from 'kysely';
import { DAY_MS } from '../../../base/clock.ts';
import type { Connection, Engine } from '../../store/engine.ts';
import type { Tables } from '../../store/schema.ts';
import type { Webhooks } from '../../store/webhook-store.ts';
import { webhookEvents } from './events.ts';
import { rawQuery, webhookUrls } from './urls.ts';

type EngineAccess = Pick<Engine, 'changeOnce' | 'transact'> & {
  read: <T>(work: (db: Connection) => Promise<T>) => Promise<T>;
};

/** Each call is a transaction of its own: none can be made from within another. */
export const webhooksOn = ({ sql, shared }: Engine, { read, changeOnce, transact }: EngineAccess): Webhooks => {
  const urls = webhookUrls(sql, shared);
  const events = webhookEvents(sql);
  const purge = webhookPurge(sql);
  const lockNamesOf = (id: string): readonly string[] => [`webhook ${id}`];
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
      transact(lockNamesOf(id), async (db) => {
        const current = await urls.byId(db, id);
        const updated = current === undefined ? undefined : change(current);
        if (updated !== undefined) await urls.change(db, updated);
        return updated;
      }),
    hasActive: () => read((db) => urls.hasActive(db)),
    ready: (now) => read((db) => urls.ready(db, now)),
    async lease({ id, holder, now, until }) {
      return (await changeOnce(urls.leaseStatement, { id, holder, now: BigInt(now), until: BigInt(until) })) > 0;
    },
    async release(id, holder) {
      await changeOnce(urls.releaseStatement, { id, holder });
    },
    numberEvents: (key) => transact(lockNamesOf(key.webhookId), (db) => events.numberEvents(db, key)),
    due: (key) => read((db) => events.due(db, key)),
    settleBatch: (of) => transact(lockNamesOf(of.webhookId), (db) => events.settleBatch(db, of)),
    resend: (of) => transact(lockNamesOf(of.webhookId), (db) => events.resend(db, of)),
    eventCounts: (webhookId) => read((db) => events.eventCounts(db, webhookId)),
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

type PurgeLimit = { limit: bigint };
type PurgeBefore = PurgeLimit & { beforeAt: bigint };
type PurgeNow = PurgeLimit & { now: bigint };

const webhookPurge = (sql: Kysely<Tables>) => {
  const ask = rawQuery(sql);
  const deleteEnded = (state: 'delivered' | 'dead') =>
    ask(
      (of: PurgeBefore) => raw`delete from webhook_event where sequence in (select sequence from webhook_event
        where state = ${raw.lit(state)} and ended_at < ${of.beforeAt} order by ended_at limit ${of.limit})`,
    );
  const delivered = deleteEnded('delivered');
  const deleteDead = deleteEnded('dead');
  // For a URL that never came back, including events without an attempt.
  const givenUp = ask(
    (of: PurgeNow) => raw`update webhook_event set state = 'dead', due_at = null, ended_at = ${of.now}
      where sequence in (select event.sequence from webhook join webhook_event event on event.webhook_id = webhook.id
        where webhook.failures > 0 and event.state = 'waiting' and event.due_at <= ${of.now}
          and event.gives_up_at < ${of.now} limit ${of.limit})`,
  );
  const deleteOfRemoved = (table: 'webhook_event' | 'webhook_attempt') =>
    ask(
      (key: PurgeLimit) => raw`delete from ${raw.table(table)} where sequence in (select one.sequence
        from webhook join ${raw.table(table)} one on one.webhook_id = webhook.id
        where webhook.state = 'removed' limit ${key.limit})`,
    );
  const events = deleteOfRemoved('webhook_event');
  const deleteAttempts = deleteOfRemoved('webhook_attempt');
  const deleteOldAttempts = ask(
    (of: PurgeBefore) => raw`delete from webhook_attempt where sequence in (select sequence from webhook_attempt
      where at < ${of.beforeAt} order by sequence limit ${of.limit})`,
  );
  const deleteExcessAttempts = ask(
    (of: PurgeLimit & { most: bigint }) => raw`delete from webhook_attempt where sequence in (select one.sequence
      from webhook join webhook_attempt one on one.webhook_id = webhook.id
      where one.sequence <= (select sequence from webhook_attempt last where last.webhook_id = webhook.id
        order by sequence desc limit 1 offset ${of.most}) limit ${of.limit})`,
  );
  // A gateway that still holds the URL may be making an attempt, and records it.
  const removed = ask(
    (of: PurgeBefore) => raw`delete from webhook where id in (select id from webhook
      where state = 'removed' and lease_until < ${of.beforeAt}
        and not exists (select 1 from webhook_event one where one.webhook_id = webhook.id)
        and not exists (select 1 from webhook_attempt one where one.webhook_id = webhook.id) limit ${of.limit})`,
  );
  /** Returns how many rows this step deleted or gave up. */
  return async (db: Connection, key: { now: number; limit: number }): Promise<number> => {
    const now = BigInt(key.now);
    const limit = BigInt(key.limit);
    const beforeMs = (ms: number) => ({ limit, beforeAt: now - BigInt(ms) });
    const deletedCounts = [
      await db.change(givenUp, { limit, now }),
      await db.change(delivered, beforeMs(DELIVERED_MS)),
      await db.change(deleteDead, beforeMs(DEAD_MS)),
      await db.change(events, { limit }),
      await db.change(deleteAttempts, { limit }),
      await db.change(deleteOldAttempts, beforeMs(ATTEMPTS_MS)),
      await db.change(deleteExcessAttempts, { limit, most: ATTEMPTS_MOST }),
      await db.change(removed, beforeMs(DAY_MS)),
    ];
    return deletedCounts.reduce((sum, count) => sum + count, 0);
  };
};
