/**
 * Books an acquirer's chargebacks: each notice once, however often it comes. A notice with exactly one match becomes
 * the gateway's own chargeback (CB, CR); any other is stored, and appears in the settlement as it came.
 */

import { DAY_MS } from '../../base/clock.ts';
import { type Money, parseAmount } from '../../base/money.ts';
import { withoutUndefined } from '../../base/present.ts';
import { isInGroup } from '../../base/result-codes.ts';
import type { Channel } from '../channel.ts';
import type { Gateway } from '../payments/endpoint.ts';
import { followUps } from '../payments/payments.ts';
import { refer } from '../payments/refer.ts';
import { meaningOf } from '../spec/results.ts';
import type { Payment } from '../store/records.ts';
import type { ChargebackFacts, ChargebackNotice } from '../store/settlement-store.ts';
import type { Store } from '../store/store.ts';
import type { ListedChargeback } from './chargeback-list.ts';
import { isApproved } from './settlement-record.ts';

export type ImportedChargeback = {
  readonly id: string;
  /** known: it came before. open: the booking has no ending yet; import the list again. */
  readonly outcome: 'booked' | 'kept' | 'known' | 'open';
  readonly status: ChargebackNotice['status'];
  readonly matched: readonly string[];
  readonly chargebackId?: string;
  /** Why a notice with a certain match was not booked. */
  readonly why?: string;
};

export type ImportContext = { readonly gateway: Gateway; readonly channel: Channel };

export const importChargeback = async (
  context: ImportContext,
  { id, facts }: ListedChargeback,
): Promise<ImportedChargeback> => {
  const { gateway, channel } = context;
  const { store, clock } = gateway;
  const { entityId } = channel;
  const existing = await store.settlements.notice(entityId, id);
  if (existing !== undefined && (existing.chargebackId !== undefined || existing.state === 'settled')) {
    return { id, outcome: 'known', ...matchOf(existing) };
  }
  const candidates = await candidatesFor({ store, entityId, facts, now: clock.now() });
  const matched = candidates.map(({ id: one, referencedId, paymentType }) =>
    paymentType === 'CB' ? (referencedId ?? one) : one,
  );
  const at = existing?.at ?? clock.now();
  // If its booking was interrupted, it belongs to that payment, even if another one looks the same by now.
  const earlierMatches =
    existing?.status === 'MATCHED' ? candidates.filter((_, n) => isAmong(existing, matched[n])) : [];
  const [match, ...others] = earlierMatches.length > 0 ? earlierMatches : candidates;
  const isSure = match !== undefined && others.length === 0;
  const newNotice = { entityId, id, at, state: 'due', facts: { ...facts, matched } } as const;
  // From here on no settlement takes the notice itself: it takes the chargeback, or nothing yet if the booking was
  // interrupted.
  const storedNotice = isSure ? await keepNotice(context, { ...newNotice, status: 'MATCHED' }) : undefined;
  if (storedNotice !== undefined) return { id, outcome: 'known', ...matchOf(storedNotice) };
  const booking = isSure ? await bookChargeback(context, match, { id, facts }) : undefined;
  if (booking?.kind === 'open') return { id, outcome: 'open', status: 'MATCHED', matched, why: booking.why };
  const chargebackId = booking?.kind === 'booked' ? booking.chargebackId : undefined;
  const notice: ChargebackNotice = {
    ...newNotice,
    status: chargebackId !== undefined ? 'MATCHED' : others.length > 0 ? 'MULTIPLE_MATCHES' : 'NOT_MATCHED',
    chargebackId,
  };
  await keepNotice(context, notice);
  const reason = booking?.kind === 'refused' ? booking.why : undefined;
  return { id, outcome: chargebackId === undefined ? 'kept' : 'booked', ...matchOf(notice), why: reason };
};

const isAmong = ({ facts }: ChargebackNotice, id: string | undefined): boolean =>
  id !== undefined && facts.matched.includes(id);

