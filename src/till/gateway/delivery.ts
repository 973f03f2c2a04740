/**
 * Sends one message of the queue and says what its answer means: an event for the sale, and an outcome for the queue.
 */
import { compare, type Money } from '../../base/money.ts';
import { FROM_NEWER, testAnswersIn } from '../../base/open-messages.ts';
import type { Intent } from '../machine/facts.ts';
import { isUnread, replay, type Sale } from '../machine/sale.ts';
import type { FollowBody, RepeatBody } from '../messages.ts';
import { chargedOn } from '../payments.ts';
import type { HostReply, OutgoingMessage, Parameters, TillParts } from '../ports.ts';
import { answerOf, eventOf, misfitOf } from './answer.ts';
import {
  type DeliveryResult,
  inquireFirst,
  isForPart,
  isUndecided,
  keyOf,
  nextKeyFirst,
  parametersOf,
  testSystemResult,
  undecidedResult,
} from './delivered.ts';
import { type AnsweredReply, findPayment, sortingOf } from './inquiry.ts';
import { answerToStored, deliverReversal, isLifeOver } from './reversal.ts';

/** Never settles anything by an answer from another gateway than the one that has the sale. */
export const deliver = async (message: OutgoingMessage, parts: TillParts): Promise<DeliveryResult> => {
  const sale = replay(parts.ledger.events(message.sale));
  const intent = sale?.intent;
  if (sale === undefined || intent === undefined)
    return { means: 'refused', note: 'the journal does not know this sale' };
  if (isUnread(sale)) return { means: 'refused', note: FROM_NEWER };
  if (intent.gateway !== parts.gateway) {
    // A live till has the right gateway now: whatever a test system had of this sale moved no money.
    if (message.kind === 'reversal' && sale.at === 'ended' && sale.reason === 'testAnswer')
      return { means: 'approved', note: 'only a test system had it', event: { on: 'reversed', how: 'notApproved' } };
    if (!mayMove(message, intent, parts))
      return { means: 'later', note: `this sale belongs to another gateway: ${intent.gateway}` };
    parts.ledger.record(message.sale, { on: 'movedTo', gateway: parts.gateway });
  }
  switch (message.kind) {
    case 'reversal':
      return deliverReversal(message, intent, parts);
    case 'forward':
      return forward(message, intent, parts);
    case 'follow':
      return deliverFollower(message, intent, parts);
    case 'repeat':
      return repeat(message, intent, parts);
  }
};

/**
 * Whether another gateway may get this message: only if every try so far was answered by a test system. A follow-up
 * goes where its sale went, unless the follow-up was itself sent before.
 */
const mayMove = (
  { kind, tried, body }: OutgoingMessage,
  { follows }: Intent,
  { gateway, ledger }: TillParts,
): boolean => {
  const isTestOnly = testAnswersIn(body) === 'only';
  if (kind === 'forward') return isTestOnly;
  const parent = follows && replay(ledger.events(follows.sale))?.intent;
  return kind === 'follow' && parent?.gateway === gateway && (isTestOnly || tried !== true);
};

const forward = async (message: OutgoingMessage, intent: Intent, parts: TillParts): Promise<DeliveryResult> => {
  if (message.secret === undefined) return { means: 'refused', note: 'its content is gone' };
  const found = await inquireFirst(message, intent, parts);
  if (found === 'usedUp') return nextKeyFirst;
  if (found !== undefined) return answerToStored({ message, reply: found, listed: found }, intent, parts);
  const parameters = parametersOf(JSON.parse(message.secret) as Parameters, message);
  const reply = await parts.host.pay(parameters, keyOf(message));
  // An approval for less than was sold is believed only if the gateway's own list agrees.
  const listed = isForPart(reply, intent) ? await findPayment(parts.host, intent) : undefined;
  return answerToStored({ message, reply, listed: listed === 'nothing' ? undefined : listed }, intent, parts);
};

const repeat = async (message: OutgoingMessage, intent: Intent, parts: TillParts): Promise<DeliveryResult> => {
  const { payment, parameters, sentAt = 0 } = JSON.parse(message.body) as RepeatBody;
  // Determined before the gateway is asked, because its answer is about the moment of the question.
  const isOver = isLifeOver(sentAt, parts);
  const found = await inquireFirst(message, intent, parts);
  if (found === 'usedUp') return nextKeyFirst;
  if (found !== undefined) return refusedInList(found) ?? repeatResult(found, intent);
  const reply = await parts.host.refer(payment, parametersOf(parameters, message), keyOf(message));
  const result = repeatResult(reply, intent);
  if (result.means !== 'refused' || reply.kind !== 'answered') return result;
  // The first request was not carried out, or it would be listed; and neither was this one. Until that is certain, this
  // one may have been refused because the first was carried out: the gateway’s list shows it at the next try.
  return isOver ? refusedResult(reply) : { ...result, means: 'later' };
};

/**
 * The gateway lists only certain refusals under this reference, and fixable ones are sent as new requests: the repeated
 * request was not carried out and never will be.
 */
