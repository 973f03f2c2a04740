/**
 * Registering, proving, changing, showing and ending webhooks: what the host API and the command line have in common.
 */
import type { Ids, Random } from '../../base/ids.ts';
import type { Channel } from '../channel.ts';
import type { CallOutcome, Outgoing } from '../outgoing/outgoing.ts';
import { type Body, stamp } from '../payments/response.ts';
import { succeeded } from '../payments/stored-account.ts';
import type { Json } from '../spec/json.ts';
import { describe } from '../spec/results.ts';
import type { Store } from '../store/store.ts';
import type { Attempt, Resend, Webhook, Webhooks } from '../store/webhook-store.ts';
import type { Vault } from '../vault/vault.ts';
import { callOf, GIVES_UP_AFTER_MS, isTaken } from './call.ts';
import { encrypter, keyIdOf, newSecret, OVERLAP_MS, secretOf, turned } from './encryption.ts';

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
    name,
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

type Rotation = { secret?: string; overlapMs?: number };

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
    name,
    url,
    types: [...types],
    fields,
    wrapper,
    state,
    createdAt: stamp(at),
    keyId: keyIdOf(secretOf(webhook, vault, now)),
    nextKey: waits ? { keyId: keyIdOf(vault.openSecret(next.secret, webhook)), usedFrom: stamp(next.from) } : undefined,
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

// The proof that a receiver is there and can read: until it has passed, a URL gets nothing else.

/** What a receiver gets, in the words that receivers know. */
const activationTest = (code: string): Body => ({
  type: 'test',
  action: 'webhook activation',
  payload: { result: { code, description: describe(code) } },
});

export type Testing = {
  store: Pick<Store, 'webhooks'>;
  vault: Vault;
  outgoing: Pick<Outgoing, 'send'>;
  clock: { now(): number };
  random: Random;
  /** Absent where only the store is known: the test says then that it is one. */
  channel?: Pick<Channel, 'mode'>;
};

export type Tested = { webhook: Webhook | undefined; passed: boolean; says: string };

/**
 * Sends the test and makes the webhook active when it is acknowledged. One with a new secret that waits for its time is
 * tested with that one, and uses it from then on when the test has passed.
 */
export const activate = async (testing: Testing, found: Webhook): Promise<Tested> => {
  const { store, vault, outgoing, clock, random, channel = {} } = testing;
  const { next } = found;
  const secret = next === undefined ? secretOf(found, vault, clock.now()) : vault.openSecret(next.secret, found);
  const encrypt = encrypter({ secret, wrapper: found.wrapper }, random);
  const outcome = await outgoing.send(callOf({ url: found.url, encrypt }, activationTest(succeeded(channel))));
  const passed = outcome.kind === 'answered' && isTaken(outcome.status);
  if (!passed) return { webhook: await store.webhooks.byId(found.id), passed, says: wordsOf(outcome) };
  const webhook = await store.webhooks.change(found.id, (current) => activated(current, found));
  return { webhook, passed, says: wordsOf(outcome) };
};

/** What was changed since is not what was tested: that secret stays what it is. */
const activated = (current: Webhook, tested: Webhook): Webhook | undefined => {
  if (current.state === 'removed') return undefined;
  const { next, ...rest } = current;
  const isSame = next !== undefined && next.secret.box === tested.next?.secret.box;
  const proved = isSame ? { ...rest, secret: next.secret } : current;
  return { ...proved, state: 'active', failures: 0, retryAt: 0 };
};

/** For people: what came of an attempt. */
export const wordsOf = (outcome: CallOutcome | { status: number } | { fault: string; why: string }): string => {
  if ('status' in outcome) {
    return isTaken(outcome.status)
      ? `The receiver acknowledged it with ${outcome.status}.`
      : `The receiver answered ${outcome.status}${hints(outcome.status)}; 200 to 299 would acknowledge it.`;
  }
  return `${faults[outcome.fault] ?? 'It failed'}: ${outcome.why}.`;
};

const faults: Readonly<Record<string, string>> = {
  forbidden: 'The address is not called',
  unknown: 'The host is not found',
  unreachable: 'No connection',
  certificate: 'The receiver’s certificate is not valid',
  late: 'The receiver was too slow',
  broken: 'The line broke',
};

const hints = (status: number): string => {
  if (status >= 300 && status <= 399) return ', a redirect, which is never followed';
  if (status === 404) return ': is the path right?';
  if (status === 401 || status === 403) return ': it must let notifications in without a login';
  return status >= 500 ? ', a fault inside of it' : '';
};
