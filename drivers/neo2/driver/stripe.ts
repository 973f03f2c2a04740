/** A swipe: when the stripe may be used at all, and whether it wants a PIN. Service codes are those of ISO/IEC 7813. */
import { Fault } from '../../../src/base/fault.ts';
import { overwrite } from '../../../src/base/overwrite.ts';
import { hasChip } from '../../../src/emv/tracks.ts';
import { takesStripePin } from '../../card-facts.ts';
import type { CardData, Encrypted, NotRead, ReadOutcome } from '../../terminal.ts';
import { maskedTrackOf, sredOf } from '../protocol/card-data.ts';
import type { Neo2Result } from '../protocol/codec.ts';
import { statusRow } from '../protocol/status.ts';
import { refused } from './device.ts';
import { type Neo2Reading, notRead } from './reading.ts';

/**
 * Takes a swipe. `fallback` is the reader's word that the chip failed first (DFEE25 0007, 9F39 80). `again` when
 * nothing could be read, or when the card has a chip that was not tried.
 */
export const readStripe = async (
  reading: Neo2Reading,
  { tlvs }: Neo2Result,
  by: 'stripe' | 'fallback',
): Promise<ReadOutcome | 'again'> => {
  const { accept, tell } = reading;
  const track = maskedTrackOf(tlvs);
  const sred = sredOf(tlvs);
  if (by === 'fallback' && !accept.has('swipe')) return notRead('cardUnreadable');
  if (track !== undefined && sred.length === 0) reading.withSred({ ...stripeCard, maskedPan: track.maskedPan, sred });
  if (track === undefined) {
    if (by === 'fallback') return toStripe(reading);
    tell('presentCard');
    return 'again';
  }
  tell('cardSwiped');
  const { serviceCode } = track;
  const failed = by === 'fallback' || reading.chipFailed;
  const chipCard = serviceCode !== undefined && hasChip(serviceCode);
  if (chipCard && accept.has('chip') && !failed) {
    tell('useChip');
    return 'again';
  }
  // The reader may mask the service code; after a failed chip the swipe is then taken for that chip's stripe.
  const fallback = failed && (chipCard || serviceCode === undefined);
  return withPin(reading, serviceCode, {
    ...stripeCard,
    ...(fallback ? { entryMode: 'MAGSTRIPE_AS_FALLBACK' } : {}),
    maskedPan: track.maskedPan,
    sred,
  });
};

const stripeCard = { entryMode: 'MAGSTRIPE', verification: 'signature' } as const;

/** Only the stripe is left for this card. */
export const toStripe = (reading: Neo2Reading): 'again' => {
  reading.chipFailed = true;
  reading.accept.delete('chip');
  reading.accept.delete('tap');
  reading.tell('useStripe');
  return 'again';
};

const withPin = async (reading: Neo2Reading, serviceCode: string | undefined, card: CardData): Promise<ReadOutcome> => {
  if (!takesStripePin(serviceCode, { pinKey: reading.pinKey })) return { kind: 'goOnline', card };
  const pin = await takePin(reading);
  if ('why' in pin) return notRead(pin.why);
  return { kind: 'goOnline', card: { ...card, pin, verification: 'onlinePin' } };
};

// Online PIN entry by a command of its own, for cards whose PIN the reader did not take by itself (62-01).

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
