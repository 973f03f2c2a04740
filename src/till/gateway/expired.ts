/**
 * A stored sale that was tried before and whose card data had to be destroyed since: it cannot be sent again, but the
 * gateway may have it. The gateway is asked, and only its answer, or "not found" when no request can be in transit,
 * ends the sale.
 */
import { testAnswersIn } from '../../base/open-messages.ts';
import { replay } from '../machine/sale.ts';
import type { ForwardBody } from '../messages.ts';
import type { OutgoingMessage, TillParts } from '../ports.ts';
import { answerOf } from './answer.ts';
import type { DeliveryResult } from './delivered.ts';
import { findPayment, isRefusal } from './inquiry.ts';
import { answerToStored, isLifeOver } from './reversal.ts';

/** The readable part of such a message: how long its card data was kept, and when it was destroyed, monotonic ms. */
export type ExpiredBody = ForwardBody & { expired: { days: number; at: number } };

/** The details of a message whose card data expired, or undefined when it is to be sent as usual. */
export const expiredIn = ({ kind, secret, body }: OutgoingMessage): ExpiredBody['expired'] | undefined =>
  kind === 'forward' && secret === undefined ? (JSON.parse(body) as Partial<ExpiredBody>).expired : undefined;

export const askInstead = async (
  message: OutgoingMessage,
  { days, at }: ExpiredBody['expired'],
  parts: TillParts,
): Promise<DeliveryResult> => {
  const intent = replay(parts.ledger.events(message.sale))?.intent;
  if (intent === undefined) return { means: 'refused', note: 'the journal does not know this sale' };
  if (intent.gateway !== parts.gateway && testAnswersIn(message.body) === 'only')
    return { means: 'declined', note: 'it was never charged', event: { on: 'cardDataExpired', days } };
  if (intent.gateway !== parts.gateway)
    return { means: 'later', note: `this sale belongs to another gateway: ${intent.gateway}` };
  const isOver = isLifeOver(at, parts);
  const reply = await findPayment(parts.host, intent);
  // At a live till, a payment that only a test system has charged nobody: it counts as not found.
  if (reply === 'nothing' || (reply.kind === 'answered' && reply.means === 'testAnswer')) {
    if (!isOver) return { means: 'later', note: 'not at the gateway so far; asked again before that counts' };
    return { means: 'declined', note: 'it was never charged', event: { on: 'cardDataExpired', days } };
  }
  // Any certain refusal ends the sale: without its card data it can never be sent again.
  if (reply.kind === 'answered' && isRefusal(reply)) {
    const note = `${reply.code} ${reply.description}`;
    return { means: 'declined', note, event: { on: 'forwarded', approved: false, answer: answerOf(reply) } };
  }
  return answerToStored({ message, reply, listed: reply }, intent, parts);
};
