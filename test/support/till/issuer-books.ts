/**
 * The records of the simulated gateway: every request is decided once by its key, and its answer stays. Like the
 * gateway, it knows what can follow what: refunds, captures, a reversal of what is left of a hold (nothing after the
 * final capture), and otherwise a reversal of the whole payment.
 */
import { type Clock, dateTime } from '../../../src/base/clock.ts';
import type { Mode } from '../../../src/base/mode.ts';
import { type HostReply, LIST_MOST, type Meaning, type Parameters, type Period } from '../../../src/till/ports.ts';

export type Booking = {
  id: string;
  paymentType: string;
  merchantTransactionId: string;
  amount: string;
  currency: string;
  code: string;
  of?: string;
  /** Marked as the last of its kind. */
  sequence?: 'FINAL';
  /** When it came, ms since 1970. */
  at: number;
  /** What a terminal's request said about itself, repeated in each answer about it. */
  pos?: { terminalId: string; transactionSequenceNumber?: string };
  /** The payment was made on a test channel. */
  simulated?: true;
};

export type IssuerBooks = {
  readonly books: readonly Booking[];
  /** Decides and records the request; `of` is the payment that it follows. A repeated key gets its first answer. */
  take(parameters: Parameters, key: string, of?: string): HostReply;
  /** Accepts the request like `take`, but decides only when the result is called: until then it is pending. */
  takeSlowly(parameters: Parameters, key: string, of?: string): () => HostReply;
  /** `linked`: including what follows them. */
  find(reference: string, linked?: 'linked'): HostReply;
  /** The payments of this period, newest first, as many as one answer holds. */
  list(period: Period): HostReply;
};

/** The issuer's answer for an amount: yes, no, or yes to a part of it. */
export type Approval = boolean | { part: string };

/** In a list: the issuer has not decided yet. When the request is repeated meanwhile: uncertain. */
const PENDING = '000.200.000';
const UNCERTAIN = '900.100.300';
/** For a follow-up of an undecided payment. Like every answer, it stays under its key. */
const TOO_EARLY = '700.400.570';

/** The code of each kind of channel for approvals. */
const approvals: Readonly<Record<Mode, string>> = { test: '000.100.110', live: '000.000.000' };
const isApproval = (code: string): boolean => Object.values(approvals).includes(code);
const codes: Readonly<Record<string, { means: Exclude<Meaning, 'testAnswer' | 'liveAnswer'>; description: string }>> = {
  [approvals.test]: { means: 'approved', description: 'done' },
  [approvals.live]: { means: 'approved', description: 'done' },
  [PENDING]: { means: 'pending', description: 'transaction pending' },
  [UNCERTAIN]: { means: 'unknown', description: 'timeout, uncertain result' },
  [TOO_EARLY]: { means: 'refused', description: 'referenced transaction has no final result yet' },
  '000.000.100': { means: 'approved', description: 'successful request' },
  '800.100.155': { means: 'declined', description: 'amount exceeds credit' },
  '600.200.500': { means: 'refused', description: 'the payment was made in test mode' },
  '700.400.100': { means: 'refused', description: 'cannot capture: too much' },
  '700.400.300': { means: 'refused', description: 'cannot reverse: already reversed or refunded' },
  '700.400.200': { means: 'refused', description: 'cannot refund: too much' },
  '700.400.510': { means: 'refused', description: 'cannot capture: no such authorisation' },
  '700.400.520': { means: 'refused', description: 'cannot refund: no such payment' },
  '700.400.530': { means: 'refused', description: 'cannot reverse: no such payment' },
  '700.400.580': { means: 'refused', description: 'no such transaction' },
  '800.110.100': { means: 'unknown', description: 'the key came with another body before' },
  '800.120.100': { means: 'later', description: 'too many requests' },
  '999.999.999': { means: 'unknown', description: 'nobody knows this code' },
};

/** A live channel's answer to a follow-up of a test payment. */
const MADE_IN_TEST = '600.200.500';

