/** A swipe: when the stripe may be used at all, and whether it wants a PIN. Service codes are those of ISO/IEC 7813. */
import type { EntryMode } from '../../../src/emv/entry-mode.ts';
import { hasChip } from '../../../src/emv/service-code.ts';
import { takesStripePin } from '../../stripe-pin.ts';
import type { CardData, ReadOutcome } from '../../terminal.ts';
import { flat, maskedTrackOf, sredOf } from '../protocol/card-data.ts';
import type { MpiMaskedTrack2 } from '../protocol/masked.ts';
import type { CardNotice } from '../protocol/notices.ts';
import { takePin } from './pin.ts';
import { type MpiReading, notRead } from './reading.ts';

/** Takes a swipe. `again` when nothing could be read, or when the card has a chip that was not tried. */
export const readStripe = async (reading: MpiReading, { tlvs }: CardNotice): Promise<ReadOutcome | 'again'> => {
  const { accept, tell } = reading;
  const track = maskedTrackOf(flat(tlvs));
  const sred = sredOf(tlvs);
  if (track === undefined || sred.length === 0) {
    tell('presentCard');
    return 'again';
  }
  tell('cardSwiped');
  const chipCard = track.serviceCode !== undefined && hasChip(track.serviceCode);
  if (chipCard && accept.has('chip') && !reading.chipFailed) {
    tell('useChip');
    return 'again';
  }
  // The device masks the service code on some cards; after a failed chip it is then taken for that chip's stripe.
  const fallback = reading.chipFailed && (chipCard || track.serviceCode === undefined);
  return withPin(reading, track, {
    entryMode: fallback ? 'MAGSTRIPE_AS_FALLBACK' : ('MAGSTRIPE' satisfies EntryMode),
    maskedPan: track.maskedPan,
    sred,
    verification: 'signature',
  });
};

const withPin = async (reading: MpiReading, track: MpiMaskedTrack2, card: CardData): Promise<ReadOutcome> => {
  if (reading.cancelled()) return notRead('cancelledByTill');
  if (!takesStripePin(track.serviceCode, { pinKey: reading.keys.pin })) return { kind: 'goOnline', card };
  const pin = await takePin(reading, { track, label: undefined });
  if ('why' in pin) return notRead(pin.why);
  return { kind: 'goOnline', card: { ...card, pin, verification: 'onlinePin' } };
};
