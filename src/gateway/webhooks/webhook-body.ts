/** A webhook as its owner sees it: its settings, how its receiver does, what was tried. No secret is in it. */
import { type Body, stamp } from '../payments/response.ts';
import type { Json } from '../spec/json.ts';
import type { Vault } from '../vault/vault.ts';
import { wordsOf } from './activation.ts';
import { keyIdOf } from './encryption.ts';
import { secretOf } from './secrets.ts';
import type { Attempt, Webhook, Webhooks } from './store/webhooks.ts';

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