/** What each type may follow, its code when there is no such payment, and when too little is left of it. */
const followUps: Readonly<Record<string, { of: readonly string[]; missing: string; exceeded: string }>> = {
  PA: { of: ['PA'], missing: '700.400.510', exceeded: '700.400.100' },
  CP: { of: ['PA'], missing: '700.400.510', exceeded: '700.400.100' },
  RV: { of: ['PA', 'DB', 'CP', 'CD'], missing: '700.400.530', exceeded: '700.400.300' },
  RF: { of: ['DB', 'CP', 'CD'], missing: '700.400.520', exceeded: '700.400.200' },
};

const hundredths = (amount: string): bigint => BigInt(amount.replace('.', ''));

/** `mode`: the channel's present mode, which can change midway. */
export const issuerBooks = (
  approves: (amount: string) => Approval,
  mode: () => Mode,
  { now }: Pick<Clock, 'now'>,
): IssuerBooks => {
  const approval = () => approvals[mode()];
  const books: Booking[] = [];
  const replies = new Map<string, { request: string; booking: Booking }>();

  /** A test channel only pretends to follow a live payment, which takes nothing from it. */
  const followersOf = (id: string, except?: Booking) =>
    books.filter((each) => each.of === id && each !== except && (each.code === approval() || each.code === PENDING));

  /** What is left of a payment: decided increments add to it, everything else subtracts, decided or not. */
  const leftOf = ({ id, amount }: Booking, except?: Booking): bigint => {
    const followers = followersOf(id, except);
    if (followers.some(({ paymentType, sequence }) => paymentType === 'CP' && sequence === 'FINAL')) return 0n;
    return followers
      .filter(({ paymentType, code }) => paymentType !== 'PA' || code !== PENDING)
      .reduce(
        (left, follower) => left + (follower.paymentType === 'PA' ? 1n : -1n) * hundredths(follower.amount),
        hundredths(amount),
      );
  };

  const judgeFollower = (parameters: Parameters, of: string, booking: Booking): string => {
    const row = followUps[parameters['paymentType'] ?? ''];
    const parent = books.find(({ id }) => id === of);
    if (row === undefined) return '700.400.530';
    if (parent?.code === PENDING) return TOO_EARLY;
    const isFit = parent !== undefined && isApproval(parent.code) && row.of.includes(parent.paymentType);
    if (isFit && parent.code === approvals.test && mode() === 'live') return MADE_IN_TEST;
    const approved = approval();
    const isAdded = parent?.paymentType === 'PA' && parent.of !== undefined;
    if (parent === undefined || !isFit || isAdded) return row.missing;
    const { paymentType } = parameters;
    const followers = followersOf(of, booking);
    if (paymentType === 'RV' && parent.paymentType === 'PA')
      return leftOf(parent, booking) > 0n ? approved : row.exceeded;
    if (paymentType === 'RV') return followers.length > 0 ? row.exceeded : approved;
    if (paymentType === 'PA' && followers.some((each) => each.paymentType !== 'PA')) return row.exceeded;
    if (paymentType === 'PA') return approves(parameters['amount'] ?? '') === true ? approved : '800.100.155';
    return hundredths(parameters['amount'] ?? '0.00') > leftOf(parent, booking) ? row.exceeded : approved;
  };

  const judge = (parameters: Parameters, booking: Booking): { code: string; amount: string } => {
    const amount = parameters['amount'] ?? '';
    const { of } = booking;
    if (of !== undefined) {
      const parent = books.find(({ id }) => id === of);
      const whole = parent === undefined ? '' : printed(leftOf(parent, booking));
      return { code: judgeFollower(parameters, of, booking), amount: amount === '' ? whole : amount };
    }
    const decision = approves(amount);
    if (typeof decision === 'boolean') return { code: decision ? approval() : '800.100.155', amount };
    const takesPart = parameters['customParameters[partialApproval]'] === 'true';
    return takesPart ? { code: approval(), amount: decision.part } : { code: '800.100.155', amount };
  };

  const replyTo = (booking: Booking): HostReply => replyOf(booking.code, bodyOf(booking));

  /** The answer to an earlier request with this key. Undefined for the first. */
  const repeated = (request: string, key: string): HostReply | undefined => {
    const earlier = replies.get(key);
    if (earlier === undefined) return undefined;
    if (earlier.request !== request) return replyOf('800.110.100', {});
    return earlier.booking.code === PENDING ? replyOf(UNCERTAIN, bodyOf(earlier.booking)) : replyTo(earlier.booking);
  };

  const takeSlowly: IssuerBooks['takeSlowly'] = (parameters, key, of) => {
    const request = JSON.stringify([of, Object.entries(parameters).sort()]);
    const earlier = repeated(request, key);
    if (earlier !== undefined) return () => earlier;
    const parent = books.find(({ id }) => id === of);
    // A follow-up of an unknown payment is not a payment: it is answered, and is in no list.
    const isNobodys = of !== undefined && parent === undefined;
    const booking: Booking = {
      id: String(books.length + 1).padStart(32, '0'),
      paymentType: parameters['paymentType'] ?? '',
      merchantTransactionId: parameters['merchantTransactionId'] ?? '',
      amount: parameters['amount'] ?? parent?.amount ?? '',
      currency: parameters['currency'] ?? parent?.currency ?? '',
      code: PENDING,
      at: now(),
      ...posOf(parameters),
      of,
      sequence: parameters['sequence'] === 'FINAL' ? 'FINAL' : undefined,
      simulated: mode() === 'test' || undefined,
    };
    if (!isNobodys) books.push(booking);
    replies.set(key, { request, booking });
    return () => {
      Object.assign(booking, judge(parameters, booking));
      return replyTo(booking);
    };
  };

  return {
    books,
    takeSlowly,
    take: (parameters, key, of) => takeSlowly(parameters, key, of)(),
    find(reference, linked) {
      const own = books.filter(({ merchantTransactionId }) => merchantTransactionId === reference);
      const ids = new Set(own.map(({ id }) => id));
      return listOf(linked === undefined ? own : books.filter((each) => own.includes(each) || ids.has(each.of ?? '')));
    },
    list({ from, to }) {
      const [first, end] = [from - (from % 1_000), to - (to % 1_000) + 1_000];
      return listOf(
        books
          .filter(({ at }) => first <= at && at < end)
          .toReversed()
          .slice(0, LIST_MOST),
      );
    },
  };
};

