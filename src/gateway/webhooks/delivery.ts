/**
 * Delivers events: at least once, to every URL at its own pace.
 *
 * Each URL belongs to one gateway at a time, by a lease: one of several gateways on one database delivers, and if it
 * dies another continues. Results are written in batches; an event whose result a crash kept from being written is
 * delivered again.
 */
import { type Clock, within } from '../../base/clock.ts';
import type { Ids, Random } from '../../base/ids.ts';
import { type BackgroundJob, startRounds, type WakeSignal } from '../background-jobs.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';
import type { Store } from '../store/store.ts';
import type { Webhook } from '../store/webhook-store.ts';
import type { Vault } from '../vault/vault.ts';
import { createSlots, deliverBatch, settlementOf } from './batch.ts';
import { callWith, FRESH_WAIT_MS, GIVES_UP_AFTER_MS } from './call.ts';
import { completeRotation, encrypter, rewrapped, secretOf } from './encryption.ts';
import type { Names } from './payload.ts';

export type WebhookDelivery = {
  store: Pick<Store, 'webhooks' | 'shared'>;
  vault: Vault;
  outgoing: Outgoing;
  signal: Pick<WakeSignal, 'listen'>;
  names: Names;
  clock: Clock;
  ids: Ids;
  random: Random;
  report: (error: unknown) => void;
  /** How often to look for new events while any URL is active, ms; default 250. */
  pollMs?: number;
};

const POLL_MS = 250;
/** How soon a URL registered by another gateway is noticed. A single gateway is told by the wake signal. */
const POLL_FOR_FIRST_MS = 5_000;
const NEVER_MS = 24 * 60 * 60 * 1000;
/** The maximum duration of a batch, so that its lease outlasts the last answer. */
const BATCH_MS = 10_000;
const LEASE_MS = 90_000;
const BATCH = 256;
const NUMBERED_AT_ONCE = 1_000;
/** The number of events used to find out whether a silent receiver is back. */
const PROBES = 4;
const WIDTH = 16;
/** Simultaneous calls besides the first of each URL. */
const SHARED = 256;
const LAST_ANSWERS_MS = 2_000;

/** Delivers until it is told to end; calls in progress then have a moment to be answered. */
export const webhookDelivery = (delivery: WebhookDelivery): BackgroundJob => {
  const { store, clock, report, outgoing, signal, ids, pollMs = POLL_MS } = delivery;
  const context = { holder: ids.next(), slots: createSlots(SHARED), state: { over: false } };
  const deliveries = new Map<string, Promise<void>>();
  const runUpkeep = createUpkeep(delivery);
  const start = (webhook: Webhook): void => {
    const running = deliverToUrl(delivery, context, webhook)
      .catch(report)
      .finally(() => deliveries.delete(webhook.id));
    deliveries.set(webhook.id, running);
  };
  const job = startRounds({
    clock,
    everyMs: pollMs,
    report,
    async runRound() {
      if (!(await store.webhooks.hasActive())) return store.shared ? POLL_FOR_FIRST_MS : NEVER_MS;
      await runUpkeep();
      for (const webhook of await store.webhooks.ready(clock.now())) {
        if (!deliveries.has(webhook.id) && !context.state.over) start(webhook);
      }
      return undefined;
    },
  });
  const stopListening = signal.listen(() => job.wake());
  return {
    wake: () => job.wake(),
    async end() {
      stopListening();
      context.state.over = true;
      await job.end();
      const lastDeliveries = Promise.all(deliveries.values());
      await within(clock, LAST_ANSWERS_MS, lastDeliveries, () => new Error('late')).catch(() => outgoing.close());
      await lastDeliveries;
    },
  };
};

type DeliveryContext = { holder: string; slots: ReturnType<typeof createSlots>; state: { over: boolean } };

