/**
 * One payment of a checkout at a time, and never two that may take money, however many tabs, gateways and double clicks
 * there are.
 *
 * Every payment of a checkout starts in a transaction that holds the checkout's lock, its row, and the row of its last
 * payment. It starts only if that last payment is certain to have moved nothing: it has ended as a decline or a
 * refusal. Endings are never taken back, so this stays true; by induction it is true of all earlier payments. A payment
 * without an ending, or with an uncertain one, lets no other start.
 *
 * So a payment that waits for its shopper (a closed pop-up) must be ended first. The acquirer decides that in the same
 * place as the shopper's own decision: whichever comes first counts. If it was the withdrawal, the old payment has
 * ended and the new one can start, unless another gateway has started one meanwhile; then all begins again. If it was
 * the shopper, the checkout is paid, and the new payment is refused before money is requested. No acquirer is called
 * while the lock is held.
 *
 * The amount paid is the one that the shop gave last: a request that was parsed with values that the shop has changed
 * since starts nothing, and is parsed again.
 *
 * An equal request is the same payment: each attempt has a number, and its claim is unique in the table of claims. A
 * request that is repeated while the last attempt counts, or right after it failed, finds its claim.
 */
import { carryOutPayment, type Payer, type PayRequest } from '../payments/authorise.ts';
import { NEVER_SENT } from '../payments/ending.ts';
import type { Call, Gateway } from '../payments/endpoint.ts';
import type { OpenedPayment } from '../payments/processing.ts';
import { duplicateAnswer } from '../payments/repeats.ts';
import type { Checkout } from '../store/checkout-store.ts';
import type { Payment } from '../store/records.ts';
import type { Session } from '../store/store.ts';
import { addCalls, type CallAddresses } from './calls.ts';
import { checkoutStateOf, isOver, lastPayment, lockNameOf } from './life.ts';
import { resourcePathOf } from './return-url.ts';

/** Nobody corrects a card this fast: a request so soon after a decline is a second click on the same button. */
const SECOND_CLICK_MS = 2000;
/** Anyone who tries more cards than this is testing stolen ones. */
export const ATTEMPTS_MAX = 20;
/** How often other requests may start and lose a payment of the same checkout between our read and our lock. */
const ROUNDS_MAX = 8;

export type AttemptOutcome =
  | Exclude<OpenedPayment, { kind: 'nothing' } | { kind: 'differs' }>
  /** Approved earlier, or meanwhile by another request. */
  | { kind: 'paid'; by: Payment }
  /** Another payment has no certain ending, and cannot be withdrawn. */
  | { kind: 'waits'; for: Payment | undefined }
  /** The shop has changed the values since the request was parsed with them. */
  | { kind: 'changed'; checkout: Checkout }
  | { kind: 'over' }
  | { kind: 'tooMany' };

type AttemptContext = { checkout: Checkout; payer: Payer; callees: CallAddresses };

/** Processes the payment as the checkout's next attempt, or finds the equal one that was started before. */
export const attemptPayment = async (
  gateway: Gateway,
  call: Call<PayRequest>,
  { checkout: read, payer, callees }: AttemptContext,
): Promise<AttemptOutcome> => {
  const { id } = read;
  const fingerprint = call.fingerprint();
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const checkout = await gateway.store.checkouts.byId(id);
    if (checkout === undefined || isOver(checkout, gateway.clock.now())) return { kind: 'over' };
    if (!hasSameValues(checkout, read)) return { kind: 'changed', checkout };
    const last = await lastPayment(gateway.store, checkout);
    const number = numberOf(checkout, { last, fingerprint, at: call.at });
    if (number === undefined) {
      const blocked = await endBlockingPayment(gateway, last);
      if (blocked !== undefined) return blocked;
      continue;
    }
    if (number > ATTEMPTS_MAX) return { kind: 'tooMany' };
    const checkoutTurn = {
      id,
      resourcePath: resourcePathOf(checkout),
      claims: [{ key: JSON.stringify(['checkout', id, number]), fingerprint }],
      names: [lockNameOf(id)],
      begin: (session: Session, paymentId: string) =>
        beginAttempt(session, { read, number, callees, attempt: { id: paymentId, fingerprint, at: call.at } }),
    };
    const openedPayment = await carryOutPayment(gateway, call, { ...payer, checkout: checkoutTurn });
    // Another request took the number, or the last payment has changed: look again.
    if (openedPayment.kind === 'nothing') continue;
    if (openedPayment.kind !== 'differs') return openedPayment;
    if (await isElsewhere(gateway, id, openedPayment.paymentId)) {
      return { kind: 'answer', answer: duplicateAnswer(call, openedPayment.paymentId) };
    }
  }
  return { kind: 'waits', for: await lastOf(gateway, id) };
};

