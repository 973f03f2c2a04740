/** Sends one message of the queue and says what its answer means: for the sale as an event, for the queue as a word. */
import { answerOf, eventOf, textAt } from './answer.ts';
import type { SaleEvent } from './events.ts';
import type { Intent } from './facts.ts';
import type { RepeatBody, ReversalBody } from './messages.ts';
import type { HostReply, OutgoingMessage, TillParts } from './ports.ts';
import { reversalRequest } from './request.ts';
import { replay } from './sale.ts';

export type Means = 'approved' | 'declined' | 'pending' | 'refused' | 'later' | 'unknown' | 'notSent' | 'silent';

/** With an event the message is settled by it; without one it waits or is parked, as `means` says. */
export type Delivered = { means: Means; note: string; event?: SaleEvent };

export const deliver = (message: OutgoingMessage, parts: TillParts): Promise<Delivered> => {
  switch (message.kind) {
    case 'reversal':
      return deliverReversal(message, parts);
    case 'forward':
      return deliverForward(message, parts);
    case 'repeat':
      return deliverRepeat(message, parts);
  }
};

/** Reversing a payment that the gateway never had, or has reversed already, is success (rule of ISO 8583 advices). */
const alreadyReversed = new Set(['700.400.300']);
/** The payment has no final state yet: asked again when it has. */
const stillPending = new Set(['700.400.570']);
const notFound = new Set(['700.400.530', '700.400.580']);

const deliverReversal = async (message: OutgoingMessage, parts: TillParts): Promise<Delivered> => {
  const body = JSON.parse(message.body) as ReversalBody;
  if (body.payment !== undefined) return reverse(body.payment, message, parts);
  const found = await parts.host.find(message.sale);
  if (found.kind === 'answered' && notFound.has(found.code)) {
    // A request still on its way would be taken after this "not found". It proves something only when that is over.
    const early = parts.clock.now() - body.sentAt < parts.requestLifeMs;
    if (early) return { means: 'later', note: 'not at the gateway so far; asked again before that counts' };
    return { means: 'approved', note: 'the gateway never had it', event: { on: 'reversed', how: 'notFound' } };
  }
  if (found.kind !== 'answered' || found.means !== 'approved') return noAnswer(found);
  return judge(paymentIn(found, message.sale), message, parts);
};

/** A payment as the query lists it. */
type Listed = { payment: string; code: string; description: string; body: Readonly<Record<string, unknown>> };

const judge = (
  listed: Listed | undefined,
  message: OutgoingMessage,
  parts: TillParts,
): Promise<Delivered> | Delivered => {
  if (listed === undefined) return { means: 'silent', note: 'the gateway’s list does not name the payment' };
  // Only a code that is known to be a no spares the reversal; anything else may have been approved.
  if (parts.host.isDecline(listed.code)) {
    return {
      means: 'declined',
      note: listed.description,
      event: { on: 'reversed', how: 'notApproved', answer: answerOf(listed) },
    };
  }
  return reverse(listed.payment, message, parts);
};

const reverse = async (payment: string, message: OutgoingMessage, { host }: TillParts): Promise<Delivered> => {
  const reply = await host.refer(payment, reversalRequest(message.sale), message.key);
  if (reply.kind !== 'answered') return noAnswer(reply);
  if (reply.means === 'approved' || alreadyReversed.has(reply.code)) {
    return { means: 'approved', note: 'taken back', event: { on: 'reversed', how: 'reversed' } };
  }
  if (notFound.has(reply.code))
    return { means: 'approved', note: 'the gateway never had it', event: { on: 'reversed', how: 'notFound' } };
  if (stillPending.has(reply.code)) return { means: 'later', note: reply.description };
  // A refused reversal leaves a charge standing: a person has to see it.
  return { means: reply.means === 'declined' ? 'refused' : reply.means, note: `${reply.code} ${reply.description}` };
};

const paymentIn = (found: Extract<HostReply, { kind: 'answered' }>, sale: string): Listed | undefined => {
  const list = found.body['payments'];
  if (!Array.isArray(list)) return undefined;
  for (const body of list as readonly Readonly<Record<string, unknown>>[]) {
    const payment = textAt(body, 'id');
    const isSale = textAt(body, 'merchantTransactionId') === sale && textAt(body, 'paymentType') === 'DB';
    if (!isSale || payment === undefined) continue;
    return {
      payment,
      code: textAt(body, 'result.code') ?? '',
      description: textAt(body, 'result.description') ?? '',
      body,
    };
  }
  return undefined;
};

const deliverForward = async (message: OutgoingMessage, parts: TillParts): Promise<Delivered> => {
  if (message.secret === undefined) return { means: 'refused', note: 'its content is gone' };
  const reply = await parts.host.pay(JSON.parse(message.secret) as Record<string, string>, message.key);
  if (reply.kind !== 'answered') return noAnswer(reply);
  const { means, code, description } = reply;
  const note = `${code} ${description}`;
  if (means !== 'approved' && means !== 'declined') return { means, note };
  return { means, note, event: { on: 'forwarded', approved: means === 'approved', answer: answerOf(reply) } };
};

const deliverRepeat = async (message: OutgoingMessage, parts: TillParts): Promise<Delivered> => {
  const { payment, parameters } = JSON.parse(message.body) as RepeatBody;
  const reply = await parts.host.refer(payment, parameters, message.key);
  if (reply.kind !== 'answered') return noAnswer(reply);
  const intent: Intent | undefined = replay(parts.ledger.events(message.sale))?.intent;
  if (intent === undefined) return { means: 'refused', note: 'the journal does not know the refund' };
  const event = eventOf(reply, intent, { kind: 'refused', why: '' });
  const note = `${reply.code} ${reply.description}`;
  return event.on === 'hostApproved' || event.on === 'hostDeclined'
    ? { means: reply.means, note, event }
    : { means: reply.means, note };
};

const noAnswer = (reply: HostReply): Delivered =>
  reply.kind === 'answered'
    ? {
        means: reply.means === 'approved' || reply.means === 'declined' ? 'unknown' : reply.means,
        note: `${reply.code} ${reply.description}`,
      }
    : { means: reply.kind, note: reply.fault.message };
