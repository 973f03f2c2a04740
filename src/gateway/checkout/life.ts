/** The life of a checkout: its duration, its states, its stored data (spec 3, 8). */
import { MINUTE_MS } from '../../base/clock.ts';
import type { Gateway } from '../payments/endpoint.ts';
import { meaningOf, movedNoMoney } from '../spec/results.ts';
import type { Checkout } from '../store/checkout-store.ts';
import type { Payment } from '../store/records.ts';
import type { Session } from '../store/store.ts';

/** From its creation to its end. */
export const CHECKOUT_MS = 30 * MINUTE_MS;
/** From its creation until a checkout that was never submitted is deleted: for a day its end can be looked up. */
export const ABANDONED_MS = 24 * 60 * MINUTE_MS;
/** The maximum number of open checkouts of a channel, unless its settings say otherwise. */
export const OPEN_MOST = 10_000;
/** From its creation to the call for a status that was not fetched, and to the last call before its end. */
export const RESULT_CALL_MS = 29 * MINUTE_MS;
export const LAST_CALL_MS = RESULT_CALL_MS + MINUTE_MS / 2;

export const isOver = ({ at }: Pick<Checkout, 'at'>, now: number): boolean => now >= at + CHECKOUT_MS;

/** Transactions of one checkout run one after another, in all gateways. */
export const lockNameOf = (id: string): string => `checkout ${id}`;

/** The end of the id, which in this interface names the system that made it. */
const NODE = 'tillgate-tx01';

/**
 * 32 upper-case hex digits, a hyphen, the node: 46 characters. The id is also the ndc of the checkout's answers, so it
 * has only the characters that spec 2.35 allows there: no dot, which 2.1 would accept. The digits are a keyed hash of a
 * secret id: 128 bits that cannot be guessed from the time or from other ids.
 */
export const newCheckoutId = ({ hash, ids }: Pick<Gateway, 'hash' | 'ids'>): string =>
  `${hash(`checkout ${ids.next()}`).slice(0, 32).toUpperCase()}-${NODE}`;

/** Parameters by their wire names. */
export type Values = Readonly<Record<string, string>>;

export const sealedValues = ({ vault }: Gateway, { id, entityId }: Pick<Checkout, 'id' | 'entityId'>, values: Values) =>
  vault.sealWaiting(JSON.stringify(values), { id, entityId });

/** The shop's values. Empty once the checkout has ended. */
export const valuesOf = ({ vault }: Gateway, { id, entityId, sealed }: Checkout): Values =>
  sealed === undefined ? {} : (JSON.parse(vault.openWaiting(sealed, { id, entityId })) as Values);

/**
 * paid: no other payment may start. pending: the result is unknown. open: all attempts are certain to have moved no
 * money.
 */
type CheckoutState = 'open' | 'pending' | 'paid';

export const checkoutStateOf = (payment: Payment | undefined): CheckoutState => {
  if (payment === undefined) return 'open';
  if (payment.state === 'processing') return 'pending';
  if (meaningOf(payment.resultCode) === 'approved') return 'paid';
  // An uncertain ending may be an approval: nothing may follow it.
  return movedNoMoney(payment.resultCode) ? 'open' : 'pending';
};

/** The payment of the last attempt. All earlier ones are certain to have moved nothing. */
export const lastPayment = async (
  reader: Pick<Session, 'payment'>,
  { kind, attempts }: Checkout,
): Promise<Payment | undefined> => {
  const lastAttempt = attempts.at(-1);
  return lastAttempt === undefined || kind === 'registration' ? undefined : reader.payment(lastAttempt.id);
};

/** Like lastPayment, for either kind: a successful registration also ends its checkout. */
export const checkoutStateIn = async (reader: Pick<Session, 'payment'>, checkout: Checkout): Promise<CheckoutState> => {
  if (checkout.kind === 'registration') return checkout.attempts.length === 0 ? 'open' : 'paid';
  return checkoutStateOf(await lastPayment(reader, checkout));
};
