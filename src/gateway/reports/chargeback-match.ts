/** Which payments a chargeback can be of: by payment id, by the acquirer's reference, else by card, amount and days. */
import { type Money, parseAmount } from '../../base/money.ts';
import { followUps } from '../payments/payments.ts';
import type { Payment } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { isApproved } from './settlement-record.ts';
import type { ChargebackFacts } from './store/settlement-store.ts';

type Facts = Omit<ChargebackFacts, 'matched'>;
type Reading = Pick<Store, 'payment' | 'search' | 'followersOf'>;

export type Matching = {
  readonly store: Reading;
  readonly entityId: string;
  readonly facts: Facts;
  /** Wall time, ms: without the payment's day, the months before it are looked through. */
  readonly now: number;
};

const DAY_MS = 86_400_000;
/** How long schemes let a cardholder dispute. */
const DISPUTE_DAYS = 120;
/** More are not told apart by being listed. */
const MOST = 20;
const PAGE = 500;

/** One: it is that. Several: any of them. For a reversal, the chargebacks that it can be of. */
export const candidatesFor = async (matching: Matching): Promise<readonly Payment[]> => {
  const found = await paymentsFor(matching);
  if (matching.facts.recordType === 'CHARGEBACK') return found;
  const disputes: Payment[] = [];
  for (const payment of found) {
    const followers = await matching.store.followersOf(payment.id);
    disputes.push(...followers.filter((each) => each.paymentType === 'CB' && isApproved(each)));
  }
  return disputes;
};

const paymentsFor = async (matching: Matching): Promise<readonly Payment[]> => {
  const { facts } = matching;
  for (const name of [facts.paymentId, facts.acquirerReference]) {
    const named = name === undefined ? [] : await namedBy(matching, name);
    if (named.length > 0) return named;
  }
  return facts.last4 === undefined ? [] : byCard(matching, facts.last4);
};

/** The payment itself; of an authorisation, or of the start of a chain, what was taken in it. */
const namedBy = async ({ store, entityId, facts }: Matching, name: string): Promise<readonly Payment[]> => {
  if (!/^[A-Za-z0-9.-]{1,64}$/.test(name)) return [];
  const amount = parseAmount(facts.amount, facts.currency);
  const payment = await store.payment(name);
  if (payment === undefined || payment.entityId !== entityId) return [];
  if (canBeOf(payment, amount)) return [payment];
  const chain = await store.search({ entityId, rootId: payment.rootId, limit: PAGE });
  const taken = chain.payments.filter((each) => each.id !== name && canBeOf(each, amount));
  const exactly = taken.filter((each) => each.amount.minor === amount.minor);
  return (exactly.length > 0 ? exactly : taken).slice(0, MOST);
};

/** What was taken from a shopper. A chargeback may be of a part of it. */
const canBeOf = (payment: Payment, amount: Money): boolean =>
  TAKEN.has(payment.paymentType) &&
  isApproved(payment) &&
  payment.amount.currency === amount.currency &&
  payment.amount.minor >= amount.minor;

const TAKEN: ReadonlySet<string> = new Set(followUps.CB.of.filter((type) => type !== 'RF' && type !== 'CR'));

/** A day of leeway on both sides of the payment's own, for time zones. */
const byCard = async ({ store, entityId, facts, now }: Matching, last4: string): Promise<readonly Payment[]> => {
  const amount = parseAmount(facts.amount, facts.currency);
  const day = facts.presentedOn === undefined ? undefined : Date.parse(`${facts.presentedOn}T00:00:00Z`);
  const from = day === undefined ? now - DISPUTE_DAYS * DAY_MS : day - DAY_MS;
  const found = new Map<string, Payment>();
  let to = day === undefined ? now : day + 2 * DAY_MS - 1;
  for (let limit = PAGE; found.size < MOST; ) {
    const { payments } = await store.search({ entityId, from, to, paymentTypes: [...TAKEN], limit });
    for (const payment of payments) {
      const fits = canBeOf(payment, amount) && payment.amount.minor === amount.minor;
      if (fits && (await last4Of(store, payment)) === last4) found.set(payment.id, payment);
    }
    if (payments.length < limit) break;
    // The newest come first: the next page goes on before the oldest of this one.
    const last = payments.at(-1)?.at ?? from;
    // All of one page in one millisecond: a longer page goes past it.
    if (last === to) limit *= 2;
    to = last;
  }
  return [...found.values()].toReversed();
};

/** A capture has its card at the authorisation. */
const last4Of = async (store: Reading, payment: Payment): Promise<string | undefined> => {
  const own = payment.facts.card?.last4Digits;
  if (own !== undefined || payment.rootId === payment.id) return own;
  return (await store.payment(payment.rootId))?.facts.card?.last4Digits;
};
