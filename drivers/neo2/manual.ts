/**
 * A card number entered by hand (83-41). How its answer is laid out is not public: it is taken to be like that of a
 * card, with encrypted data and a masked number.
 */
import type { ReadOutcome } from '../terminal.ts';
import { cardDataOf } from './card-data.ts';
import { withSred } from './chip.ts';
import { refused } from './device.ts';
import { notRead, type Reading } from './reading.ts';
import { meaningOf } from './step.ts';

/** How long the reader may still take behind the time it was given. */
const lateMs = 20_000;

export const readManual = async (reading: Reading): Promise<ReadOutcome> => {
  const { withinMs } = reading.request;
  reading.tell('presentCard');
  const timeoutS = Math.min(Math.ceil(withinMs / 1_000), 0xffff);
  const reply = await reading.run('manual', { timeoutS, flags: 0 }, withinMs + lateMs);
  if (reading.cancelled()) return notRead('cancelledByTill');
  const means = meaningOf(reply);
  if (means === 'timedOut') return notRead('timedOut');
  if (means === 'cancelled') return notRead('cancelledByCustomer');
  if (reply.status !== 0 || reply.answer === undefined) throw refused('manual', reply.status);
  reading.refuseForeign(reply.answer);
  const card = withSred(cardDataOf(reply.answer, 'MANUAL'));
  return { kind: 'goOnline', card: { ...card, verification: 'signature' } };
};
