/** The outcome of one try to deliver a message. */
import type { SaleEvent } from '../machine/events.ts';
import type { HostAnswer, Intent } from '../machine/facts.ts';
import type { HostReply, OutgoingMessage, Parameters, TillParts } from '../ports.ts';
import { amountIn, answerOf, misfitOf } from './answer.ts';
import { type AnsweredReply, authoritativeReply, findPayments, isRefusal, sortingOf } from './inquiry.ts';
import { retryNumber } from './request.ts';

type DeliveryOutcome =
  | 'approved'
  | 'declined'
  | 'pending'
  | 'refused'
  | 'mend'
  | 'later'
  | 'otherMode'
  | 'undecided'
  | 'unknown'
  | 'notSent'
  | 'silent';

/** An event settles the message; without an event, `means` decides whether it waits or is parked. */
export type DeliveryResult = {
  means: DeliveryOutcome;
  note: string;
  event?: SaleEvent;
  /** The answer was about the channel: the next message would get the same answer. */
  holdsLine?: boolean;
  /** The card's network answered without an approval: this counts against the scheme's limit for retries. */
  counts?: { readonly response: string };
};

/** A test system answered a live till: nobody who could decide was asked, and the message is not settled. */
export const testSystemResult = (reply: HostReply): DeliveryResult | undefined =>
  reply.kind === 'answered' && reply.means === 'testAnswer'
    ? { means: 'otherMode', note: `${reply.code} ${reply.description}`, holdsLine: true }
    : undefined;

/** The outcome for an answer that settles nothing. */
export const undecidedResult = (reply: HostReply): DeliveryResult => {
  if (reply.kind !== 'answered') return { means: reply.kind, note: reply.fault.message };
  const inTest = testSystemResult(reply);
  if (inTest !== undefined) return inTest;
  const { means, code, description } = reply;
  const note = `${code} ${description}`;
  const row = sortingOf(answerOf(reply));
  if (row?.sorting === 'channel') return { means: 'later', note, holdsLine: true };
  if (row?.sorting === 'mend' && means === 'refused') return { means: 'mend', note };
  return { means: means === 'pending' || means === 'refused' || means === 'later' ? means : 'unknown', note };
};

// Before a try that may not be the first, the gateway is asked what it has; the key distinguishes new requests from
// repeats.

/**
 * Asks about an earlier try first: the gateway may have it although its answer was lost. A payment that never reached
 * anyone who could decide is sent again; so is one refused for a reason that could have been fixed since. `usedUp`: the
 * next key must be used first, because under this one the gateway would only repeat its answer.
 */
export const inquireFirst = async (
  message: OutgoingMessage,
  intent: Intent,
  { host }: TillParts,
): Promise<HostReply | 'usedUp' | undefined> => {
  if (message.tried !== true) return undefined;
  const list = await findPayments(host, intent);
  if (list === 'nothing') return undefined;
  if (!Array.isArray(list)) return list;
  const follows = message.kind !== 'forward';
  const found = authoritativeReply(list);
  if (found === undefined || !list.every((each) => isUndecided(each, follows) || isMendable(each))) return found;
  // By now the list contains each key that was sent: all of them ended with a certain refusal.
  return list.some(isMendable) && list.length > (message.again ?? 0) ? 'usedUp' : undefined;
};

export const nextKeyFirst: DeliveryResult = { means: 'undecided', note: 'refused before; it goes as a new request' };

/** Each try has the same key until someone who could not decide has answered: the next try is a new request. */
export const keyOf = ({ key, again = 0 }: OutgoingMessage): string => (again === 0 ? key : `${key}-${again}`);

/** The gateway recognises a terminal's request by its number: after an undecided try the next one needs another. */
export const parametersOf = (stored: Parameters, { again = 0 }: OutgoingMessage): Parameters => {
  const name = 'pos.transactionSequenceNumber';
  const own = stored[name];
  return again === 0 || own === undefined ? stored : { ...stored, [name]: retryNumber(own, again) };
};

/** Only a certain refusal counts: after an approval, or a code that may be one, no new request is sent. */
export const isUndecided = (reply: AnsweredReply, follows = false): boolean =>
  isRefusal(reply) && sortingOf(answerOf(reply), follows)?.sorting === 'undecided';

const isMendable = (reply: AnsweredReply): boolean =>
  reply.means === 'testAnswer' ||
  (reply.means === 'refused' && ['channel', 'mend'].includes(sortingOf(answerOf(reply))?.sorting ?? ''));

// What the gateway's answer to a stored sale means: settled by an event, or what the queue must do with it.

/**
 * `listed`: what the gateway's list has for the sale, if the gateway was asked. A live answer at a test till has been
 * reversed by now: the sale ends, because a new request would charge the card once more.
 */
export const forwardResult = (reply: HostReply, listed: HostReply | undefined, intent: Intent): DeliveryResult => {
  if (reply.kind !== 'answered') return undecidedResult(reply);
  const { means, code, description, body } = reply;
  const answer = answerOf(reply);
  const note = `${code} ${description}`;
  const counts = { response: answer.response ?? '' };
  const inTest = testSystemResult(reply);
  if (inTest !== undefined) return inTest;
  if (means === 'liveAnswer')
    return { means: 'declined', note, event: { on: 'forwarded', approved: false, answer, answered: 'live' } };
  if (isUndecided(reply)) return { means: 'undecided', note, counts };
  if (means === 'declined') return { means, note, counts, event: { on: 'forwarded', approved: false, answer } };
  if (means !== 'approved') return undecidedResult(reply);
  const part = partOf(reply, intent);
  if (part !== undefined && listed !== undefined && isSamePart(part, partOf(listed, intent))) {
    return { means, note, event: { on: 'forwarded', approved: true, answer: { ...answer, approved: part } } };
  }
  const misfit = misfitOf(body, intent);
  if (misfit !== undefined) return { means: 'unknown', note: misfit };
  return { means, note, event: { on: 'forwarded', approved: true, answer } };
};

/** An approval that matches except that it is for less than was sold. */
export const isForPart = (reply: HostReply, intent: Intent): boolean => partOf(reply, intent) !== undefined;

const partOf = (reply: HostReply, intent: Intent): HostAnswer['approved'] => {
  if (reply.kind !== 'answered' || reply.means !== 'approved') return undefined;
  const amount = amountIn(reply.body);
  if (amount === undefined || amount.currency !== intent.amount.currency) return undefined;
  if (amount.minor <= 0n || amount.minor >= intent.amount.minor) return undefined;
  return misfitOf(reply.body, { ...intent, amount }) === undefined ? amount : undefined;
};

const isSamePart = (one: HostAnswer['approved'], other: HostAnswer['approved']): boolean => one?.minor === other?.minor;
