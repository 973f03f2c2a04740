/** Online PIN entry after card data is known. */
import { Fault } from '../../../src/base/fault.ts';
import { overwrite } from '../../../src/base/overwrite.ts';
import { present } from '../../present.ts';
import type { Encrypted, NotRead } from '../../terminal.ts';
import type { MpiMaskedTrack2 } from '../protocol/masked.ts';
import { statusRow } from '../protocol/status-words.ts';
import { refused } from './device.ts';
import type { MpiReading } from './reading.ts';

/**
 * Asks for the PIN. A customer who cancels, waits too long or skips it gives `pinCancelled`: the cryptogram has already
 * promised an online PIN. Throws `terminal.unready` without a PIN key or a masked track, `terminal.refused` otherwise.
 */
export const takePin = async (
  reading: MpiReading,
  card: { track: MpiMaskedTrack2 | undefined; label: string | undefined },
): Promise<Encrypted | { why: NotRead }> => {
  if (!reading.keys.pin) throw new Fault('terminal.unready', { why: 'it has no PIN key' });
  if (card.track === undefined) throw new Fault('terminal.unready', { why: 'it gave no masked track for the PIN' });

  reading.tell('enterPin');
  const { minor, currency } = reading.request.amount;
  const { status, answer } = await reading.run('onlinePin', {
    amountMinor: minor,
    currency,
    maskedTrack2: card.track.text,
    ...present({ label: card.label }),
  });
  if (reading.cancelled()) {
    if (answer?.kind === 'entered') overwrite(answer.data);
    return { why: 'cancelledByTill' };
  }
  if (answer === undefined) {
    const { means, says } = statusRow(status);
    if (means === 'cancelled' || means === 'timedOut') return { why: 'pinCancelled' };
    if (means === 'gone') return { why: 'cardRemoved' };
    if (means === 'notReady') throw new Fault('terminal.unready', { why: says });
    throw refused('onlinePin', status);
  }
  if (answer.kind === 'failed') {
    const why = 'the PIN pad failed';
    throw new Fault('terminal.refused', { command: 'onlinePin', status: answer.code.toString(16), why });
  }
  if (answer.kind !== 'entered') return { why: 'pinCancelled' };
  reading.tell('pinEntered');
  // Whoever hears that the PIN is in may stop the sale there and then.
  if (reading.cancelled()) {
    overwrite(answer.data);
    return { why: 'cancelledByTill' };
  }
  return { data: answer.data, ksn: answer.ksn };
};
