/**
 * Calls of notificationUrl (spec 2.31), deprecated and still in use: a GET with id and resourcePath, as in the
 * shopper's return address, once the payment has its ending. Signed, and retried like a webhook until it is accepted:
 * at least once.
 */
import { createHmac } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { type BackgroundJob, startRounds, type WakeSignal, wakeOnSignal } from '../background-jobs.ts';
import type { Channel } from '../channel.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';
import type { NotificationSubject } from '../payments/port.ts';
import { returnUrlWith } from '../spec/return-url.ts';
import type { HeldNotifications, NotificationCall } from '../store/notification-store.ts';
import type { Store } from '../store/store.ts';
import { ACKNOWLEDGE_WITHIN_MS, GIVES_UP_AFTER_MS, isTaken, waitMsAfter } from './call.ts';

/** Records the call for this subject, if the request has a web address for it. */
export const addNotification = async (
  { notifications }: { readonly notifications: HeldNotifications },
  url: string | undefined,
  { id, entityId, resourcePath, paymentId, at }: NotificationSubject,
): Promise<void> => {
  const address = url === undefined ? undefined : returnUrlWith(url, { id, resourcePath });
  if (address !== undefined) await notifications.add(callOf(address, { id, entityId, paymentId, at }));
};

type NotificationTarget = { id: string; entityId: string; paymentId?: string; at: number };

/** A call of this complete address. */
export const callOf = (url: string, { id, entityId, paymentId, at }: NotificationTarget): NotificationCall => ({
  id,
  entityId,
  url,
  paymentId,
  dueAt: at,
  givesUpAt: at + GIVES_UP_AFTER_MS,
  attempts: 0,
});

/**
 * The signature of a call, hex: HMAC-SHA-256 over the time in X-Signature-Timestamp (seconds), a dot and the complete
 * address, with the channel's access token as key.
 */
export const signatureOf = (token: string, { timestamp, url }: { timestamp: string; url: string }): string =>
  createHmac('sha256', token).update(`${timestamp}.${url}`).digest('hex');

export type NotificationOptions = {
  store: Pick<Store, 'notifications' | 'shared'>;
  clock: Clock;
  outgoing: Pick<Outgoing, 'send'>;
  channels: readonly Pick<Channel, 'entityId' | 'token'>[];
  /** Signalled when there may be something to do. */
  signal: Pick<WakeSignal, 'listen'>;
  report: (error: unknown) => void;
};

const BATCH = 64;
/** Longer than any call: if a gateway dies during it, another one calls. */
const LEASE_MS = 3 * ACKNOWLEDGE_WITHIN_MS;
/** How soon this gateway notices the ending that a call waits for, or a call that another gateway has recorded. */
const WATCH_MS = 5_000;
const NEVER_MS = 24 * 60 * 60 * 1000;

/** Makes the calls when they are due. */
export const callNotificationUrls = (options: NotificationOptions): BackgroundJob => {
  const { store, clock, signal, report } = options;
  const { notifications } = store;
  const job = startRounds({
    clock,
    everyMs: WATCH_MS,
    report,
    async runRound() {
      for (;;) {
        const dueCalls = await notifications.due({ now: clock.now(), limit: BATCH });
        await Promise.all(dueCalls.map((call) => makeCall(options, call)));
        if (dueCalls.length < BATCH) break;
      }
      return nextWaitMs(options);
    },
  });
  return wakeOnSignal(signal, job);
};

/** The time until there may be something to do, ms. */
const nextWaitMs = async ({ store: { notifications, shared }, clock }: NotificationOptions): Promise<number> => {
  const now = clock.now();
  if (shared || (await notifications.isAwaitingPayment(now))) return WATCH_MS;
  const nextAt = await notifications.next(now);
  return Math.min(NEVER_MS, nextAt === undefined ? NEVER_MS : nextAt - now);
};

const makeCall = async (
  { store: { notifications }, clock, outgoing, channels }: NotificationOptions,
  call: NotificationCall,
): Promise<void> => {
  if (!(await notifications.lease(call, clock.now() + LEASE_MS))) return;
  const { id, url, entityId, givesUpAt } = call;
  const attempt = call.attempts + 1;
  const token = channels.find((channel) => channel.entityId === entityId)?.token;
  // Its channel is gone: nobody could verify the call.
  if (token === undefined) return notifications.remove(id);
  const timestamp = Math.floor(clock.now() / 1000).toString();
  const headers = {
    'X-Signature-Timestamp': timestamp,
    'X-Signature': signatureOf(token, { timestamp, url }),
    'X-Event-Attempt': String(attempt),
  };
  const outcome = await outgoing.send({ url, method: 'GET', headers, timeoutMs: ACKNOWLEDGE_WITHIN_MS });
  const dueAt = clock.now() + waitMsAfter(attempt);
  const isOver = (outcome.kind === 'answered' && isTaken(outcome.status)) || dueAt > givesUpAt;
  await (isOver ? notifications.remove(id) : notifications.retryAt(id, dueAt));
};
