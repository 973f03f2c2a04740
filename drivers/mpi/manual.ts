/**
 * A card number entered by hand. The parameters and the answer of this command are not public: it is sent without any,
 * and its answer is taken to be a template with encrypted data and a masked number, as those of a card are.
 */
import type { ReadOutcome } from '../terminal.ts';
import { cardDataOf } from './card-data.ts';
import { withSred } from './decide.ts';
import { refused } from './device.ts';
import { notRead, type Reading } from './reading.ts';
import { statusRow } from './status-words.ts';

export const readManual = async (reading: Reading): Promise<ReadOutcome> => {
  const { tools } = reading.device;
  const stopTimer = tools.clock.after(reading.request.withinMs, () => {
    reading.stop('timedOut').catch((why) => tools.report(why));
  });
  try {
    const { status, answer } = await reading.run('manualEntry', {});
    if (reading.cancelled()) return notRead('cancelledByTill');
    if (answer !== undefined) {
      const card = withSred(cardDataOf(answer.tlvs, 'MANUAL'));
      return { kind: 'goOnline', card: { ...card, verification: 'signature' } };
    }
    const { means } = statusRow(status);
    if (means === 'timedOut' || reading.stopped() === 'timedOut') return notRead('timedOut');
    if (means === 'cancelled') return notRead('cancelledByCustomer');
    throw refused('manualEntry', status);
  } finally {
    stopTimer();
  }
};
