/**
 * Stands between the queue and the till: sends no message when the card's scheme allows no further try, and counts each
 * answer that is not an approval before it is settled.
 */
import type { Clock } from '../base/clock.ts';
import { dateTime } from '../base/clock.ts';
import { brandOfPan } from '../emv/brands.ts';
import { openWords } from '../locales/messages/en/sales.ts';
import type { Delivery } from '../queue/attempt.ts';
import type { Message } from '../queue/outbox.ts';
import { type CardTries, mayTry, RETRY_SPAN_MS, type RetryDecision, type RetryScheme } from '../queue/retry-rules.ts';
import { expiredIn } from '../till/gateway/expired.ts';
import type { Sale } from '../till/machine/sale.ts';
import type { Till } from '../till/till.ts';

export type LimitParts = {
  till: Pick<Till, 'findSale'>;
  tries: CardTries;
  /** The gateway's time as far as it is known: a till clock set forward must not use up the time left for repeats. */
  clock: Pick<Clock, 'now'>;
  /** When the till last learned that its clock was behind, ms: sales dated earlier can be just as recent. */
  corrected?(): number | undefined;
};

/** The result of a delivery, and the answer that counts against the card's limit, if any. */
type Counted = Delivery & { readonly counts?: { readonly response: string } };

/** The note on messages that are parked because the card's tries are used up. */
export const SPENT = openWords.spent;

/** Only repeats are limited. The first time a sale is sent is not a repeat, and neither is an inquiry or a reversal. */
export const withinCardLimits = async (
  parts: LimitParts,
  message: Message,
  deliver: () => Promise<Counted>,
): Promise<Delivery> => {
  const { till, tries, clock } = parts;
  const isRepeat = (message.again ?? 0) > 0 && message.kind !== 'reversal' && expiredIn(message) === undefined;
  if (isRepeat) {
    const may = mayTryAgain(till.findSale(message.sale), parts);
    if (may?.kind === 'over') return unsentDelivery('spent', SPENT);
    if (may?.kind === 'from') {
      return unsentDelivery('held', `the card’s scheme allows the next try at ${dateTime(may.at)} UTC`);
    }
  }
  const delivery = await deliver();
  const card = delivery.counts && cardOf(till.findSale(message.sale));
  if (delivery.counts !== undefined && card !== undefined) {
    tries.note({ card, sale: message.sale, at: clock.now(), response: delivery.counts.response });
  }
  return delivery;
};

const unsentDelivery = (means: 'spent' | 'held', note: string): Delivery => ({ means, note, settle: () => {} });

/** Whether the bank may be asked about this sale's card once more. Undefined when the card is unknown. */
export const mayTryAgain = (
  sale: Sale,
  { tries, clock, corrected }: Omit<LimitParts, 'till'>,
): RetryDecision | undefined => {
  const card = cardOf(sale);
  if (card === undefined) return undefined;
  const now = clock.now();
  const tried = tries.of(card, now - RETRY_SPAN_MS);
  const since = Math.max(sale.intent.at, corrected?.() ?? 0);
  return mayTry({ tried, since, scheme: schemeOf(sale) }, now);
};

const cardOf = ({ card }: Sale): string | undefined =>
  card === undefined ? undefined : `${card.maskedPan}/${card.panSequence ?? ''}`;

export const schemeOf = ({ card }: Sale): RetryScheme => {
  const brand = brandOfPan(card?.maskedPan ?? '');
  if (brand === 'VISA') return 'visa';
  return brand === 'MASTER' || brand === 'MAESTRO' ? 'mastercard' : 'other';
};
