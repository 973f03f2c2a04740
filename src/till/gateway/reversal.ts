/** Takes back what a gateway may have approved, and is content only with proof: reversed, declined, or never there. */
import { compare, type Money } from '../../base/money.ts';
import { codes } from '../../base/result-codes.ts';
import type { Intent } from '../machine/facts.ts';
import { operations } from '../machine/operations.ts';
import { replay } from '../machine/sale.ts';
import type { ReversalBody } from '../messages.ts';
import type { HostReply, OutgoingMessage, TillParts } from '../ports.ts';
import { answerOf, sameAmount, textAt } from './answer.ts';
import { byTestSystem, type Delivered, forwarded, isUndecided, noEnding } from './delivered.ts';
import { amountIn } from './evidence.ts';
import { type Answered, isNo, listPayments } from './inquiry.ts';
import { isFromTest, modeOfCode } from './mode.ts';
import { reversalRequest } from './request.ts';

/** Also said of a payment that was refunded: it proves nothing by itself. */
const CANNOT_REVERSE = codes.cannotReverse;
/** The payment has no final state yet: nothing was done, and nothing is said about later. */
const STILL_PENDING = codes.stillPending;
/** Nothing that was successful is there to reverse: said of a payment that was never approved, and of none at all. */
const NOTHING_TO_REVERSE = codes.nothingToReverse;

/** A live channel's word about a payment from when it was a test channel. */
const MADE_IN_TEST = codes.notConfigured;

const reversedWhole = (note: string): Delivered => ({
  means: 'approved',
  note,
  event: { on: 'reversed', how: 'reversed' },
});
const forPerson = (note: string): Delivered => ({ means: 'refused', note });

export const deliverReversal = async (
  message: OutgoingMessage,
  intent: Intent,
  parts: TillParts,
): Promise<Delivered> => {
  const { payment, sentAt } = JSON.parse(message.body) as ReversalBody;
  const { again = 0 } = message;
  if (payment !== undefined) return reverse({ payment, again, ...approvedOf(intent, parts) }, intent, parts);
  // What it has it had when it was asked: an answer that takes long, or is heard late, proves nothing about later.
  const isOver = isLifeOver(sentAt, parts);
  const list = await listPayments(parts.host, intent.sale);
  if (list === 'nothing') return neverThere(isOver);
  if (!Array.isArray(list)) return noEnding(list);
  const { paymentType } = operations[intent.operation];
  const begun = list.filter(({ body }) => textAt(body, 'paymentType') === paymentType);
  if (begun.length === 0) return forPerson('the gateway’s list does not name the payment');
  return reverseAll({ begun, again }, intent, parts);
};

/** A request still on its way would be taken after this "not found": it proves something only when that is over. */
const neverThere = (isOver: boolean): Delivered => {
  if (!isOver) return { means: 'later', note: 'not at the gateway so far; asked again before that counts' };
  return { means: 'approved', note: 'the gateway never had it', event: { on: 'reversed', how: 'notFound' } };
};

/**
 * To be asked before the gateway is. `sentAt` and the answer are of the monotonic clock: one that is set forward must
 * not shorten the wait.
 */
export const isLifeOver = (sentAt: number, { clock, requestLifeMs }: Pick<TillParts, 'clock' | 'requestLifeMs'>) => {
  const now = clock.monotonic();
  // Less than then: the machine was started since, and that long ago at least.
  return (now >= sentAt ? now - sentAt : now) >= requestLifeMs;
};

/** Every payment under this reference that is not certainly a no. */
const reverseAll = async (
  { begun, again }: { begun: readonly Answered[]; again: number },
  intent: Intent,
  parts: TillParts,
): Promise<Delivered> => {
  const standing = begun.filter((each) => !isNo(each));
  const no = begun.find(({ means }) => means === 'testAnswer') ?? begun[0];
  if (standing.length === 0 && no !== undefined) return notApproved(no);
  let last = forPerson('no payment was left to reverse');
  for (const listed of standing) {
    const payment = textAt(listed.body, 'id');
    if (payment === undefined) return forPerson('the gateway’s list does not say which payment it is');
    last = await reverse({ ...targetIn(listed, intent), payment, again }, intent, parts);
    if (last.event === undefined) return last;
  }
  return last;
};

