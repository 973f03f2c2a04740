/** A sale's requests to the gateway, and what the store's limits say when it is not reached. */
import { Fault } from '../../base/fault.ts';
import { codes } from '../../base/result-codes.ts';
import type { SaleEvent } from '../machine/events.ts';
import { cardFacts, type Intent } from '../machine/facts.ts';
import type { OfflineVerdict } from '../machine/offline-facts.ts';
import type { Sale } from '../machine/sale.ts';
import { toBeKept } from '../offline/verdict.ts';
import type { Host, HostReply } from '../ports.ts';
import type { Run } from '../run-context.ts';
import { eventOf, textAt } from './answer.ts';
import { findPayment } from './inquiry.ts';
import { followRequest, giftCardRequest, saleRequest } from './request.ts';

export const authorise = async (run: Run, now: Sale): Promise<SaleEvent> => {
  const reply = await offlineRequest(run, now);
  const icc = reply.kind === 'answered' ? textAt(reply.body, 'pos.iccDataResponse') : undefined;
  if (icc !== undefined) run.held.hostIcc = icc;
  const event = eventOf(reply, now.intent, () => offlineVerdictOf(run, now.intent));
  if (event.on !== 'hostRefused' || now.intent.operation !== 'release') return event;
  return (await isNothingHeld(run.parts.host, reply, now.intent))
    ? { on: 'hostApproved', answer: event.answer }
    : event;
};

/** What the store's limits say about taking this sale offline. If the queue cannot be read, nothing may go offline. */
export const offlineVerdictOf = ({ held, parts }: Run, intent: Intent): OfflineVerdict => {
  const { operation, amount, cashier } = intent;
  const card = held.card && cardFacts(held.card);
  try {
    const offlineRequest = { operation, amount, card, cashier };
    return toBeKept(parts.offline(offlineRequest));
  } catch (error) {
    parts.report(error);
    return { kind: 'refused', why: 'the stored sales cannot be counted', code: 'uncounted' };
  }
};

/** A second try first asks for the first one; only what the gateway does not have is sent again, unchanged. */
const offlineRequest = async ({ parts, held }: Run, now: Sale): Promise<HostReply> => {
  const { host } = parts;
  const { intent } = now;
  if (now.at === 'authorising' && now.tries > 1) {
    const found = await findPayment(host, intent);
    if (found !== 'nothing') return found;
  }
  if (intent.follows !== undefined) return host.refer(intent.follows.payment, followRequest(intent), intent.key);
  if (held.giftCard !== undefined) return host.pay(giftCardRequest(intent, held.giftCard), intent.key);
  const { card, info } = held;
  if (card === undefined || info === undefined) throw new Fault('terminal.unready', { why: 'no card was read' });
  return host.pay(saleRequest(intent, { card, terminal: info }), intent.key);
};

// Whether a release was refused because nothing is held any more: then it counts as done.

/**
 * Asks the gateway for the pre-authorisation: true if it was released there by someone else with nothing charged on it,
 * or if the gateway has no such payment. A payment missing from its list proves nothing.
 */
const isNothingHeld = async (host: Host, reply: HostReply, { follows }: Intent): Promise<boolean> => {
  if (reply.kind !== 'answered' || follows === undefined) return false;
  const { code } = reply;
  if (code !== codes.cannotReverse && code !== codes.nothingToReverse) return false;
  const list = await host.find(follows.sale, 'linked');
  if (list.kind !== 'answered') return false;
  if (list.code === codes.transactionNotFound) return code === codes.nothingToReverse;
  const { payments } = list.body;
  if (list.means !== 'approved' || !Array.isArray(payments)) return false;
  const moved = payments
    .filter((one: unknown) => textAt(one, 'referencedId') === follows.payment)
    .map((one: unknown) => ({
      type: textAt(one, 'paymentType'),
      means: host.meaningOf(textAt(one, 'result.code') ?? '', one),
    }))
    .filter(({ means }) => means !== 'declined' && means !== 'refused' && means !== 'testAnswer');
  const isCertain = moved.every(({ means }) => means === 'approved' || means === 'liveAnswer');
  return isCertain && moved.some(({ type }) => type === 'RV') && moved.every(({ type }) => type !== 'CP');
};
