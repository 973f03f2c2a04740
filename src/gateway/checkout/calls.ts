/**
 * The gateway's own calls to the shop (spec 6): when a status was not fetched, 29 minutes after the checkout's creation
 * and once more right before its end; and, if the deprecated notificationUrl was given, when the result is final.
 *
 * The first two are made at most once: each is claimed in the store before it is sent, so that only one of several
 * gateways sends it, and a gateway that crashes in between leaves it unsent rather than sent twice. They are only
 * hints: the status is authoritative. The call to notificationUrl is handed over to the job that repeats it until it is
 * accepted.
 */
import { type Clock, DAY_MS } from '../../base/clock.ts';
import { type BackgroundJob, startRounds, type WakeSignal, wakeOnSignal } from '../background-jobs.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';
import { meaningOf } from '../spec/results.ts';
import type { CallKind, Checkout, DueCall } from '../store/checkout-store.ts';
import type { Session, Store } from '../store/store.ts';
import { callOf } from '../webhooks/notification-url.ts';
import { ABANDONED_MS, CHECKOUT_MS, LAST_CALL_MS, RESULT_CALL_MS } from './life.ts';
import { returnUrlOf } from './return-url.ts';

/** The addresses that the shop gave, or that came from the shopper's side. */
export type CallAddresses = { shopperResultUrl?: string; notificationUrl?: string };

type AttemptCalls = { addresses: CallAddresses; attemptId: string };

/** Records the calls that a submitted checkout will need. A later attempt has the same ones. */
export const addCalls = async (
  session: Session,
  checkout: Checkout,
  { addresses: callees, attemptId }: AttemptCalls,
): Promise<void> => {
  const { id: checkoutId, at, kind: of } = checkout;
  const add = async (kind: CallKind, address: string | undefined, dueAt: number): Promise<void> => {
    const url = address === undefined ? undefined : returnUrlOf(address, checkout);
    if (url === undefined) return;
    const paymentId = of === 'payment' ? attemptId : undefined;
    await session.checkouts.addCall({ checkoutId, kind, url, dueAt, paymentId });
  };
  await add('result', callees.shopperResultUrl, at + RESULT_CALL_MS);
  await add('last', callees.shopperResultUrl, at + LAST_CALL_MS);
  // A registration is final at once; a payment when it is approved, or when no better result is to be expected.
  await add('notification', callees.notificationUrl, of === 'payment' ? at + RESULT_CALL_MS : at);
};

export type CallsOptions = {
  store: Store;
  clock: Clock;
  outgoing: Pick<Outgoing, 'send'>;
  /** Signalled when there may be something to do. */
  signal: Pick<WakeSignal, 'listen' | 'wake'>;
  report: (error: unknown) => void;
};

const TIMEOUT_MS = 10_000;
/** The number read and the number in progress at a time. */
const BATCH = 100;
/** How long until the work of another gateway or an acquirer is noticed. */
const WATCH_MS = 15_000;

/** Makes the calls as they fall due, and deletes the stored data of ended checkouts. */
export const callShops = (options: CallsOptions): BackgroundJob => {
  const { store, clock, signal, report } = options;
  const tryCall = async (call: DueCall): Promise<boolean> => {
    try {
      return await makeCall(options, call);
    } catch (error) {
      report(error);
      return false;
    }
  };
  const job = startRounds({
    clock,
    everyMs: WATCH_MS,
    report,
    async runRound() {
      await store.checkouts.forget(clock.now() - CHECKOUT_MS);
      await dropAbandoned(options);
      for (;;) {
        const dueNow = await store.checkouts.dueCalls(clock.now(), BATCH);
        const results = await Promise.all(dueNow.map(tryCall));
        if (!results.includes(true)) return nextWaitMs(options);
      }
    },
  });
  return wakeOnSignal(signal, job);
};

/** In small steps, so that others need not wait. */
const DROPPED = 1_000;

const dropAbandoned = async ({ store, clock }: CallsOptions): Promise<void> => {
  const key = { until: clock.now() - ABANDONED_MS, limit: DROPPED };
  while ((await store.checkouts.dropAbandoned(key)) === DROPPED);
};

/** Whether this gateway has claimed it. */
const makeCall = async (options: CallsOptions, call: DueCall): Promise<boolean> => {
  const { store, clock, outgoing } = options;
  const now = clock.now();
  if (!isDue(call, now)) return false;
  if (call.kind === 'notification') return handOver(options, call);
  if (!(await store.checkouts.claim(call, now))) return false;
  if (!isWanted(call, now)) return true;
  await outgoing.send({ url: call.url, method: 'GET', headers: {}, timeoutMs: TIMEOUT_MS });
  return true;
};

/** From here on it is retried until it is accepted. Recorded before it is claimed, so that no crash loses it. */
const handOver = async ({ store, clock, signal }: CallsOptions, call: DueCall): Promise<boolean> => {
  const { checkoutId: id, url } = call;
  const { entityId = '' } = (await store.checkouts.byId(id)) ?? {};
  await store.transact([], ({ notifications }) => notifications.add(callOf(url, { id, entityId, at: clock.now() })));
  const isOurs = await store.checkouts.claim(call, clock.now());
  signal.wake();
  return isOurs;
};

/** Before that time only an approval triggers the call: after any other ending the shopper may still pay. */
const isDue = ({ dueAt, resultCode }: DueCall, now: number): boolean =>
  dueAt <= now || (resultCode !== undefined && meaningOf(resultCode) === 'approved');

/** No call for a status that was fetched, and none shortly before the end for one that ended while no gateway ran. */
const isWanted = ({ kind, fetched, dueAt }: DueCall, now: number): boolean =>
  !fetched && (kind === 'result' || now < dueAt - LAST_CALL_MS + CHECKOUT_MS);

/** The time until there may be something to do, ms. An overdue call waits for a payment or for another gateway. */
const nextWaitMs = async ({ store, clock }: CallsOptions): Promise<number> => {
  const call = await store.checkouts.nextCallAt();
  const oldestAt = await store.checkouts.oldestStoredAt();
  const now = clock.now();
  const waitTimes = [call, oldestAt === undefined ? undefined : oldestAt + CHECKOUT_MS].map((at) =>
    at === undefined ? DAY_MS : at <= now ? WATCH_MS : at - now,
  );
  const wait = Math.min(DAY_MS, ...waitTimes);
  return store.shared || (await store.checkouts.isAwaitingPayment()) ? Math.min(wait, WATCH_MS) : wait;
};
