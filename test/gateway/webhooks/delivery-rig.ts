/** Delivery from a store to receivers in the same process: days pass in moments. */
import { systemIds, systemRandom } from '../../../src/base/ids.ts';
import { createWakeSignal } from '../../../src/gateway/background-jobs.ts';
import { openStore } from '../../../src/gateway/database/open.ts';
import type { CallOutcome, OutgoingCall } from '../../../src/gateway/outgoing/outgoing.ts';
import type { Payment } from '../../../src/gateway/store/records.ts';
import type { Store } from '../../../src/gateway/store/store.ts';
import type { Webhook, Webhooks } from '../../../src/gateway/store/webhook-store.ts';
import { openKeyring } from '../../../src/gateway/vault/keyring.ts';
import { openVault, type Vault } from '../../../src/gateway/vault/vault.ts';
import { type WebhookDelivery, webhookDelivery } from '../../../src/gateway/webhooks/delivery.ts';
import { decryptNotification } from '../../../src/gateway/webhooks/encryption.ts';
import { register } from '../../../src/gateway/webhooks/manage.ts';
import { entityId } from '../../support/gateway/gateway.ts';
import { type VirtualClock, virtualClock } from '../../support/time/virtual-clock.ts';
import { secret } from './receiver.ts';

export type DeliveryTry = { at: number; url: string; sequence: number; subject: string; attempt: number };
/** A receiver's reaction to a call. */
export type ReceiverAnswer = (deliveryTries: DeliveryTry) => CallOutcome | Promise<CallOutcome>;

export const accepted: CallOutcome = { kind: 'answered', status: 200 };
export const serverError: CallOutcome = { kind: 'answered', status: 500 };
export const unreachable: CallOutcome = { kind: 'failed', fault: 'unreachable', why: 'nothing listens there' };

export type DeliveryRig = {
  store: Store;
  clock: VirtualClock;
  deliveryTries: DeliveryTry[];
  reportedErrors: unknown[];
  context: Parameters<typeof register>[0];
  /** Starts delivery; a second call starts that of another gateway. `pollIntervalMs`: the interval for new events. */
  startDelivery(pollIntervalMs?: number): ReturnType<typeof webhookDelivery>;
  url(name: string): Promise<Webhook>;
  pay(...ids: string[]): Promise<void>;
  answer: ReceiverAnswer;
};

type Parts = { store?: Store; clock?: VirtualClock; pollIntervalMs?: number; vault?: Vault };

export const openDeliveryRig = async ({
  store: input,
  clock = virtualClock(),
  pollIntervalMs = 250,
  vault: stored,
}: Parts = {}): Promise<DeliveryRig> => {
  const store = input ?? (await openStore(':memory:'));
  const vault =
    stored ?? openVault(openKeyring({ at: { dataDir: ':memory:' }, random: systemRandom, clock }), systemRandom);
  const context = { store, vault, clock, ids: systemIds, random: systemRandom };
  const send = async (call: OutgoingCall): Promise<CallOutcome> => {
    const received = deliveryTryOf(call, clock.now());
    rig.deliveryTries.push(received);
    return rig.answer(received);
  };
  const outgoing: WebhookDelivery['outgoing'] = { send, refusalReason: () => undefined, close: async () => {} };
  const rig: DeliveryRig = {
    store,
    clock,
    deliveryTries: [],
    reportedErrors: [],
    context,
    answer: () => accepted,
    startDelivery: (everyMs = pollIntervalMs) =>
      webhookDelivery({
        ...context,
        store: { shared: store.shared, webhooks: runInRealTime(store.webhooks, clock) },
        outgoing,
        signal: createWakeSignal(),
        names: () => 'Corner Shop',
        report: (error) => rig.reportedErrors.push(error),
        pollMs: everyMs,
      }),
    async url(name) {
      const { webhook } = await register(context, { entityId, url: `https://${name}.example/`, secret });
      await store.webhooks.change(webhook.id, (current) => ({ ...current, state: 'active' }));
      return webhook;
    },
    async pay(...ids) {
      await store.transact([], async (session) => {
        for (const id of ids) await session.add(debit(id), []);
      });
    },
  };
  return rig;
};

/** Virtual time stands still during disk operations. */
const runInRealTime = (webhooks: Webhooks, clock: VirtualClock): Webhooks =>
  Object.fromEntries(
    Object.entries(webhooks).map(([name, work]) => [
      name,
      (...args: unknown[]) => clock.real((work as (...args: unknown[]) => Promise<unknown>)(...args)),
    ]),
  ) as unknown as Webhooks;

const deliveryTryOf = ({ url, headers, body }: OutgoingCall, at: number): DeliveryTry => {
  const nonce = String(headers['X-Initialization-Vector']);
  const tag = String(headers['X-Authentication-Tag']);
  const content = JSON.parse(decryptNotification({ secret, nonce, tag, body: String(body) })) as {
    sequence: number;
    payload: { id: string };
  };
  const attempt = Number(headers['X-Event-Attempt']);
  return { at, url, sequence: content.sequence, subject: content.payload.id, attempt };
};

export const debit = (id: string): Payment => ({
  id,
  entityId,
  paymentType: 'DB',
  paymentMethod: 'CC',
  amount: { minor: 1000n, currency: 'EUR' },
  at: 0,
  shortId: '1234.5678.9012',
  rootId: id,
  facts: { descriptor: 'x', requestId: 'r', acquirerId: id, echo: {} },
  state: 'done',
  resultCode: '000.100.110',
});
