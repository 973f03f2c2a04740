/** The life of a checkout: how long it lasts, how it stands, what is kept of it (spec 3, 8). */
import { MINUTE_MS } from '../../base/clock.ts';
import type { Gateway } from '../payments/endpoint.ts';
import { meaningOf, movedNoMoney } from '../spec/results.ts';
import type { Checkout } from '../store/checkout-store.ts';
import type { Payment } from '../store/records.ts';
import type { Session } from '../store/store.ts';

/** From its creation to its end. */
export const CHECKOUT_MS = 30 * MINUTE_MS;
/** From its creation until it is forgotten, if nobody ever submitted it: a day in which its end can be looked up. */
export const ABANDONED_MS = 24 * 60 * MINUTE_MS;
/** So many may a channel have that are not over, unless its settings say otherwise. */
export const OPEN_MOST = 10_000;
/** From its creation to the call for a status that nobody fetched, and to the last one before its end. */
export const RESULT_CALL_MS = 29 * MINUTE_MS;
export const LAST_CALL_MS = RESULT_CALL_MS + MINUTE_MS / 2;

export const isOver = ({ at }: Pick<Checkout, 'at'>, now: number): boolean => now >= at + CHECKOUT_MS;

/** Works about one checkout run one after another, in all gateways. */
export const turnOf = (id: string): string => `checkout ${id}`;

/** The end of the id, as those of this interface have one: which system it is of. */
const NODE = 'tillgate-tx01';

/**
 * 32 upper-case hex digits, a hyphen, the node: 46 characters. As the id is the ndc of the checkout's answers too, it
 * has the characters that spec 2.35 gives to that: no dot, which 2.1 would take. The digits are a keyed hash of an id
 * that is never told, so that they are 128 bits nobody can guess: neither from the time nor from other ids.
 */
export const newCheckoutId = ({ hash, ids }: Pick<Gateway, 'hash' | 'ids'>): string =>
  `${hash(`checkout ${ids.next()}`).slice(0, 32).toUpperCase()}-${NODE}`;

/** Parameters under their wire names. */
export type Values = Readonly<Record<string, string>>;

export const sealedValues = ({ vault }: Gateway, { id, entityId }: Pick<Checkout, 'id' | 'entityId'>, values: Values) =>
  vault.sealWaiting(JSON.stringify(values), { id, entityId });

/** What the shop gave. Nothing once the checkout is over. */
export const valuesOf = ({ vault }: Gateway, { id, entityId, sealed }: Checkout): Values =>
  sealed === undefined ? {} : (JSON.parse(vault.openWaiting(sealed, { id, entityId })) as Values);

/** paid: no other payment may come. pending: nobody knows yet. open: what was tried has certainly moved no money. */
type CheckoutState = 'open' | 'pending' | 'paid';

export const checkoutStateOf = (payment: Payment | undefined): CheckoutState => {
  if (payment === undefined) return 'open';
  if (payment.state === 'processing') return 'pending';
  if (meaningOf(payment.resultCode) === 'approved') return 'paid';
  // An ending that leaves a doubt may be an approval: nothing may follow it.
  return movedNoMoney(payment.resultCode) ? 'open' : 'pending';
};

/** The payment of the last attempt. All earlier ones are certain to have moved nothing. */
export const lastPayment = async (
  from: Pick<Session, 'payment'>,
  { kind, attempts }: Checkout,
): Promise<Payment | undefined> => {
  const last = attempts.at(-1);
  return last === undefined || kind === 'registration' ? undefined : from.payment(last.id);
};

/** As lastPayment, of either kind: a registration that succeeded is the end of its checkout too. */
export const checkoutStateIn = async (from: Pick<Session, 'payment'>, checkout: Checkout): Promise<CheckoutState> => {
  if (checkout.kind === 'registration') return checkout.attempts.length === 0 ? 'open' : 'paid';
  return checkoutStateOf(await lastPayment(from, checkout));
};
