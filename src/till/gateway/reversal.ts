/** Reverses what a gateway may have approved, and accepts only proof: reversed, declined, or never received. */
import { compare, type Money } from '../../base/money.ts';
import { codes } from '../../base/result-codes.ts';
import type { Intent } from '../machine/facts.ts';
import { operations } from '../machine/operations.ts';
import { replay } from '../machine/sale.ts';
import type { ReversalBody } from '../messages.ts';
import type { HostReply, OutgoingMessage, TillParts } from '../ports.ts';
import { amountIn, answerOf, sameAmount, textAt } from './answer.ts';
import { type DeliveryResult, forwardResult, isUndecided, testSystemResult, undecidedResult } from './delivered.ts';
import { type AnsweredReply, isRefusal, listPayments } from './inquiry.ts';
import { isFromTest, modeOfCode } from './mode.ts';
import { reversalRequest } from './request.ts';

/** Also returned for a payment that was refunded, so the code alone proves nothing. */
const CANNOT_REVERSE = codes.cannotReverse;
/** The payment has no final state yet: nothing was reversed, and the reversal must be requested again. */
const STILL_PENDING = codes.stillPending;
/** No successful payment to reverse: returned for one that was never approved, and for an unknown one. */
const NOTHING_TO_REVERSE = codes.nothingToReverse;

/** A live channel's answer about a payment that was made while it was a test channel. */
const MADE_IN_TEST = codes.notConfigured;

const reversedWhole = (note: string): DeliveryResult => ({
  means: 'approved',
  note,
  event: { on: 'reversed', how: 'reversed' },
});
const resultForPerson = (note: string): DeliveryResult => ({ means: 'refused', note });

export const deliverReversal = async (
  message: OutgoingMessage,
  intent: Intent,
  parts: TillParts,
): Promise<DeliveryResult> => {
  const { payment, sentAt } = JSON.parse(message.body) as ReversalBody;
  const { again = 0 } = message;
  if (payment !== undefined) return reverse({ payment, again, ...approvedOf(intent, parts) }, intent, parts);
  // Determined before the gateway is asked: its answer is about the moment of the question, however late it comes.
  const isOver = isLifeOver(sentAt, parts);
  const list = await listPayments(parts.host, intent.sale);
  if (list === 'nothing') return neverArrived(isOver);
  if (!Array.isArray(list)) return undecidedResult(list);
  const { paymentType } = operations[intent.operation];
  const started = list.filter(({ body }) => textAt(body, 'paymentType') === paymentType);
  if (started.length === 0) return resultForPerson('the gateway’s list does not name the payment');
  return reverseAll({ started, again }, intent, parts);
};

/** "Not found" proves something only when no request can still be in transit: one would be accepted afterwards. */
const neverArrived = (isOver: boolean): DeliveryResult => {
  if (!isOver) return { means: 'later', note: 'not at the gateway so far; asked again before that counts' };
  return { means: 'approved', note: 'the gateway never had it', event: { on: 'reversed', how: 'notFound' } };
};

/** Call it before asking the gateway. Uses monotonic time: setting the wall clock forward must not shorten the wait. */
export const isLifeOver = (sentAt: number, { clock, requestLifeMs }: Pick<TillParts, 'clock' | 'requestLifeMs'>) => {
  const now = clock.monotonic();
  // Smaller than `sentAt`: the machine was started since, at least this long ago.
  return (now >= sentAt ? now - sentAt : now) >= requestLifeMs;
};

/** Reverses every payment under this reference that is not certainly a refusal. */
const reverseAll = async (
  { started, again }: { started: readonly AnsweredReply[]; again: number },
  intent: Intent,
  parts: TillParts,
): Promise<DeliveryResult> => {
  const unrefused = started.filter((each) => !isRefusal(each));
  const refusal = started.find(({ means }) => means === 'testAnswer') ?? started[0];
  if (unrefused.length === 0 && refusal !== undefined) return notApprovedResult(refusal);
  let last = resultForPerson('no payment was left to reverse');
  for (const listed of unrefused) {
    const payment = textAt(listed.body, 'id');
    if (payment === undefined) return resultForPerson('the gateway’s list does not say which payment it is');
    last = await reverse({ ...targetIn(listed, intent), payment, again }, intent, parts);
    if (last.event === undefined) return last;
  }
  return last;
};