/** Takes back the payment of this approval, which the till cannot keep. `again`: as of the message that it answers. */
const takeBack = async (
  { approval, again }: { approval: Answered; again: number },
  intent: Intent,
  parts: TillParts,
): Promise<Delivered> => {
  const payment = textAt(approval.body, 'id');
  if (payment === undefined) return forPerson('the gateway does not say which payment it is');
  return reverse({ ...targetIn(approval, intent), payment, again }, intent, parts);
};

const notApproved = (no: Answered): Delivered => ({
  means: 'declined',
  note: no.description,
  event: {
    on: 'reversed',
    how: 'notApproved',
    answer: answerOf(no),
    answered: no.means === 'testAnswer' ? 'test' : undefined,
  },
});

type Target = {
  payment: string;
  /** What the bank has approved, which may be less than what was asked for: all of it is to go back. */
  whole: Money;
  /** As the gateway lists it. Absent: its approval stands in the journal. */
  listed?: Answered;
  /** The code of its approval, where one is known. */
  code?: string | undefined;
  /** A test channel approved it at a live till: it moved no money. */
  inTest?: boolean;
  /** How many answers did nothing and decided nothing: under their keys a gateway may repeat them for ever. */
  again: number;
};

/**
 * The key is the payment's: each try, also after a restart, is the same operation, until an answer proves that it did
 * nothing. What such an answer ends is its key alone: the next try is a new request.
 */
const reverse = async (target: Target, intent: Intent, parts: TillParts): Promise<Delivered> => {
  const { payment, listed, whole, again } = target;
  const key = again === 0 ? `reverse-${payment}` : `reverse-${payment}-${again}`;
  const reply = await parts.host.refer(payment, reversalRequest(intent.sale), key);
  if (reply.kind !== 'answered') return noEnding(reply);
  const { code, description, means, body } = reply;
  // The channel is live by now, and knows that no money moved.
  if (code === MADE_IN_TEST && target.code !== undefined && modeOfCode(target.code) === 'test')
    return neverMoved(reply);
  // The test channel may know nothing of it any more: there is nothing to take back.
  if (target.inTest === true && (means === 'testAnswer' || means === 'declined' || means === 'refused'))
    return neverMoved(reply);
  if (!isProofFor(target, reply)) return { means: 'otherMode', note: `${code} ${description}`, holdsLine: true };
  if (means === 'approved' || means === 'liveAnswer') {
    return isWhole(body, whole)
      ? reversedWhole('taken back')
      : forPerson(`only ${textAt(body, 'amount')} was taken back`);
  }
  if (code === STILL_PENDING || means === 'pending') return notYet(reply);
  if (code === CANNOT_REVERSE) return proveReversed(target, intent, parts);
  // It has the payment, with a code that is neither yes nor no, and nothing successful in it to reverse.
  if (code === NOTHING_TO_REVERSE && listed?.means === 'unknown') return { ...notApproved(listed), note: description };
  // We hold its approval, and the gateway does not know it: nobody can say what happened but a person.
  if (code === NOTHING_TO_REVERSE) return { means: 'unknown', note: `${code} ${description}` };
  if (isUndecided(reply)) return notYet(reply);
  const word = noEnding(reply);
  // Refused for what stands in the channel, or one too many: nothing was done.
  if (word.means === 'later') return { ...word, means: 'undecided' };
  return word.means === 'unknown' && means === 'declined' ? forPerson(word.note) : word;
};

/** Nobody has decided, or what would have to be decided first is not: the next try is a new request. */
const notYet = ({ code, description }: Answered): Delivered => ({ means: 'undecided', note: `${code} ${description}` });

