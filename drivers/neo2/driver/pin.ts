/** Online PIN entry by a command of its own, for cards whose PIN the reader did not take by itself (62-01). */
import { Fault } from '../../../src/base/fault.ts';
import { overwrite } from '../../../src/base/overwrite.ts';
import type { Encrypted, NotRead } from '../../terminal.ts';
import { statusRow } from '../protocol/status.ts';
import { refused } from './device.ts';
import type { Neo2Reading } from './reading.ts';

/** Type 01: DUKPT, and the card number that the reader itself read. PINs have 4 to 12 digits (ISO 9564-1). */
const entry = { type: 1, panLength: 0, longest: 12, shortest: 4, words: 0 };

/**
 * Asks for the PIN. A customer who cancels or waits too long gives `pinCancelled`. Throws `terminal.unready` without a
 * PIN key, `terminal.refused` otherwise.
 */
export const takePin = async (reading: Neo2Reading): Promise<Encrypted | { why: NotRead }> => {
  if (!reading.pinKey) throw new Fault('terminal.unready', { why: 'it has no PIN key' });
  reading.tell('enterPin');
  const { status, answer } = await reading.run('onlinePin', entry);
  if (reading.cancelled()) {
    if (answer?.kind === 'entered') overwrite(answer.data);
    return { why: 'cancelledByTill' };
  }
  if (answer === undefined) {
    if (statusRow(status).means === 'timedOut') return { why: 'pinCancelled' };
    throw refused('onlinePin', status);
  }
  switch (answer.kind) {
    case 'entered':
      reading.tell('pinEntered');
      // Whoever hears that the PIN is in may stop the sale there and then.
      if (reading.cancelled()) {
        overwrite(answer.data);
        return { why: 'cancelledByTill' };
      }
      return { data: answer.data, ksn: answer.ksn };
    case 'customerCancelled':
    case 'hostCancelled':
      return { why: 'pinCancelled' };
    case 'noKey':
      throw new Fault('terminal.unready', { why: 'its PIN key is missing or used up' });
    case 'failed': {
      const why = 'the PIN pad failed';
      throw new Fault('terminal.refused', { command: 'onlinePin', status: answer.code.toString(16), why });
    }
  }
};