/** Reverses the payment of this approval, which the till cannot keep. `again`: that of the answered message. */
const takeBack = async (
  { approval, again }: { approval: AnsweredReply; again: number },
  intent: Intent,
  parts: TillParts,
): Promise<DeliveryResult> => {
  const payment = textAt(approval.body, 'id');
  if (payment === undefined) return resultForPerson('the gateway does not say which payment it is');
  return reverse({ ...targetIn(approval, intent), payment, again }, intent, parts);
};

const notApprovedResult = (refusalReply: AnsweredReply): DeliveryResult => ({
  means: 'declined',
  note: refusalReply.description,
  event: {
    on: 'reversed',
    how: 'notApproved',
    answer: answerOf(refusalReply),
    answered: refusalReply.means === 'testAnswer' ? 'test' : undefined,
  },
});

type Target = {
  payment: string;
  /** The amount the bank approved, which may be less than requested: all of it must be returned. */
  whole: Money;
  /** The payment in the gateway's list. Absent if its approval is in the journal. */
  listed?: AnsweredReply;
  /** The code of its approval, where one is known. */
  code?: string | undefined;
  /** A test channel approved it at a live till: it moved no money. */
  inTest?: boolean;
  /** How many tries did and decided nothing: under their keys a gateway may repeat the same answer for ever. */
  again: number;
};

/**
 * The key is derived from the payment: each try, even after a restart, is the same operation, until an answer proves
 * that it did nothing. Such an answer ends only its key: the next try is a new request.
 */
const reverse = async (target: Target, intent: Intent, parts: TillParts): Promise<DeliveryResult> => {
  const { payment, listed, whole, again } = target;
  const key = again === 0 ? `reverse-${payment}` : `reverse-${payment}-${again}`;
  const reply = await parts.host.refer(payment, reversalRequest(intent.sale), key);
  if (reply.kind !== 'answered') return undecidedResult(reply);
  const { code, description, means, body } = reply;
  // The payment was made while the channel, which is live by now, was a test channel: no money moved.
  if (code === MADE_IN_TEST && target.code !== undefined && modeOfCode(target.code) === 'test')
    return neverMovedResult(reply);
  // The test channel may no longer know it: there is nothing to reverse.
  if (target.inTest === true && (means === 'testAnswer' || means === 'declined' || means === 'refused'))
    return neverMovedResult(reply);
  if (!isProofFor(target, reply)) return { means: 'otherMode', note: `${code} ${description}`, holdsLine: true };
  if (means === 'approved' || means === 'liveAnswer') {
    return isWhole(body, whole)
      ? reversedWhole('taken back')
      : resultForPerson(`only ${textAt(body, 'amount')} was taken back`);
  }
  if (code === STILL_PENDING || means === 'pending') return notYetResult(reply);
  if (code === CANNOT_REVERSE) return proveReversed(target, intent, parts);
  // The gateway has the payment, with a code that is neither approval nor refusal, and nothing successful to reverse.
  if (code === NOTHING_TO_REVERSE && listed?.means === 'unknown')
    return { ...notApprovedResult(listed), note: description };
  // The journal has its approval, and the gateway does not know it: only a person can find out what happened.
  if (code === NOTHING_TO_REVERSE) return { means: 'unknown', note: `${code} ${description}` };
  if (isUndecided(reply)) return notYetResult(reply);
  const result = undecidedResult(reply);
  // The gateway refused because of the channel or because of too many requests: nothing was reversed.
  if (result.means === 'later') return { ...result, means: 'undecided' };
  return result.means === 'unknown' && means === 'declined' ? resultForPerson(result.note) : result;
};

/** Nobody has decided, or something else must be decided first: the next try is a new request. */
const notYetResult = ({ code, description }: AnsweredReply): DeliveryResult => ({
  means: 'undecided',
  note: `${code} ${description}`,
});