/** Delivers to one URL until nothing is due, there is no answer, or another gateway has it. */
const deliverToUrl = async (
  delivery: WebhookDelivery,
  { holder, slots: callSlots, state }: DeliveryContext,
  { id }: Webhook,
): Promise<void> => {
  const { store, clock } = delivery;
  const { webhooks } = store;
  while (!state.over) {
    const now = clock.now();
    if (!(await webhooks.lease({ id, holder, now, until: now + LEASE_MS }))) return;
    const webhook = await prepareWebhook(delivery, id, now);
    const dueEvents = webhook === undefined ? [] : await readDueEvents(delivery, webhook, now);
    if (webhook === undefined || dueEvents.length === 0) break;
    const secret = secretOf(webhook, delivery.vault, now);
    const encrypt = encrypter({ secret, wrapper: webhook.wrapper }, delivery.random);
    const until = clock.monotonic() + BATCH_MS;
    const isOver = () => state.over || clock.monotonic() > until;
    const calls = await deliverBatch({
      events: dueEvents,
      width: WIDTH,
      // A slot may come so late that the lease does not cover a call of full length any more.
      call: (event) =>
        callSlots.use(id, async () => (isOver() ? undefined : callWith(delivery, { webhook, encrypt }, event))),
      isOver,
    });
    // A call that failed because this process ends does not count as failed.
    const reports = state.over ? calls.filter(({ outcome }) => outcome !== 'silent') : calls;
    if (reports.length === 0) break;
    const { results: settling, isSilent: silent } = settlementOf(webhook, reports, clock.now());
    await webhooks.settleBatch(settling);
    if (silent) break;
  }
  await webhooks.release(id, holder);
};

/** Numbers new events, and returns the current webhook, unless it is to be left alone. */
const prepareWebhook = async ({ store }: WebhookDelivery, id: string, now: number): Promise<Webhook | undefined> => {
  const givesUpAt = now + GIVES_UP_AFTER_MS;
  const newCount = await store.webhooks.numberEvents({ webhookId: id, now, givesUpAt, limit: NUMBERED_AT_ONCE });
  const webhook = await store.webhooks.byId(id);
  if (webhook?.state !== 'active') return undefined;
  if (newCount === 0 || webhook.retryAt <= now + FRESH_WAIT_MS) return webhook;
  const earlierRetry = { retryAt: now + FRESH_WAIT_MS };
  return store.webhooks.change(id, (current) => ({ ...current, ...earlierRetry }));
};

const readDueEvents = async ({ store }: WebhookDelivery, { id, failures, retryAt }: Webhook, now: number) =>
  retryAt > now ? [] : store.webhooks.due({ webhookId: id, now, limit: failures > 0 ? PROBES : BATCH });

// Regular maintenance of webhooks: deleting old events, and re-wrapping secrets under current keys.

const EVERY_MS = 60 * 60 * 1000;
/** The interval while there is more to delete: others need the store too. */
const AGAIN_MS = 1_000;
/** Rows per step. */
const STEP = 500;

type UpkeepContext = { store: Pick<Store, 'webhooks'>; vault: Vault };

/** To be called often; does something when it is time. */
const createUpkeep = ({ store, vault, clock }: UpkeepContext & { clock: Clock }): (() => Promise<void>) => {
  let nextPurgeAt = 0;
  let nextRefreshAt = 0;
  return async () => {
    const now = clock.monotonic();
    if (now >= nextRefreshAt) {
      nextRefreshAt = now + EVERY_MS;
      await refreshSecrets({ store, vault, clock });
    }
    if (now < nextPurgeAt) return;
    const purgedCount = await store.webhooks.purge({ now: clock.now(), limit: STEP });
    nextPurgeAt = now + (purgedCount > 0 ? AGAIN_MS : EVERY_MS);
  };
};

/**
 * Re-wraps all secrets under the vault's current key, and deletes those whose successor is in use. Returns how many
 * changed.
 */
export const refreshSecrets = async ({
  store,
  vault,
  clock,
}: UpkeepContext & { clock: Pick<Clock, 'now'> }): Promise<number> => {
  let changed = 0;
  for (const { id } of await store.webhooks.list()) {
    const done = await store.webhooks.change(id, (webhook) => {
      const current = completeRotation(webhook, clock.now());
      return rewrapped(current, vault) ?? (current === webhook ? undefined : current);
    });
    if (done !== undefined) changed += 1;
  }
  return changed;
};