const matchOf = ({ status, chargebackId, facts }: ChargebackNotice) => ({
  status,
  matched: facts.matched,
  chargebackId,
});

/**
 * Under the settlement's lock: a batch in progress takes the notice either before or after, never both. Returns the
 * existing notice if that was first.
 */
const keepNotice = ({ gateway: { store }, channel }: ImportContext, notice: ChargebackNotice) =>
  store.transact([`settlement ${channel.entityId}`], async ({ settlements }) => {
    const now = await settlements.notice(notice.entityId, notice.id);
    if (now?.state === 'settled' || now?.chargebackId !== undefined) return now;
    await settlements.keepNotice(notice);
    return undefined;
  });

type Booking =
  | { kind: 'booked'; chargebackId: string }
  | { kind: 'refused'; why: string }
  | { kind: 'open'; why: string };

/** Books it as the host API would, under a key of the notice: the same notice finds the same chargeback. */
const bookChargeback = async (
  context: ImportContext,
  payment: Payment,
  { id, facts }: ListedChargeback,
): Promise<Booking> => {
  const { gateway, channel } = context;
  const { clock, ids, hash } = gateway;
  const key = hash(`chargeback notice ${channel.entityId} ${id}`);
  const { amount, currency, reasonCode, recordType } = facts;
  const sent = withoutUndefined({
    entityId: channel.entityId,
    paymentType: recordType === 'CHARGEBACK' ? 'CB' : 'CR',
    amount,
    currency,
    chargebackResultCode: isInGroup('recordedChargebacks', reasonCode ?? '') ? reasonCode : undefined,
  });
  const fingerprint = () => hash(`chargeback notice ${JSON.stringify(sent)} of ${payment.id}`);
  const { body } = await refer.answer(gateway, {
    channel,
    sent,
    key,
    fingerprint,
    id: payment.id,
    errors: [],
    requestId: ids.next(),
    base: '',
    at: clock.now(),
  });
  const { code = '', description = '' } = (body['result'] ?? {}) as { code?: string; description?: string };
  const meaning = meaningOf(code);
  if (meaning === 'approved') return { kind: 'booked', chargebackId: String(body['id']) };
  if (meaning === 'pending' || meaning === 'unknown' || meaning === 'later') return { kind: 'open', why: description };
  return (await findEarlierBooking(context, payment, { id, facts })) ?? { kind: 'refused', why: description };
};

/** A chargeback booked over the API before the list came: with the same amount, and not for another notice. */
const findEarlierBooking = async (
  { gateway: { store }, channel }: ImportContext,
  payment: Payment,
  { facts }: ListedChargeback,
): Promise<Booking | undefined> => {
  const type = facts.recordType === 'CHARGEBACK' ? 'CB' : 'CR';
  for (const each of await store.followersOf(payment.id)) {
    if (each.paymentType !== type || !isApproved(each)) continue;
    const isOther = (await store.settlements.noticeOfChargeback(channel.entityId, each.id)) !== undefined;
    const { minor } = parseAmount(facts.amount, facts.currency);
    if (!isOther && each.amount.minor === minor) return { kind: 'booked', chargebackId: each.id };
  }
  return undefined;
};

type Facts = Omit<ChargebackFacts, 'matched'>;
type Reading = Pick<Store, 'payment' | 'search' | 'followersOf'>;

/**
 * Which payments a chargeback can belong to: by payment id, by the acquirer's reference, otherwise by card, amount and
 * days.
 */
export type MatchContext = {
  readonly store: Reading;
  readonly entityId: string;
  readonly facts: Facts;
  /** Wall time, ms: without the payment's day, the preceding months are searched. */
  readonly now: number;
};

/** How long card schemes let a cardholder dispute a payment. */
const DISPUTE_DAYS = 120;
/** Listing more would not help to tell them apart. */
const MOST = 20;
const PAGE = 500;