const refusedInList = (found: HostReply): DeliveryResult | undefined => {
  if (found.kind !== 'answered' || found.means !== 'refused' || isUndecided(found, true)) return undefined;
  return refusedResult(found);
};

const refusedResult = (reply: AnsweredReply): DeliveryResult => {
  const answer = answerOf(reply);
  return { means: 'declined', note: `${answer.code} ${answer.description}`, event: { on: 'hostDeclined', answer } };
};

const repeatResult = (reply: HostReply, intent: Intent): DeliveryResult => {
  const inTest = testSystemResult(reply);
  if (inTest !== undefined) return inTest;
  if (reply.kind === 'answered' && isUndecided(reply, true)) return { means: 'undecided', note: reply.description };
  const event = eventOf(reply, intent, () => ({ kind: 'refused', why: 'refunds need the gateway' }));
  if (event.on === 'hostApproved') return { means: 'approved', note: event.answer.description, event };
  if (event.on === 'hostDeclined') return { means: 'declined', note: event.answer.description, event };
  // A live channel has carried it out, even for a test till.
  if (event.on === 'hostOtherMode' && reply.kind === 'answered') return forwardResultOf(reply, intent);
  const text = event.on === 'hostSilent' && reply.kind === 'answered' ? event.why : undefined;
  return text === undefined ? undecidedResult(reply) : { means: 'unknown', note: text };
};

const forwardResultOf = (reply: AnsweredReply, intent: Intent): DeliveryResult => {
  const misfit = misfitOf(reply.body, intent);
  if (misfit !== undefined) return { means: 'unknown', note: misfit };
  return { means: 'approved', note: reply.description, event: { on: 'hostApproved', answer: answerOf(reply) } };
};

/** Sends what was stored to follow a payment, once that payment has its answer and its id is known. */
const deliverFollower = async (message: OutgoingMessage, intent: Intent, parts: TillParts): Promise<DeliveryResult> => {
  const parent = parentOf(intent, parts);
  if (parent === undefined) return { means: 'refused', note: 'the journal does not know what it follows' };
  const found = await inquireFirst(message, intent, parts);
  if (found === 'usedUp') return nextKeyFirst;
  if (found !== undefined) return followResult(found, intent, parent);
  const { receipt } = parent.intent;
  if (!isAnswered(parent)) return { means: 'later', note: `it waits for the answer to receipt ${receipt}` };
  if (parent.ending !== 'approved') {
    const reason = `receipt ${receipt} was not paid`;
    return { means: 'declined', note: reason, event: { on: 'nothingToFollow', why: reason } };
  }
  const payment = intent.follows?.payment || parent.answer?.payment;
  if (payment === undefined) return { means: 'refused', note: `the gateway named no payment for receipt ${receipt}` };
  const { parameters } = JSON.parse(message.body) as FollowBody;
  const reply = await parts.host.refer(payment, parametersOf(parameters, message), keyOf(message));
  return followResult(reply, intent, parent);
};

const parentOf = ({ follows }: Intent, { ledger }: TillParts): Sale | undefined =>
  follows === undefined ? undefined : replay(ledger.events(follows.sale));

/** Whether the sale has ended and its answer from the gateway is known. */
const isAnswered = (sale: Sale): sale is Extract<Sale, { at: 'ended' }> =>
  sale.at === 'ended' &&
  sale.ending !== 'unknown' &&
  !(sale.ending === 'approved' && sale.offline !== undefined && sale.forwarded === undefined);

const followResult = (reply: HostReply, intent: Intent, parent: Sale): DeliveryResult => {
  if (reply.kind !== 'answered') return undecidedResult(reply);
  const { means, code, description, body } = reply;
  const answer = answerOf(reply);
  const note = `${code} ${description}`;
  const sorting = sortingOf(answer, true)?.sorting;
  const inTest = testSystemResult(reply);
  if (inTest !== undefined) return inTest;
  if (isUndecided(reply, true)) return { means: 'undecided', note };
  // The payment does not allow the follow-up: no money was moved, and sending it again would change nothing.
  const isNo = means === 'declined' || (means === 'refused' && sorting === 'over');
  if (isNo) return { means: 'declined', note, event: { on: 'forwarded', approved: false, answer } };
  // A live channel has carried out the follow-up, even for a test till: a new request would do it once more.
  if (means !== 'approved' && means !== 'liveAnswer') return undecidedResult(reply);
  const part = partTakenBack(intent, parent);
  const misfit = misfitOf(body, part === undefined ? intent : { ...intent, amount: part });
  if (misfit !== undefined) return { means: 'unknown', note: misfit };
  const known = part === undefined ? answer : { ...answer, approved: part };
  return { means: 'approved', note, event: { on: 'forwarded', approved: true, answer: known } };
};

/** A void was for the whole sale; the bank may have approved less of it since, and only that is returned. */
const partTakenBack = ({ operation, amount }: Intent, parent: Sale): Money | undefined => {
  const charged = chargedOn(parent);
  return operation === 'void' && compare(charged, amount) < 0 ? charged : undefined;
};