/** What a test system says of money that moved is no word about it, at a live till nor at a test one. */
const isProofFor = ({ code }: Target, reply: Answered): boolean => {
  if (byTestSystem(reply) !== undefined) return false;
  const movedMoney = code !== undefined && modeOfCode(code) === 'live';
  return !(movedMoney && isFromTest(reply.code, reply.body));
};

const neverMoved = (reply: Answered): Delivered => ({
  means: 'approved',
  note: reply.description,
  event: { on: 'reversed', how: reply.means === 'testAnswer' ? 'reversed' : 'notApproved', answer: answerOf(reply) },
});

/** "Cannot be reversed" is good news only if a reversal of the whole amount stands in the books. */
const proveReversed = async (target: Target, intent: Intent, { host }: TillParts): Promise<Delivered> => {
  const list = await listPayments(host, intent.sale);
  if (!Array.isArray(list)) return list === 'nothing' ? forPerson('the gateway lists no reversal') : noEnding(list);
  const { payment, whole } = target;
  const reversals = list.filter(({ body }) => textAt(body, 'paymentType') === 'RV' && isOf(body, payment));
  const proof = reversals.some((each) => {
    const isYes = (each.means === 'approved' || each.means === 'liveAnswer') && isProofFor(target, each);
    return isYes && isWhole(each.body, whole);
  });
  if (proof) return reversedWhole('had been taken back');
  // An earlier try of ours, perhaps: it may still be declined.
  const underWay = reversals.find(({ means }) => means === 'pending');
  if (underWay !== undefined) return notYet(underWay);
  return forPerson('it can no longer be reversed, and no reversal stands in the books');
};

const isOf = (body: unknown, payment: string): boolean => (textAt(body, 'referencedId') ?? payment) === payment;

/** A reversal without an amount is of all. */
const isWhole = (body: unknown, whole: Money): boolean => {
  const amount = textAt(body, 'amount');
  const currency = textAt(body, 'currency') ?? whole.currency;
  return amount === undefined || sameAmount({ amount, currency }, { amount: whole });
};

/** As the journal has it. */
const approvedOf = (intent: Intent, { ledger, host }: TillParts): Pick<Target, 'whole' | 'code' | 'inTest'> => {
  const sale = replay(ledger.events(intent.sale));
  const answer = sale?.answer;
  const endedInTest = sale?.at === 'ended' && sale.reason === 'testAnswer';
  const inTest = endedInTest || (answer !== undefined && host.meaningOf(answer.code) === 'testAnswer');
  return { whole: answer?.approved ?? intent.amount, code: answer?.code, inTest };
};

const targetIn = (listed: Answered, intent: Intent): Pick<Target, 'whole' | 'code' | 'listed'> => ({
  whole: listedAmount(listed, intent),
  code: listed.code,
  listed,
});

/** As the gateway lists it: only where the till let it approve less than was asked for can it be less. */
const listedAmount = ({ body }: Answered, { partial, amount: asked }: Intent): Money => {
  const approved = partial === true ? amountIn(body) : undefined;
  return approved !== undefined && approved.currency === asked.currency && compare(approved, asked) < 0
    ? approved
    : asked;
};

/** `listed`: what the gateway's list has of it, where it was asked. */
export type StoredAnswer = { message: OutgoingMessage; reply: HostReply; listed: HostReply | undefined };

/** What the gateway's answer to a stored sale comes to, once a live channel's charge at a test till was taken back. */
export const answerToStored = async (
  { message, reply, listed }: StoredAnswer,
  intent: Intent,
  parts: TillParts,
): Promise<Delivered> => {
  if (reply.kind !== 'answered' || reply.means !== 'liveAnswer') return forwarded(reply, listed, intent);
  const back = await takeBack({ approval: reply, again: message.again ?? 0 }, intent, parts);
  return back.event === undefined ? back : forwarded(reply, listed, intent);
};
