/** A chip in the slot, up to its first cryptogram. */
import type { ReadOutcome } from '../terminal.ts';
import { decide } from './decide.ts';
import { refused } from './device.ts';
import { notRead, type Reading } from './reading.ts';
import { statusRow } from './status-words.ts';

/** Runs the chip. `again` when the device allows the stripe after a technical failure. */
export const readChip = async (reading: Reading): Promise<ReadOutcome | 'again'> => {
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
const toStripe = (reading: Reading): ReadOutcome | 'again' => {
  const { slot } = reading.device;
  if (!slot.present()) return notRead('cardRemoved');
  reading.chipFailed = true;
  reading.triedInsertion = slot.insertions();
  reading.accept.delete('tap');
  reading.tell('useStripe');
  return 'again';
};
