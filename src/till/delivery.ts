/** Sends one message of the queue and says what its answer means: for the sale as an event, for the queue as a word. */
import { answerOf, eventOf, misfitOf } from './answer.ts';
import { type Delivered, noEnding } from './delivered.ts';
import type { Intent } from './facts.ts';
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
  if (message.kind === 'reversal') return deliverReversal(message, intent, parts);
  const reply =
    message.kind === 'forward' ? await forward(message, intent, parts) : await repeat(message, intent, parts);
  if (reply === undefined) return { means: 'refused', note: 'its content is gone' };
  return message.kind === 'forward' ? forwarded(reply, intent) : repeated(reply, intent);
};

/** What was sent before is asked for first: a gateway may have it, though its answer was lost. */
const askedBefore = async (
  message: OutgoingMessage,
  intent: Intent,
  { host }: TillParts,
): Promise<HostReply | undefined> => {
  if (message.tried !== true) return undefined;
  const found = await findPayment(host, intent);
  if (found === 'nothing') return undefined;
  // A payment that never reached its acquirer was decided by nobody: it is sent again.
  return found.kind === 'answered' && undecided.has(found.code) ? undefined : found;
};

const forward = async (message: OutgoingMessage, intent: Intent, parts: TillParts): Promise<HostReply | undefined> => {
  if (message.secret === undefined) return undefined;
  const parameters = JSON.parse(message.secret) as Record<string, string>;
  return (await askedBefore(message, intent, parts)) ?? parts.host.pay(parameters, message.key);
};

const repeat = async (message: OutgoingMessage, intent: Intent, parts: TillParts): Promise<HostReply> => {
  const { payment, parameters } = JSON.parse(message.body) as RepeatBody;
  return (await askedBefore(message, intent, parts)) ?? parts.host.refer(payment, parameters, message.key);
};

/** Timed out, reversed or never sent behind the gateway: no money moved, but no issuer said no either. */
const undecided = new Set(['100.396.103', '900.100.301', '900.100.310']);

const forwarded = (reply: HostReply, intent: Intent): Delivered => {
  if (reply.kind !== 'answered' || undecided.has(reply.code)) return noEnding(reply);
  const { means, code, description, body } = reply;
  const note = `${code} ${description}`;
  if (means === 'declined')
    return { means, note, event: { on: 'forwarded', approved: false, answer: answerOf(reply) } };
  if (means !== 'approved') return noEnding(reply);
  const misfit = misfitOf(body, intent);
  if (misfit !== undefined) return { means: 'unknown', note: misfit };
  return { means, note, event: { on: 'forwarded', approved: true, answer: answerOf(reply) } };
};

const repeated = (reply: HostReply, intent: Intent): Delivered => {
  const event = eventOf(reply, intent, () => ({ kind: 'refused', why: 'refunds need the gateway' }));
  if (event.on === 'hostApproved') return { means: 'approved', note: event.answer.description, event };
  if (event.on === 'hostDeclined' && !undecided.has(event.answer.code)) {
    return { means: 'declined', note: event.answer.description, event };
  }
  const words = event.on === 'hostSilent' && reply.kind === 'answered' ? event.why : undefined;
  return words === undefined ? noEnding(reply) : { means: 'unknown', note: words };
};
