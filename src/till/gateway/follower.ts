/** Sends what was stored to follow a payment, once that payment has its answer: its id is known by then. */
import { compare, type Money } from '../../base/money.ts';
import type { Intent } from '../machine/facts.ts';
import { replay, type Sale } from '../machine/sale.ts';
import type { FollowBody } from '../messages.ts';
import type { HostReply, OutgoingMessage, TillParts } from '../ports.ts';
import { chargedOn } from '../refund.ts';
import { answerOf, misfitOf } from './answer.ts';
import { askedBefore, isUndecided, keyOf, nextKeyFirst, parametersOf } from './asked-before.ts';
import { byTestSystem, type Delivered, noEnding } from './delivered.ts';
import { sortingOf } from './forward-answers.ts';

export const deliverFollower = async (
  message: OutgoingMessage,
  intent: Intent,
  parts: TillParts,
): Promise<Delivered> => {
  const parent = parentOf(intent, parts);
  if (parent === undefined) return { means: 'refused', note: 'the journal does not know what it follows' };
  const found = await askedBefore(message, intent, parts);
  if (found === 'usedUp') return nextKeyFirst;
  if (found !== undefined) return followed(found, intent, parent);
  const { receipt } = parent.intent;
  if (!isAnswered(parent)) return { means: 'later', note: `it waits for the answer to receipt ${receipt}` };
  if (parent.ending !== 'approved') {
    const why = `receipt ${receipt} was not paid`;
    return { means: 'declined', note: why, event: { on: 'nothingToFollow', why } };
  }
  const payment = intent.follows?.payment || parent.answer?.payment;
  if (payment === undefined) return { means: 'refused', note: `the gateway named no payment for receipt ${receipt}` };
  const { parameters } = JSON.parse(message.body) as FollowBody;
  const reply = await parts.host.refer(payment, parametersOf(parameters, message), keyOf(message));
  return followed(reply, intent, parent);
};

const parentOf = ({ follows }: Intent, { ledger }: TillParts): Sale | undefined =>
  follows === undefined ? undefined : replay(ledger.events(follows.sale));

/** At its end, and known there. */
const isAnswered = (sale: Sale): sale is Extract<Sale, { at: 'ended' }> =>
  sale.at === 'ended' &&
  sale.ending !== 'unknown' &&
  !(sale.ending === 'approved' && sale.offline !== undefined && sale.forwarded === undefined);

const followed = (reply: HostReply, intent: Intent, parent: Sale): Delivered => {
  if (reply.kind !== 'answered') return noEnding(reply);
  const { means, code, description, body } = reply;
  const answer = answerOf(reply);
  const note = `${code} ${description}`;
  const sorting = sortingOf(answer, true)?.sorting;
  const inTest = byTestSystem(reply);
  if (inTest !== undefined) return inTest;
  if (isUndecided(reply, true)) return { means: 'undecided', note };
  // The payment does not allow it: nothing was moved, and asking again would change nothing.
  const isNo = means === 'declined' || (means === 'refused' && sorting === 'over');
  if (isNo) return { means: 'declined', note, event: { on: 'forwarded', approved: false, answer } };
  // A live channel has carried it out, also for a test till: a new request would do so once more.
  if (means !== 'approved' && means !== 'liveAnswer') return noEnding(reply);
  const part = partTakenBack(intent, parent);
  const misfit = misfitOf(body, part === undefined ? intent : { ...intent, amount: part });
  if (misfit !== undefined) return { means: 'unknown', note: misfit };
  const known = part === undefined ? answer : { ...answer, approved: part };
  return { means: 'approved', note, event: { on: 'forwarded', approved: true, answer: known } };
};

/** A void was asked for the whole sale; the bank may have approved less of it since, and that is what goes back. */
const partTakenBack = ({ operation, amount }: Intent, parent: Sale): Money | undefined => {
  const charged = chargedOn(parent);
  return operation === 'void' && compare(charged, amount) < 0 ? charged : undefined;
};
