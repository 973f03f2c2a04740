/** A chip in the slot, up to its first cryptogram. */
import type { ReadOutcome } from '../../terminal.ts';
import { statusRow } from '../protocol/status-words.ts';
import { decide } from './decide.ts';
import { refused } from './device.ts';
import { type MpiReading, notRead } from './reading.ts';

/** How long a chip may take to answer once its card is told of. */
const answersMs = 600;

/**
 * Waits for a chip whose card the device has told of before the chip has answered. False when the card is gone again,
 * as one is that was swiped. One whose chip never answers stays, and the device says what may be done with it.
 */
export const staysForChip = async (reading: MpiReading): Promise<boolean> => {
  const { device } = reading;
  const { slot } = device;
  if (!slot.present() || slot.chip()) return true;
  const look = () => (slot.chip() || !slot.present() || reading.stopped() !== undefined ? true : undefined);
  await device.until(look, answersMs);
  return slot.present();
};

/** Runs the chip. `again` when the device allows the stripe after a technical failure. */
export const readChip = async (reading: MpiReading): Promise<ReadOutcome | 'again'> => {
  const { device, tell, accept } = reading;
  tell('cardInserted');
  tell('reading');
  const { status, answer } = await reading.run('startContact', { ...reading.fields(), dfa204: '01', dfa203: '00' });
  if (answer !== undefined) return decide(reading, answer, 'ICC');
  if (reading.cancelled()) return notRead('cancelledByTill');

  const { means } = statusRow(status);
  switch (means) {
    case 'cancelled':
      return notRead(device.slot.present() ? 'cancelledByCustomer' : 'cardRemoved');
    case 'timedOut':
      return notRead('timedOut');
    case 'gone':
      return notRead('cardRemoved');
    case 'broken':
      return notRead('cardUnreadable');
    case 'fallback':
    case 'unsupported':
      if (!accept.has('swipe')) return notRead(means === 'fallback' ? 'cardUnreadable' : 'cardUnsupported');
      return toStripe(reading);
    case 'ok':
    case 'refused':
    case 'notReady':
    case 'inserted':
    case 'swiped':
    case 'noTap':
      throw refused('startContact', status);
  }
};

/** Fallback is for technical failures of a card that is there: pulling it early must not open the way to the stripe. */
const toStripe = (reading: MpiReading): ReadOutcome | 'again' => {
  const { slot } = reading.device;
  if (!slot.present()) return notRead('cardRemoved');
  reading.chipFailed = true;
  reading.triedInsertion = slot.insertions();
  reading.accept.delete('tap');
  reading.tell('useStripe');
  return 'again';
};
