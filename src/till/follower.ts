/** Sends what was stored to follow a payment, once that payment has its answer: its id is known by then. */
import { answerOf, misfitOf } from './answer.ts';
import { askedBefore, isUndecided, keyOf } from './asked-before.ts';
import { type Delivered, noEnding } from './delivered.ts';
import type { Intent } from './facts.ts';
import { sortingOf } from './forward-answers.ts';
import type { FollowBody } from './messages.ts';
import type { HostReply, OutgoingMessage, TillParts } from './ports.ts';
import { replay, type Sale } from './sale.ts';

export const deliverFollower = async (
  message: OutgoingMessage,
  intent: Intent,
  parts: TillParts,
): Promise<Delivered> => {
  const parent = parentOf(intent, parts);
  if (parent === undefined) return { means: 'refused', note: 'the journal does not know what it follows' };
  const found = await askedBefore(message, intent, parts);
  if (found !== undefined) return followed(found, intent);
  const { receipt } = parent.intent;
  if (!isAnswered(parent)) return { means: 'later', note: `it waits for the answer to receipt ${receipt}` };
  if (parent.ending !== 'approved') {
    const why = `receipt ${receipt} was not paid`;
    return { means: 'declined', note: why, event: { on: 'nothingToFollow', why } };
  }
  const payment = intent.follows?.payment || parent.answer?.payment;
  if (payment === undefined) return { means: 'refused', note: `the gateway named no payment for receipt ${receipt}` };
  const { parameters } = JSON.parse(message.body) as FollowBody;
  return followed(await parts.host.refer(payment, parameters, keyOf(message)), intent);
};

const parentOf = ({ follows }: Intent, { ledger }: TillParts): Sale | undefined =>
  follows === undefined ? undefined : replay(ledger.events(follows.sale));

/** At its end, and known there. */
const isAnswered = (sale: Sale): sale is Extract<Sale, { at: 'ended' }> =>
  sale.at === 'ended' &&
  sale.ending !== 'unknown' &&
  !(sale.ending === 'approved' && sale.offline !== undefined && sale.forwarded === undefined);

const followed = (reply: HostReply, intent: Intent): Delivered => {
  if (reply.kind !== 'answered') return noEnding(reply);
  const { means, code, description, body } = reply;
  const answer = answerOf(reply);
  const note = `${code} ${description}`;
  const sorting = sortingOf(answer, true)?.sorting;
  if (sorting === 'undecided' || isUndecided(reply)) return { means: 'undecided', note };
  // The payment does not allow it: nothing was moved, and asking again would change nothing.
  const isNo = means === 'declined' || (means === 'refused' && sorting === 'over');
  if (isNo) return { means: 'declined', note, event: { on: 'forwarded', approved: false, answer } };
  if (means !== 'approved') return noEnding(reply);
  const misfit = misfitOf(body, intent);
  if (misfit !== undefined) return { means: 'unknown', note: misfit };
  return { means, note, event: { on: 'forwarded', approved: true, answer } };
};
