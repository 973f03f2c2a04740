/** A tap: the reader has read it to its end, and the card has left. */
import type { EntryMode } from '../../../src/emv/entry-mode.ts';
import type { ReadOutcome } from '../../terminal.ts';
import { cardDataOf } from '../protocol/card-data.ts';
import type { Neo2Result } from '../protocol/codec.ts';
import { online } from './chip.ts';
import type { Neo2Reading } from './reading.ts';

export type Tapped = {
  means: 'online' | 'approved' | 'declined';
  answer: Neo2Result;
  mode: EntryMode;
  /** The reader waits to hear what the host said (status 23). */
  viaHost: boolean;
};

/** What a tap gives the till. */
export const tapDecided = async (
  reading: Neo2Reading,
  { means, answer, mode, viaHost }: Tapped,
): Promise<ReadOutcome> => {
  reading.tell('cardTapped');
  const card = cardDataOf(answer, mode);
  reading.open = means === 'online' && viaHost;
  if (means === 'declined') return { kind: 'declinedOffline', card };
  if (means === 'approved') return { kind: 'approvedOffline', card: reading.withSred(card) };
  return online(reading, reading.withSred(card));
};