/** A test system's answer about money that moved proves nothing, neither at a live till nor at a test till. */
const isProofFor = ({ code }: Target, reply: AnsweredReply): boolean => {
  if (testSystemResult(reply) !== undefined) return false;
  const movedMoney = code !== undefined && modeOfCode(code) === 'live';
  return !(movedMoney && isFromTest(reply.code, reply.body));
};

const neverMovedResult = (reply: AnsweredReply): DeliveryResult => ({
  means: 'approved',
  note: reply.description,
  event: { on: 'reversed', how: reply.means === 'testAnswer' ? 'reversed' : 'notApproved', answer: answerOf(reply) },
});

/** "Cannot be reversed" is good news only if the gateway lists a reversal of the whole amount. */
const proveReversed = async (target: Target, intent: Intent, { host }: TillParts): Promise<DeliveryResult> => {
  const list = await listPayments(host, intent.sale);
  if (!Array.isArray(list))
    return list === 'nothing' ? resultForPerson('the gateway lists no reversal') : undecidedResult(list);
  const { payment, whole } = target;
  const reversals = list.filter(({ body }) => textAt(body, 'paymentType') === 'RV' && isOf(body, payment));
  const proof = reversals.some((each) => {
    const isYes = (each.means === 'approved' || each.means === 'liveAnswer') && isProofFor(target, each);
    return isYes && isWhole(each.body, whole);
  });
  if (proof) return reversedWhole('had been taken back');
  // This can be an earlier try of this till, and it can still be declined.
  const underWay = reversals.find(({ means }) => means === 'pending');
  if (underWay !== undefined) return notYetResult(underWay);
  return resultForPerson('it can no longer be reversed, and no reversal stands in the books');
};

const isOf = (body: unknown, payment: string): boolean => (textAt(body, 'referencedId') ?? payment) === payment;

/** A reversal without an amount is for the whole. */
const isWhole = (body: unknown, whole: Money): boolean => {
  const amount = textAt(body, 'amount');
  const currency = textAt(body, 'currency') ?? whole.currency;
  return amount === undefined || sameAmount({ amount, currency }, { amount: whole });
};

/** From the journal. */
const approvedOf = (intent: Intent, { ledger, host }: TillParts): Pick<Target, 'whole' | 'code' | 'inTest'> => {
  const sale = replay(ledger.events(intent.sale));
  const answer = sale?.answer;
  const endedInTest = sale?.at === 'ended' && sale.reason === 'testAnswer';
  const inTest = endedInTest || (answer !== undefined && host.meaningOf(answer.code) === 'testAnswer');
  return { whole: answer?.approved ?? intent.amount, code: answer?.code, inTest };
};

const targetIn = (listed: AnsweredReply, intent: Intent): Pick<Target, 'whole' | 'code' | 'listed'> => ({
  whole: listedAmount(listed, intent),
  code: listed.code,
  listed,
});

/** The amount in the gateway's list: it can be less than requested only if the till allowed partial approval. */
const listedAmount = ({ body }: AnsweredReply, { partial, amount: requested }: Intent): Money => {
  const approved = partial === true ? amountIn(body) : undefined;
  return approved !== undefined && approved.currency === requested.currency && compare(approved, requested) < 0
    ? approved
    : requested;
};

/** `listed`: what the gateway's list has for the sale, if the gateway was asked. */
export type StoredAnswer = { message: OutgoingMessage; reply: HostReply; listed: HostReply | undefined };

/** The outcome of the gateway's answer to a stored sale, once a live charge at a test till was reversed. */
export const answerToStored = async (
  { message, reply, listed }: StoredAnswer,
  intent: Intent,
  parts: TillParts,
): Promise<DeliveryResult> => {
  if (reply.kind !== 'answered' || reply.means !== 'liveAnswer') return forwardResult(reply, listed, intent);
  const reversalResult = await takeBack({ approval: reply, again: message.again ?? 0 }, intent, parts);
  return reversalResult.event === undefined ? reversalResult : forwardResult(reply, listed, intent);
};