/** Encrypted values are encrypted anew with each change, and only then. */
const hasSameValues = (left: Checkout, right: Checkout): boolean => left.sealed?.box === right.sealed?.box;

/** Whether a wallet's token has paid outside of this checkout. */
const isElsewhere = async ({ store }: Gateway, id: string, paymentId: string | undefined): Promise<boolean> => {
  const payment = paymentId === undefined ? undefined : await store.payment(paymentId);
  return payment !== undefined && payment.facts.checkoutId !== id;
};

const lastOf = async ({ store }: Gateway, id: string): Promise<Payment | undefined> => {
  const checkout = await store.checkouts.byId(id);
  return checkout === undefined ? undefined : lastPayment(store, checkout);
};

type AttemptRequest = { last: Payment | undefined; fingerprint: string; at: number };

/** The number of this request's attempt: a new one, or the last if it is the same. Undefined if the last blocks it. */
const numberOf = ({ attempts }: Checkout, { last, fingerprint, at }: AttemptRequest): number | undefined => {
  const lastAttempt = attempts.at(-1);
  if (lastAttempt === undefined) return 1;
  const isSame = lastAttempt.fingerprint === fingerprint;
  if (checkoutStateOf(last) !== 'open') return isSame ? attempts.length : undefined;
  // A payment that never happened has released its claim.
  const isSecondClick = isSame && at < lastAttempt.at + SECOND_CLICK_MS && !isNeverSent(last);
  return isSecondClick ? attempts.length : attempts.length + 1;
};

const isNeverSent = (payment: Payment | undefined): boolean =>
  payment?.state === 'done' && payment.resultCode === NEVER_SENT;

/** Ends the blocking payment, if possible; returns the answer if it cannot be ended, or has ended as paid. */
const endBlockingPayment = async (
  { processing }: Gateway,
  last: Payment | undefined,
): Promise<AttemptOutcome | undefined> => {
  if (last === undefined) return { kind: 'waits', for: undefined };
  const now = (await processing.withdraw(last.id)) ?? last;
  const checkoutState = checkoutStateOf(now);
  if (checkoutState === 'open') return undefined;
  return checkoutState === 'paid' ? { kind: 'paid', by: now } : { kind: 'waits', for: now };
};

type AttemptStart = { read: Checkout; number: number; callees: CallAddresses; attempt: Checkout['attempts'][number] };

/** Within the payment's transaction: whether the attempt may still start. Records it, and the calls to come. */
const beginAttempt = async (session: Session, { read, number, callees, attempt }: AttemptStart): Promise<boolean> => {
  const checkout = await session.checkouts.byId(read.id);
  if (checkout === undefined || isOver(checkout, attempt.at) || checkout.attempts.length !== number - 1) return false;
  if (!hasSameValues(checkout, read) || checkoutStateOf(await lastPayment(session, checkout)) !== 'open') return false;
  // The ending of the new attempt has not been reported to anyone.
  const { fetchedAt: _, ...rest } = checkout;
  await session.checkouts.change({ ...rest, attempts: [...checkout.attempts, attempt] });
  await addCalls(session, checkout, { addresses: callees, attemptId: attempt.id });
  return true;
};