/** Test simulators add it to each answer. */
export const NEW_FIELD = 'Please allow for new unexpected fields to be added';

const listOf = (found: readonly Booking[]): HostReply =>
  found.length === 0 ? replyOf('700.400.580', {}) : replyOf('000.000.100', { payments: found.map(bodyOf) });

const posOf = (parameters: Parameters): Pick<Booking, 'pos'> => {
  const { 'pos.terminalId': terminalId, 'pos.transactionSequenceNumber': transactionSequenceNumber } = parameters;
  if (terminalId === undefined) return {};
  return { pos: { terminalId, transactionSequenceNumber } };
};

const printed = (minor: bigint): string => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;

const bodyOf = (booking: Booking): Record<string, unknown> => {
  const { id, paymentType, merchantTransactionId, amount, currency, code, of, pos, simulated } = booking;
  return {
    id,
    paymentType,
    merchantTransactionId,
    referencedId: of,
    pos,
    ...((isApproval(code) || code === PENDING) && { amount, currency }),
    result: { code, description: codes[code]?.description ?? '', randomField1: simulated && NEW_FIELD },
    timestamp: `${dateTime(booking.at)}+0000`,
  };
};

export const meaningOf = (code: string) => codes[code]?.means ?? 'unknown';

export const replyOf = (code: string, body: Record<string, unknown>): HostReply => ({
  kind: 'answered',
  code,
  means: meaningOf(code),
  description: codes[code]?.description ?? '',
  body,
});
