/**
 * One payment of a checkout at a time, and never two that may take money, however many tabs, gateways and double
 * clicks there are.
 *
 * Every payment of a checkout is begun in a transaction that holds the checkout's turn, its row, and the row of its
 * last payment. It begins only if that last payment is certain to have moved nothing: it has ended, as a decline or a
 * refusal. Endings are never taken back, so this stays true; by induction it is true of all earlier ones. A payment
 * without an ending, or with one that leaves a doubt, lets no other begin.
 *
 * So what waits for its shopper (a closed pop-up) must be ended first. That is the acquirer's to decide, in the
 * one place where the shopper's own decision is taken too: whichever comes first counts. Was it the withdrawal, then
 * the old payment has ended and the new one may begin, if no other gateway has begun one meanwhile; then all starts
 * again. Was it the shopper, then the checkout is paid, and the new payment is refused before money is asked for.
 * Nobody waits for an acquirer while holding the turn.
 *
 * What is paid is what the shop gave last: a request that was read together with values which the shop has changed
 * since begins nothing, and is read anew.
 *
 * An equal request is the same payment: each attempt has a number, and its claim stands once in the table of claims.
 * Whoever sends the same again while the last one counts, or right after it failed, comes upon its claim.
 */
import { carriedOut, type Payer, type PayRequest } from '../payments/authorise.ts';
import { NEVER_SENT } from '../payments/ending.ts';
import type { Call, Gateway } from '../payments/endpoint.ts';
import type { OpenedPayment } from '../payments/processing.ts';
import { duplicate } from '../payments/repeats.ts';
import type { Checkout } from '../store/checkout-store.ts';
import type { Payment } from '../store/records.ts';
import type { Session } from '../store/store.ts';
import { addCalls, type Callees } from './calls.ts';
import { checkoutStateOf, isOver, lastPayment, turnOf } from './life.ts';
import { resourcePathOf } from './return-url.ts';

/** Nobody corrects a card in less: what comes so soon after a decline is a second click on the same button. */
const SECOND_CLICK_MS = 2000;
/** Whoever tries more cards than this is trying cards. */
export const ATTEMPTS_MAX = 20;
/** How often others may begin and lose a payment of the same checkout between our look and our turn. */
const ROUNDS_MAX = 8;

export type Attempted =
  | Exclude<OpenedPayment, { kind: 'nothing' } | { kind: 'differs' }>
  /** Approved before, or meanwhile, by another request. */
  | { kind: 'paid'; by: Payment }
  /** Another payment has no certain ending, and cannot be taken back. */
  | { kind: 'waits'; for: Payment | undefined }
  /** The shop has given other values than those that the request was read with. */
  | { kind: 'changed'; checkout: Checkout }
  | { kind: 'over' }
  | { kind: 'tooMany' };

type Attempting = { checkout: Checkout; payer: Payer; callees: Callees };

/** Carries the payment out as the checkout's next attempt, or finds the equal one that was begun before. */
export const attempted = async (
  gateway: Gateway,
  call: Call<PayRequest>,
  { checkout: read, payer, callees }: Attempting,
): Promise<Attempted> => {
  const { id } = read;
  const fingerprint = call.fingerprint();
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const checkout = await gateway.store.checkouts.byId(id);
    if (checkout === undefined || isOver(checkout, gateway.clock.now())) return { kind: 'over' };
    if (!hasSameValues(checkout, read)) return { kind: 'changed', checkout };
    const last = await lastPayment(gateway.store, checkout);
    const number = numberOf(checkout, { last, fingerprint, at: call.at });
    if (number === undefined) {
      const blocked = await unblocked(gateway, last);
      if (blocked !== undefined) return blocked;
      continue;
    }
    if (number > ATTEMPTS_MAX) return { kind: 'tooMany' };
    const turn = {
      id,
      resourcePath: resourcePathOf(checkout),
      claims: [{ key: JSON.stringify(['checkout', id, number]), fingerprint }],
      names: [turnOf(id)],
      begin: (session: Session, paymentId: string) =>
        begun(session, { read, number, callees, attempt: { id: paymentId, fingerprint, at: call.at } }),
    };
    const opened = await carriedOut(gateway, call, { ...payer, checkout: turn });
    // Another request took the number, or the last payment is not what it was: look again.
    if (opened.kind === 'nothing') continue;
    if (opened.kind !== 'differs') return opened;
    if (await isElsewhere(gateway, id, opened.paymentId)) {
      return { kind: 'answer', answer: duplicate(call, opened.paymentId) };
    }
  }
  return { kind: 'waits', for: await lastOf(gateway, id) };
};

/** Sealed values are sealed anew with each change, and only then. */
const hasSameValues = (one: Checkout, other: Checkout): boolean => one.sealed?.box === other.sealed?.box;

/** A wallet's token that has paid outside of this checkout. */
const isElsewhere = async ({ store }: Gateway, id: string, paymentId: string | undefined): Promise<boolean> => {
  const payment = paymentId === undefined ? undefined : await store.payment(paymentId);
  return payment !== undefined && payment.facts.checkoutId !== id;
};

const lastOf = async ({ store }: Gateway, id: string): Promise<Payment | undefined> => {
  const checkout = await store.checkouts.byId(id);
  return checkout === undefined ? undefined : lastPayment(store, checkout);
};

type Wish = { last: Payment | undefined; fingerprint: string; at: number };

/** The attempt that this request is: a new one, or the last if it is the same. Undefined: the last is in its way. */
const numberOf = ({ attempts }: Checkout, { last, fingerprint, at }: Wish): number | undefined => {
  const before = attempts.at(-1);
  if (before === undefined) return 1;
  const isSame = before.fingerprint === fingerprint;
  if (checkoutStateOf(last) !== 'open') return isSame ? attempts.length : undefined;
  // What never happened has given its claim free.
  const isSecondClick = isSame && at < before.at + SECOND_CLICK_MS && !isNeverSent(last);
  return isSecondClick ? attempts.length : attempts.length + 1;
};

const isNeverSent = (payment: Payment | undefined): boolean =>
  payment?.state === 'done' && payment.resultCode === NEVER_SENT;

/** Ends what stands in the way, if it can be ended; what to answer if it cannot, or has ended as paid. */
const unblocked = async ({ processing }: Gateway, last: Payment | undefined): Promise<Attempted | undefined> => {
  if (last === undefined) return { kind: 'waits', for: undefined };
  const now = (await processing.withdraw(last.id)) ?? last;
  const standing = checkoutStateOf(now);
  if (standing === 'open') return undefined;
  return standing === 'paid' ? { kind: 'paid', by: now } : { kind: 'waits', for: now };
};

type Beginning = { read: Checkout; number: number; callees: Callees; attempt: Checkout['attempts'][number] };

/** Within the payment's transaction: whether it still is this attempt's turn. Writes it down, and the calls to come. */
const begun = async (session: Session, { read, number, callees, attempt }: Beginning): Promise<boolean> => {
  const checkout = await session.checkouts.byId(read.id);
  if (checkout === undefined || isOver(checkout, attempt.at) || checkout.attempts.length !== number - 1) return false;
  if (!hasSameValues(checkout, read) || checkoutStateOf(await lastPayment(session, checkout)) !== 'open') return false;
  // How the new attempt ends has been told to nobody.
  const { fetchedAt: _, ...rest } = checkout;
  await session.checkouts.change({ ...rest, attempts: [...checkout.attempts, attempt] });
  await addCalls(session, checkout, { callees, attemptId: attempt.id });
  return true;
};
