/** Registering, changing and ending webhooks: what the host API and the command line have in common. */
import type { Ids, Random } from '../../base/ids.ts';
import { type Body, stamp } from '../payments/response.ts';
import type { Json } from '../spec/json.ts';
import type { Store } from '../store/store.ts';
import type { Vault } from '../vault/vault.ts';
import { wordsOf } from './activation.ts';
import { GIVES_UP_AFTER_MS } from './call.ts';
import { keyIdOf, newSecret, OVERLAP_MS, secretOf, turned } from './encryption.ts';
import type { Attempt, Resend, Webhook, Webhooks } from './store/webhooks.ts';

export type Managing = {
  store: Pick<Store, 'webhooks'>;
  vault: Vault;
  clock: { now(): number };
  ids: Ids;
  random: Random;
};

type Settings = Pick<Webhook, 'entityId' | 'url'> &
  Partial<Pick<Webhook, 'name' | 'types' | 'fields' | 'wrapper'>> & {
    /** 64 hex digits; one is made if absent. */
    secret?: string;
  };

/** With its secret, which is told here and never again. */
export type WithSecret = { webhook: Webhook; secret: string };

/**
 * So many may a channel register, unless its settings say otherwise: each is told of every payment. A platform has one
 * for each of its shops, and a suite of tests one for each of its cases.
 */
export const WEBHOOKS_MOST = 500;

/** Inactive until its test has passed. The URL was looked at before: `outgoing.whyRefused`. */
export const register = async (managing: Managing, settings: Settings): Promise<WithSecret> => {
  const made = freshWebhook(managing, settings);
  await managing.store.webhooks.add(made.webhook);
  return made;
};

/** The same; undefined, and nothing is registered, if the channel has `most` already. */
export const registerWithin = async (
  managing: Managing,
  settings: Settings,
  most: number,
): Promise<WithSecret | undefined> => {
  const made = freshWebhook(managing, settings);
  return (await managing.store.webhooks.add(made.webhook, most)) ? made : undefined;
};

const freshWebhook = ({ vault, clock, ids, random }: Managing, settings: Settings): WithSecret => {
  const { entityId, url, name, types = ['PAYMENT', 'REGISTRATION'], fields = 'ALL', wrapper = 'RAW' } = settings;
  const id = ids.next();
  const secret = settings.secret ?? newSecret(random);
  const webhook: Webhook = {
    id,
    entityId,
    ...(name === undefined ? {} : { name }),
    url,
    types,
    fields,
    wrapper,
    state: 'inactive',
    at: clock.now(),
    secret: vault.sealSecret(secret, { id, entityId }),
    failures: 0,
    retryAt: 0,
  };
  return { webhook, secret };
};

/** One with this very address would be told everything twice. */
export const twin = async ({ store }: Pick<Managing, 'store'>, { entityId, url }: Settings) =>
  (await store.webhooks.list(entityId)).find((webhook) => webhook.url === url);

type Rotation = { secret?: string | undefined; overlapMs?: number | undefined };

/**
 * The old secret goes on being used until the overlap is over, or an activation test under the new one has passed;
 * from then on everything is encrypted under the new one, repeats too, and the old one is destroyed. Undefined: the
 * webhook is gone.
 */
export const rotate = async (
  { store, vault, clock, random }: Managing,
  { id, entityId }: Webhook,
  { secret = newSecret(random), overlapMs = OVERLAP_MS }: Rotation,
): Promise<WithSecret | undefined> => {
  const sealed = vault.sealSecret(secret, { id, entityId });
  const webhook = await store.webhooks.change(id, (current) => {
    if (current.state === 'removed') return undefined;
    // One whose time has come is the one in use, though nobody has put it in its place yet.
    const { next: _, ...rest } = turned(current, clock.now());
    return overlapMs === 0
      ? { ...rest, secret: sealed }
      : { ...rest, next: { secret: sealed, from: clock.now() + overlapMs } };
  });
  return webhook === undefined ? undefined : { webhook, secret };
};

/** Nothing goes there any more; its secret is destroyed, and its events and log are forgotten bit by bit. */
export const remove = async ({ store }: Pick<Managing, 'store'>, id: string): Promise<void> => {
  await store.webhooks.change(id, ({ secret: _, next: __, ...rest }) => ({ ...rest, state: 'removed' }));
};

type Wanted = { eventId: string } | { dead: true } | { from: number; to: number };

/** Delivers events once more, each with all its attempts before it. How many. */
export const resend = ({ store, clock }: Pick<Managing, 'store' | 'clock'>, id: string, wanted: Wanted) => {
  const at = clock.now();
  const again: Resend = { webhookId: id, at, givesUpAt: at + GIVES_UP_AFTER_MS, ...wanted };
  return store.webhooks.resend(again);
};

// A webhook as its owner sees it: its settings, how its receiver does, what was tried. No secret is in it.

type Around = { store: { webhooks: Webhooks }; vault: Pick<Vault, 'openSecret'>; clock: { now(): number } };

export const webhookBody = async ({ store, vault, clock }: Around, webhook: Webhook): Promise<Body> => {
  const { id, name, url, types, fields, wrapper, state, at, next } = webhook;
  const now = clock.now();
  const waits = next !== undefined && next.from > now;
  const events = await store.webhooks.counts(id);
  return {
    id,
    ...(name === undefined ? {} : { name }),
    url,
    types: [...types],
    fields,
    wrapper,
    state,
    createdAt: stamp(at),
    keyId: keyIdOf(secretOf(webhook, vault, now)),
    ...(waits
      ? { nextKey: { keyId: keyIdOf(vault.openSecret(next.secret, webhook)), usedFrom: stamp(next.from) } }
      : {}),
    receiver: receiverOf(webhook),
    events: { waiting: events.new + events.waiting, delivered: events.delivered, givenUp: events.dead },
  };
};

const receiverOf = ({ state, failures, retryAt }: Webhook): Body => {
  if (state !== 'active') return { says: 'Nothing is sent until the activation test has passed.' };
  if (failures === 0) return { says: 'It answers.' };
  return {
    says: `Nobody answered there, ${failures} ${failures === 1 ? 'time' : 'times'} one after another.`,
    triedAgain: stamp(retryAt),
  };
};

/** One attempt with its words. */
export const attemptBody = (attempt: Attempt): Json => ({
  eventId: attempt.eventId,
  sequence: attempt.number,
  attempt: attempt.attempt,
  timestamp: stamp(attempt.at),
  durationMs: attempt.durationMs,
  ...('status' in attempt ? { status: attempt.status } : { fault: attempt.fault }),
  says: wordsOf(attempt),
});
