/**
 * A card number entered by hand (D25A). The device shows a prompt of its own, named by its number, and seals what is
 * typed in.
 * Source: the vendor's public SDK (JavaMpi-1-1i, getSecurePan).
 */
import { Fault } from '../../../src/base/fault.ts';
import type { ReadOutcome } from '../../terminal.ts';
import { cardDataOf } from '../protocol/card-data.ts';
import { statusRow } from '../protocol/status-words.ts';
import { withSred } from './decide.ts';
import { refused } from './device.ts';
import { type MpiReading, notRead } from './reading.ts';

/** The secure prompt for a card number, and no options: the device's own text, without its status bar. */
const numberPrompt = { prompt: '00040000', options: '00' };

/** The longest wait that two bytes of seconds say. */
const secondsMax = 0xffff;

export const readManual = async (reading: MpiReading): Promise<ReadOutcome> => {
  const { tools } = reading.device;
  const stopTimer = tools.clock.after(reading.request.withinMs, () => {
    reading.stop('timedOut').catch((why) => tools.report(why));
  });
  try {
    const seconds = Math.min(Math.ceil(reading.request.withinMs / 1_000), secondsMax);
    const { status, answer } = await reading.run('manualEntry', { ...numberPrompt, seconds });
    if (reading.cancelled()) return notRead('cancelledByTill');
    if (answer !== undefined) {
      const card = withSred(cardDataOf(answer.tlvs, 'MANUAL'));
      return { kind: 'goOnline', card: { ...card, verification: 'signature' } };
    }
    const { means, says } = statusRow(status);
    if (means === 'timedOut' || reading.stopped() === 'timedOut') return notRead('timedOut');
    if (means === 'cancelled') return notRead('cancelledByCustomer');
    if (means === 'notReady') throw new Fault('terminal.unready', { why: says });
    throw refused('manualEntry', status);
  } finally {
    stopTimer();
  }
};
