/** Late events: a second rotation before the first was completed, and answers overtaken by another gateway. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemIds, systemRandom } from '../../../src/base/ids.ts';
import { openStore } from '../../../src/gateway/database/open.ts';
import type { Store } from '../../../src/gateway/store/store.ts';
import type { SettledEvent, Webhook, WebhookEvent } from '../../../src/gateway/store/webhook-store.ts';
import { openKeyring } from '../../../src/gateway/vault/keyring.ts';
import { openVault } from '../../../src/gateway/vault/vault.ts';
import { createSlots, deliverBatch } from '../../../src/gateway/webhooks/batch.ts';
import type { WebhookCall } from '../../../src/gateway/webhooks/call.ts';
import { OVERLAP_MS, secretOf } from '../../../src/gateway/webhooks/encryption.ts';
import { type Managing, register, rotate } from '../../../src/gateway/webhooks/manage.ts';
import { entityId, payment, testGateway } from '../../support/gateway/gateway.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';

const clock = virtualClock();
let store: Store;
let registrationContext: Managing;
beforeEach(async () => {
  store = await openStore(':memory:');
  const vault = openVault(openKeyring({ at: { dataDir: ':memory:' }, random: systemRandom, clock }), systemRandom);
  registrationContext = { store, vault, clock, ids: systemIds, random: systemRandom };
});
afterEach(() => store.close());

const registered = async (): Promise<Webhook> => {
  const { webhook } = await register(registrationContext, { entityId, url: 'https://shop.test/hook' });
  await store.webhooks.change(webhook.id, (now) => ({ ...now, state: 'active' }));
  return webhook;
};

test('a rotation right after the overlap of another continues with the secret in use, not with the previous one', async () => {
  const webhook = await registered();
  const second = await rotate(registrationContext, webhook, {});
  await clock.advance(OVERLAP_MS + 1);
  const secretInUse = async () =>
    secretOf(
      (await store.webhooks.byId(webhook.id)) ?? webhook,
      registrationContext.vault,
      registrationContext.clock.now(),
    );
  expect(await secretInUse()).toBe(second?.secret);
  // The second secret has not replaced the first in the store yet.
  const third = await rotate(registrationContext, webhook, {});
  expect(await secretInUse()).toBe(second?.secret);
  await clock.advance(OVERLAP_MS + 1);
  expect(await secretInUse()).toBe(third?.secret);
});

test('an event delivered by another gateway stays delivered, whatever a late result says', async () => {
  const webhook = await registered();
  const gateway = await testGateway({ store, clock });
  await gateway.post('v1/payments', payment());
  const now = clock.now();
  const webhookId = webhook.id;
  await store.webhooks.numberEvents({ webhookId, now, givesUpAt: now + 1_000_000, limit: 10 });
  const [event] = await store.webhooks.due({ webhookId, now, limit: 10 });
  if (event === undefined) throw new Error('nothing is due');
  const about = { eventId: event.id, number: 1, attempt: 1, at: now, durationMs: 5 };
  const settleEvent = (settledEvent: SettledEvent) =>
    store.webhooks.settleBatch({ webhookId, at: now, settled: [settledEvent], failures: 0, retryAt: 0 });
  await settleEvent({ event, attempt: { ...about, status: 200 }, state: 'delivered' });
  await settleEvent({ event, attempt: { ...about, status: 500 }, state: 'waiting', dueAt: now + 1_000 });
  await settleEvent({ event, attempt: { ...about, fault: 'late', why: 'no answer' }, state: 'dead' });
  expect(await store.webhooks.eventCounts(webhookId)).toEqual({ new: 0, waiting: 0, delivered: 1, dead: 0 });
  // The log still has all attempts.
  expect(await store.webhooks.log({ webhookId, limit: 10 })).toHaveLength(3);
});

test('a call whose slot came after its time is not made, and not reported', async () => {
  const events = ['a', 'b', 'c'].map((subject) => ({ subject })) as unknown as readonly WebhookEvent[];
  const sendSlots = createSlots(1);
  const called: string[] = [];
  let isDelivered = false;
  const reports = await deliverBatch({
    events,
    width: 3,
    isOver: () => isDelivered,
    call: (event) =>
      sendSlots.use('url', async () => {
        if (isDelivered) return undefined;
        called.push(event.subject);
        await new Promise((resolve) => setImmediate(resolve));
        isDelivered = true;
        return { event, outcome: 'taken' } as WebhookCall;
      }),
  });
  expect(called).toEqual(['a', 'b']);
  expect(reports).toHaveLength(2);
});
