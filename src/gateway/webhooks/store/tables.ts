/** The store's part for webhooks, on an engine. */
import type { Connection, Engine } from '../../store/engine.ts';
import { webhookEvents } from './events.ts';
import { webhookPurge } from './purge.ts';
import { webhookUrls } from './urls.ts';
import type { Webhooks } from './webhooks.ts';

type Within = Pick<Engine, 'single' | 'transact'> & { read: <T>(work: (on: Connection) => Promise<T>) => Promise<T> };

/** Each call is a work of its own: none can be asked from within another. */
export const webhooksOn = ({ sql, shared }: Engine, { read, single, transact }: Within): Webhooks => {
  const urls = webhookUrls(sql, shared);
  const events = webhookEvents(sql);
  const purge = webhookPurge(sql);
  const turnOf = (id: string): readonly string[] => [`webhook ${id}`];
  return {
    add: (webhook, most = Number.POSITIVE_INFINITY) =>
      transact([`webhooks of ${webhook.entityId}`], async (on) => {
        if ((await urls.list(on, webhook.entityId)).length >= most) return false;
        await urls.add(on, webhook);
        return true;
      }),
    byId: (id) => read((on) => urls.byId(on, id)),
    list: (entityId) => read((on) => urls.list(on, entityId)),
    change: (id, change) =>
      transact(turnOf(id), async (on) => {
        const before = await urls.byId(on, id);
        const after = before === undefined ? undefined : change(before);
        if (after !== undefined) await urls.change(on, after);
        return after;
      }),
    active: () => read((on) => urls.active(on)),
    ready: (now) => read((on) => urls.ready(on, now)),
    async lease({ id, holder, now, until }) {
      return (await single(urls.leasing, { id, holder, now: BigInt(now), until: BigInt(until) })) > 0;
    },
    async release(id, holder) {
      await single(urls.releasing, { id, holder });
    },
    number: (of) => transact(turnOf(of.webhookId), (on) => events.number(on, of)),
    due: (of) => read((on) => events.due(on, of)),
    settle: (of) => transact(turnOf(of.webhookId), (on) => events.settle(on, of)),
    resend: (of) => transact(turnOf(of.webhookId), (on) => events.resend(on, of)),
    counts: (webhookId) => read((on) => events.counts(on, webhookId)),
    log: (of) => read((on) => events.log(on, of)),
    purge: (of) => transact([], (on) => purge(on, of)),
  };
};
