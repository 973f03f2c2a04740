/**
 * A card number entered by hand (83-41). In the vendor's logs (github IDTSQATW/test_tree, KP008) its answer is a stripe
 * block of its own kind (DFEE23), with a masked and an encrypted track 2; pairs of 5A are taken as well.
 */
import type { ReadOutcome } from '../../terminal.ts';
import { cardDataOf } from '../protocol/card-data.ts';
import { status, statusRow } from '../protocol/status.ts';
import { refused } from './device.ts';
import { type Neo2Reading, notRead } from './reading.ts';
import { type CardReply, meaningOf } from './step.ts';

/** How long the reader may still take behind the time it was given. */
const lateMs = 20_000;

export const readManual = async (reading: Neo2Reading): Promise<ReadOutcome> => {
  reading.tell('presentCard');
  const reply = await typed(reading);
  if (reading.cancelled()) return notRead('cancelledByTill');
  const means = meaningOf(reply);
  if (means === 'timedOut') return notRead('timedOut');
  if (means === 'cancelled') return notRead('cancelledByCustomer');
  if (means === 'keyless') throw reading.keyless(reply.status);
  if (reply.status !== 0 || reply.answer === undefined) throw refused('manual', reply.status);
  reading.refuseForeign(reply.answer);
  const card = reading.withSred(cardDataOf(reply.answer, 'MANUAL'));
  return { kind: 'goOnline', card: { ...card, verification: 'signature' } };
};

/** Asked under the header that readers take, and where one does not under the one that the guide prints. */
const typed = async (reading: Neo2Reading): Promise<CardReply> => {
  const { withinMs } = reading.request;
  const ask = { timeoutS: Math.min(Math.ceil(withinMs / 1_000), 0xffff), flags: 0 };
  const reply = await reading.run('manual', ask, withinMs + lateMs);
  const isUnknown = reply.status === status.badHeader || statusRow(reply.status).means === 'unsupported';
  return isUnknown ? reading.run('manualUnderV3', ask, withinMs + lateMs) : reply;
};
