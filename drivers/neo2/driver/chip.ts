/** A chip in the slot, up to its first cryptogram. */
import { Fault } from '../../../src/base/fault.ts';
import { overwrite } from '../../../src/base/overwrite.ts';
import type { CardData, ReadOutcome } from '../../terminal.ts';
import { cardDataOf } from '../protocol/card-data.ts';
import type { Neo2Result } from '../protocol/codec.ts';
import { refused } from './device.ts';
import { takePin } from './pin.ts';
import { type Neo2Reading, nextCommandS, notRead } from './reading.ts';
import { meaningOf } from './step.ts';
import { toStripe } from './stripe.ts';

/** A reader without keys asks its host for the PIN of a paired PIN pad (61-02), which no till has. */
const noPinPadHere =
  'it asks the till for the PIN, and the till has no PIN pad; whoever supplied it has to take the PIN out of its ' +
  'terminal capabilities (9F33)';

/** Runs the chip that the reader has started. `again` when the stripe may be used after a technical failure. */
export const readChip = async (reading: Neo2Reading): Promise<ReadOutcome | 'again'> => {
  reading.chipRan = true;
  reading.tell('cardInserted');
  reading.tell('reading');
  const reply = await reading.run('authenticate', { forceOnline: 0, timeoutS: nextCommandS });
  const means = meaningOf(reply);
  const decided = means === 'approved' || means === 'declined';
  if (reading.cancelled() && !decided) return reading.giveUp('cancelledByTill');
  reading.open = means === 'online';
  const { answer } = reply;
  if (answer !== undefined && (means === 'online' || decided)) {
    return chipDecided(reading, means, answer);
  }
  switch (means) {
    case 'timedOut':
      return notRead('timedOut');
    case 'cancelled':
      if (reading.pinAsked) throw new Fault('terminal.unready', { why: noPinPadHere });
      return notRead('cancelledByCustomer');
    case 'gone':
      return notRead('cardRemoved');
    case 'fallback':
      return reading.accept.has('swipe') ? toStripe(reading) : notRead('cardUnreadable');
    case 'referred':
    case 'notAccepted':
      return notRead('cardUnsupported');
    case 'chipFailed':
      // It answered before and does not now: it may have been pulled, so the stripe stays shut.
      return notRead('cardUnreadable');
    case 'keyless':
      throw reading.keyless(reply.status);
    default:
      throw refused('authenticate', reply.status);
  }
};

/** The first decision about a chip: ask the issuer, or the card has already said yes or no. */
export const chipDecided = async (
  reading: Neo2Reading,
  means: 'online' | 'approved' | 'declined',
  answer: Neo2Result,
): Promise<ReadOutcome> => {
  const card = cardDataOf(answer, 'ICC');
  if (means === 'declined') return { kind: 'declinedOffline', card };
  reading.refuseForeign(answer);
  if (means === 'approved') return { kind: 'approvedOffline', card: reading.withSred(card) };
  return online(reading, reading.withSred(card));
};

/** The issuer is to be asked; first the customer for the PIN if the card wants one and the reader has not taken it. */
export const online = async (reading: Neo2Reading, card: CardData): Promise<ReadOutcome> => {
  if (card.verification !== 'onlinePin') return { kind: 'goOnline', card };
  if (card.pin !== undefined) {
    reading.tell('pinEntered');
    if (reading.cancelled()) {
      overwrite(card.pin.data);
      return reading.giveUp('cancelledByTill');
    }
    return { kind: 'goOnline', card };
  }
  const pin = await takePin(reading);
  return 'why' in pin ? reading.giveUp(pin.why) : { kind: 'goOnline', card: { ...card, pin } };
};
