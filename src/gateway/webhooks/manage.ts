/**
 * Registering, testing, changing, showing and removing webhooks: the code shared by the host API and the command line.
 */

import type { Ids, Random } from '../../base/ids.ts';
import { formatEnglish } from '../../base/placeholders.ts';
import type { Channel } from '../channel.ts';
import type { CallOutcome, Outgoing } from '../outgoing/outgoing.ts';
import { type Body, formatTimestamp } from '../payments/response.ts';
import { successCodeOf } from '../payments/stored-account.ts';
import type { Json } from '../spec/json.ts';
import { describe } from '../spec/results.ts';
import type { Store } from '../store/store.ts';
import type { Attempt, Resend, Webhook, Webhooks } from '../store/webhook-store.ts';
import type { Vault } from '../vault/vault.ts';
import { callOf, GIVES_UP_AFTER_MS, isTaken } from './call.ts';
import { completeRotation, encrypter, keyIdOf, newSecret, OVERLAP_MS, secretOf } from './encryption.ts';

export type Managing = {
  store: Pick<Store, 'webhooks'>;
  vault: Vault;
  clock: { now(): number };
  ids: Ids;
  random: Random;
};

type Settings = Pick<Webhook, 'entityId' | 'url'> &
  Partial<Pick<Webhook, 'name' | 'types' | 'fields' | 'wrapper'>> & {
    /** 64 hex digits; made if absent. */
    secret?: string;
  };

/** With its secret, which is returned here and never again. */
export type WithSecret = { webhook: Webhook; secret: string };

/**
 * The maximum number per channel, unless its settings say otherwise: each webhook is notified of every payment. A
 * platform has one for each of its shops, and a test suite one for each of its cases.
 */
export const WEBHOOKS_MOST = 500;

/** Inactive until its test has passed. The caller has checked the URL: `outgoing.refusalReason`. */
export const register = async (managing: Managing, settings: Settings): Promise<WithSecret> => {
  const newWebhook = freshWebhook(managing, settings);
  await managing.store.webhooks.add(newWebhook.webhook);
  return newWebhook;
};

