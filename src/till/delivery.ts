/** Sends one message of the queue and says what its answer means: for the sale as an event, for the queue as a word. */
import { answerOf, eventOf, misfitOf, moneyOf } from './answer.ts';
import { askedBefore, isUndecided, keyOf } from './asked-before.ts';
import { type Delivered, noEnding } from './delivered.ts';
import type { HostAnswer, Intent } from './facts.ts';
import { deliverFollower } from './follower.ts';
import { sortingOf } from './forward-answers.ts';
import { findPayment } from './inquiry.ts';
import type { RepeatBody } from './messages.ts';
import type { HostReply, OutgoingMessage, TillParts } from './ports.ts';
import { deliverReversal } from './reversal.ts';
import { replay } from './sale.ts';

/** Never settles anything by an answer from another gateway than the one that has the sale. */
export const deliver = async (message: OutgoingMessage, parts: TillParts): Promise<Delivered> => {
  const intent = replay(parts.ledger.events(message.sale))?.intent;
  if (intent === undefined) return { means: 'refused', note: 'the journal does not know this sale' };
  if (intent.gateway !== parts.gateway) {
    return { means: 'later', note: `this sale belongs to another gateway: ${intent.gateway}` };
  }
  switch (message.kind) {
    case 'reversal':
      return deliverReversal(message, intent, parts);
    case 'forward':
      return forward(message, intent, parts);
    case 'follow':
      return deliverFollower(message, intent, parts);
    case 'repeat':
      return repeated((await askedBefore(message, intent, parts)) ?? (await repeat(message, parts)), intent);
  }
};

const repeat = ({ body, key }: OutgoingMessage, { host }: TillParts): Promise<HostReply> => {
  const { payment, parameters } = JSON.parse(body) as RepeatBody;
  return host.refer(payment, parameters, key);
};

const forward = async (message: OutgoingMessage, intent: Intent, parts: TillParts): Promise<Delivered> => {
  if (message.secret === undefined) return { means: 'refused', note: 'its content is gone' };
  const found = await askedBefore(message, intent, parts);
  if (found !== undefined) return forwarded(found, found, intent);
  const { again = 0 } = message;
  const stored = JSON.parse(message.secret) as Record<string, string>;
  const parameters = again === 0 ? stored : asNewRequest(stored, again);
  const reply = await parts.host.pay(parameters, keyOf(message));
  // Less than was sold: only what the gateway's own list says too is believed.
  const listed = partOf(reply, intent) === undefined ? undefined : await findPayment(parts.host, intent);
  return forwarded(reply, listed === 'nothing' ? undefined : listed, intent);
};

/** The gateway knows a terminal's request again by its number: one that nobody decided needs another. */
const asNewRequest = (stored: Record<string, string>, again: number): Record<string, string> => {
  const name = 'pos.transactionSequenceNumber';
  return stored[name] === undefined
    ? stored
    : { ...stored, [name]: `${stored[name]}${String(again).padStart(3, '0')}` };
};

/** `listed`: what the gateway's list has of it, where it was asked. */
const forwarded = (reply: HostReply, listed: HostReply | undefined, intent: Intent): Delivered => {
  if (reply.kind !== 'answered') return noEnding(reply);
  const { means, code, description, body } = reply;
  const answer = answerOf(reply);
  const note = `${code} ${description}`;
  const counts = { response: answer.response ?? '' };
  if (isUndecided(reply)) return { means: 'undecided', note, counts };
  if (means === 'declined') return { means, note, counts, event: { on: 'forwarded', approved: false, answer } };
  if (means !== 'approved') return noEnding(reply);
  const part = partOf(reply, intent);
  if (part !== undefined && listed !== undefined && isSamePart(part, partOf(listed, intent))) {
    return { means, note, event: { on: 'forwarded', approved: true, answer: { ...answer, approved: part } } };
  }
  const misfit = misfitOf(body, intent);
  if (misfit !== undefined) return { means: 'unknown', note: misfit };
  return { means, note, event: { on: 'forwarded', approved: true, answer } };
};

/** The amount of an approval that fits but for being less than what was sold. */
const partOf = (reply: HostReply, intent: Intent): HostAnswer['approved'] => {
  if (reply.kind !== 'answered' || reply.means !== 'approved') return undefined;
  const told = moneyOf(reply.body);
  if (told === undefined || told.currency !== intent.amount.currency) return undefined;
  if (told.minor <= 0n || told.minor >= intent.amount.minor) return undefined;
  return misfitOf(reply.body, { ...intent, amount: told }) === undefined ? told : undefined;
};

const isSamePart = (one: HostAnswer['approved'], other: HostAnswer['approved']): boolean => one?.minor === other?.minor;

const repeated = (reply: HostReply, intent: Intent): Delivered => {
  const event = eventOf(reply, intent, () => ({ kind: 'refused', why: 'refunds need the gateway' }));
  if (event.on === 'hostApproved') return { means: 'approved', note: event.answer.description, event };
  if (event.on === 'hostDeclined' && sortingOf(event.answer)?.sorting !== 'undecided') {
    return { means: 'declined', note: event.answer.description, event };
  }
  const words = event.on === 'hostSilent' && reply.kind === 'answered' ? event.why : undefined;
  return words === undefined ? noEnding(reply) : { means: 'unknown', note: words };
};