/** One: a certain match. Several: any of them. For a reversal: the chargebacks that it can undo. */
const candidatesFor = async (matching: MatchContext): Promise<readonly Payment[]> => {
  const candidates = await findPayments(matching);
  if (matching.facts.recordType === 'CHARGEBACK') return candidates;
  const disputes: Payment[] = [];
  for (const payment of candidates) {
    const followers = await matching.store.followersOf(payment.id);
    disputes.push(...followers.filter((each) => each.paymentType === 'CB' && isApproved(each)));
  }
  return disputes;
};

const findPayments = async (matching: MatchContext): Promise<readonly Payment[]> => {
  const { facts } = matching;
  for (const name of [facts.paymentId, facts.acquirerReference]) {
    const named = name === undefined ? [] : await findNamed(matching, name);
    if (named.length > 0) return named;
  }
  return facts.last4 === undefined ? [] : findByCard(matching, facts.last4);
};

/** The payment itself; for an authorisation or the start of a chain, the payments in it that took money. */
const findNamed = async ({ store, entityId, facts }: MatchContext, name: string): Promise<readonly Payment[]> => {
  if (!/^[A-Za-z0-9.-]{1,64}$/.test(name)) return [];
  const amount = parseAmount(facts.amount, facts.currency);
  const payment = await store.payment(name);
  if (payment === undefined || payment.entityId !== entityId) return [];
  if (isCandidate(payment, amount)) return [payment];
  const chain = await store.search({ entityId, rootId: payment.rootId, limit: PAGE });
  const storedNotice = chain.payments.filter((each) => each.id !== name && isCandidate(each, amount));
  const sameAmount = storedNotice.filter((each) => each.amount.minor === amount.minor);
  return (sameAmount.length > 0 ? sameAmount : storedNotice).slice(0, MOST);
};

/** Whether it took money from a shopper. A chargeback may be for a part of it. */
const isCandidate = (payment: Payment, amount: Money): boolean =>
  TAKEN.has(payment.paymentType) &&
  isApproved(payment) &&
  payment.amount.currency === amount.currency &&
  payment.amount.minor >= amount.minor;

const TAKEN: ReadonlySet<string> = new Set(followUps.CB.of.filter((type) => type !== 'RF' && type !== 'CR'));

/** One day of tolerance on both sides of the payment's own, for time zones. */
const findByCard = async (
  { store, entityId, facts, now }: MatchContext,
  last4: string,
): Promise<readonly Payment[]> => {
  const amount = parseAmount(facts.amount, facts.currency);
  const day = facts.presentedOn === undefined ? undefined : Date.parse(`${facts.presentedOn}T00:00:00Z`);
  const from = day === undefined ? now - DISPUTE_DAYS * DAY_MS : day - DAY_MS;
  const candidates = new Map<string, Payment>();
  let to = day === undefined ? now : day + 2 * DAY_MS - 1;
  for (let limit = PAGE; candidates.size < MOST; ) {
    const { payments } = await store.search({ entityId, from, to, paymentTypes: [...TAKEN], limit });
    for (const payment of payments) {
      const isMatching = isCandidate(payment, amount) && payment.amount.minor === amount.minor;
      if (isMatching && (await last4Of(store, payment)) === last4) candidates.set(payment.id, payment);
    }
    if (payments.length < limit) break;
    // The newest come first: the next page ends before the oldest of this one.
    const lastAt = payments.at(-1)?.at ?? from;
    // A whole page within one millisecond: a longer page gets past it.
    if (lastAt === to) limit *= 2;
    to = lastAt;
  }
  return [...candidates.values()].toReversed();
};

/** A capture has its card at the authorisation. */
const last4Of = async (store: Reading, payment: Payment): Promise<string | undefined> => {
  const storedLast4 = payment.facts.card?.last4Digits;
  if (storedLast4 !== undefined || payment.rootId === payment.id) return storedLast4;
  return (await store.payment(payment.rootId))?.facts.card?.last4Digits;
};