/** Registers a webhook unless the channel already has `most`; undefined if it has. */
export const registerWithin = async (
  managing: Managing,
  settings: Settings,
  most: number,
): Promise<WithSecret | undefined> => {
  const newWebhook = freshWebhook(managing, settings);
  return (await managing.store.webhooks.add(newWebhook.webhook, most)) ? newWebhook : undefined;
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

/** A webhook with the same address, which would receive everything twice. */
export const findDuplicate = async ({ store }: Pick<Managing, 'store'>, { entityId, url }: Settings) =>
  (await store.webhooks.list(entityId)).find((webhook) => webhook.url === url);

type Rotation = { secret?: string; overlapMs?: number };

/**
 * The old secret is used until the overlap is over, or an activation test with the new one has passed; from then on
 * everything is encrypted under the new one, including repeats, and the old one is destroyed. Undefined: the webhook is
 * gone.
 */
export const rotate = async (
  { store, vault, clock, random }: Managing,
  { id, entityId }: Webhook,
  { secret = newSecret(random), overlapMs = OVERLAP_MS }: Rotation,
): Promise<WithSecret | undefined> => {
  const sealed = vault.sealSecret(secret, { id, entityId });
  const webhook = await store.webhooks.change(id, (current) => {
    if (current.state === 'removed') return undefined;
    // A due secret is already in use, even if it has not been moved into place yet.
    const { next: _, ...rest } = completeRotation(current, clock.now());
    return overlapMs === 0
      ? { ...rest, secret: sealed }
      : { ...rest, next: { secret: sealed, from: clock.now() + overlapMs } };
  });
  return webhook === undefined ? undefined : { webhook, secret };
};

/** Stops notifications; destroys the secret, and deletes events and log in small portions. */
export const remove = async ({ store }: Pick<Managing, 'store'>, id: string): Promise<void> => {
  await store.webhooks.change(id, ({ secret: _, next: __, ...rest }) => ({ ...rest, state: 'removed' }));
};

type ResendSelection = { eventId: string } | { dead: true } | { from: number; to: number };

/** Delivers events again, each with all its attempts anew. Returns how many. */
export const resend = ({ store, clock }: Pick<Managing, 'store' | 'clock'>, id: string, request: ResendSelection) => {
  const at = clock.now();
  const resendRequest: Resend = { webhookId: id, at, givesUpAt: at + GIVES_UP_AFTER_MS, ...request };
  return store.webhooks.resend(resendRequest);
};

// A webhook as its owner sees it: its settings, the state of its receiver, the attempts. Contains no secret.

type WebhookContext = { store: { webhooks: Webhooks }; vault: Pick<Vault, 'openSecret'>; clock: { now(): number } };

export const webhookBody = async ({ store, vault, clock }: WebhookContext, webhook: Webhook): Promise<Body> => {
  const { id, name, url, types, fields, wrapper, state, at, next } = webhook;
  const now = clock.now();
  const isNextPending = next !== undefined && next.from > now;
  const events = await store.webhooks.eventCounts(id);
  return {
    id,
    name,
    url,
    types: [...types],
    fields,
    wrapper,
    state,
    createdAt: formatTimestamp(at),
    keyId: keyIdOf(secretOf(webhook, vault, now)),
    nextKey: isNextPending
      ? { keyId: keyIdOf(vault.openSecret(next.secret, webhook)), usedFrom: formatTimestamp(next.from) }
      : undefined,
    receiver: receiverOf(webhook),
    events: { waiting: events.new + events.waiting, delivered: events.delivered, givenUp: events.dead },
  };
};

const receiverOf = ({ state, failures, retryAt }: Webhook): Body => {
  if (state !== 'active') return { says: 'Nothing is sent until the activation test has passed.' };
  if (failures === 0) return { says: 'It answers.' };
  const silentText = 'The receiver did not answer {failures, plural, one {# time} other {# times}} in a row.';
  return {
    says: formatEnglish(silentText, { failures }),
    triedAgain: formatTimestamp(retryAt),
  };
};

export const attemptBody = (attempt: Attempt): Json => ({
  eventId: attempt.eventId,
  sequence: attempt.number,
  attempt: attempt.attempt,
  timestamp: formatTimestamp(attempt.at),
  durationMs: attempt.durationMs,
  ...('status' in attempt ? { status: attempt.status } : { fault: attempt.fault }),
  says: outcomeText(attempt),
});

// The proof that a receiver exists and can decrypt: until it has passed, a URL gets nothing else.

/** The message to a receiver, in the form that receivers know. */
const activationTest = (code: string): Body => ({
  type: 'test',
  action: 'webhook activation',
  payload: { result: { code, description: describe(code) } },
});

export type TestContext = {
  store: Pick<Store, 'webhooks'>;
  vault: Vault;
  outgoing: Pick<Outgoing, 'send'>;
  clock: { now(): number };
  random: Random;
  /** Absent if only the store is available: the message then says that it is a test. */
  channel?: Pick<Channel, 'mode'>;
};

export type TestResult = { webhook: Webhook | undefined; passed: boolean; says: string };

/**
 * Sends the test and activates the webhook when it is acknowledged. A webhook with a new secret that is not in use yet
 * is tested with that one, and uses it from then on if the test passes.
 */
export const activate = async (testing: TestContext, found: Webhook): Promise<TestResult> => {
  const { store, vault, outgoing, clock, random, channel = {} } = testing;
  const { next } = found;
  const secret = next === undefined ? secretOf(found, vault, clock.now()) : vault.openSecret(next.secret, found);
  const encrypt = encrypter({ secret, wrapper: found.wrapper }, random);
  const outcome = await outgoing.send(callOf({ url: found.url, encrypt }, activationTest(successCodeOf(channel))));
  const passed = outcome.kind === 'answered' && isTaken(outcome.status);
  if (!passed) return { webhook: await store.webhooks.byId(found.id), passed, says: outcomeText(outcome) };
  const webhook = await store.webhooks.change(found.id, (current) => withActivation(current, found));
  return { webhook, passed, says: outcomeText(outcome) };
};

/** A secret changed meanwhile was not tested and stays unchanged. */
const withActivation = (current: Webhook, tested: Webhook): Webhook | undefined => {
  if (current.state === 'removed') return undefined;
  const { next, ...rest } = current;
  const isSame = next !== undefined && next.secret.box === tested.next?.secret.box;
  const rotated = isSame ? { ...rest, secret: next.secret } : current;
  return { ...rotated, state: 'active', failures: 0, retryAt: 0 };
};

/** For people: the result of an attempt. */
export const outcomeText = (outcome: CallOutcome | { status: number } | { fault: string; why: string }): string => {
  if ('status' in outcome) {
    return isTaken(outcome.status)
      ? `The receiver acknowledged it with ${outcome.status}.`
      : `The receiver answered ${outcome.status}${hintFor(outcome.status)}; 200 to 299 would acknowledge it.`;
  }
  return `${faults[outcome.fault] ?? 'It failed'}: ${outcome.why}.`;
};

const faults: Readonly<Record<string, string>> = {
  forbidden: 'The address may not be called',
  unknown: 'The host was not found',
  unreachable: 'No connection',
  certificate: 'The receiver’s certificate is not valid',
  late: 'The receiver was too slow',
  broken: 'The line broke',
};

const hintFor = (status: number): string => {
  if (status >= 300 && status <= 399) return ', a redirect, which is never followed';
  if (status === 404) return ': is the path right?';
  if (status === 401 || status === 403) return ': it must accept notifications without a login';
  return status >= 500 ? ', an internal error of the receiver' : '';
};
