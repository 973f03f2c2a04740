/** The end of a transaction that never asked for the host: what it means for the sale. */
import { Fault } from '../../../src/base/fault.ts';
import { toHex } from '../../../src/base/hex.ts';
import { hidden } from '../../../src/base/mask.ts';
import { numericOf } from '../../../src/base/money.ts';
import type { EntryMode } from '../../../src/emv/entry-mode.ts';
import { find } from '../../../src/emv/tlv.ts';
import type { CardData, ReadOutcome } from '../../terminal.ts';
import type { MmsBlock } from '../protocol/blocks.ts';
import { cardDataOf, entryModeOf } from '../protocol/card-data.ts';
import { texts } from '../protocol/commands.ts';
import type { EndName, Technology } from '../protocol/notices.ts';
import { type MmsReading, notRead } from './reading.ts';

/** What was seen of a card since the transaction started. */
export type Seen = { technology?: Technology; removed?: boolean; batch?: MmsBlock };

/** Host-driven fallback: so many technical failures of the chip open the way to the stripe. */
const chipTriesMax = 3;

/** `again` when the customer was told what to do instead. */
export const ended = async (reading: MmsReading, how: EndName, seen: Seen): Promise<ReadOutcome | 'again'> => {
  switch (how) {
    case 'timedOut':
      return notRead(reading.cancelled() ? 'cancelledByTill' : 'timedOut');
    case 'cancelledByHost':
      return notRead(reading.stopped() ?? 'cancelledByTill');
    case 'cancelledByUser':
      return notRead(reading.stopped() ?? 'cancelledByCustomer');
    case 'cancelled':
      return notRead(reading.stopped() ?? cancelledWhy(seen));
    case 'approvedOffline':
    case 'approved':
      return approved(reading, seen);
    case 'declinedOffline':
    case 'declined':
      return { kind: 'declinedOffline', card: cardOf(reading, seen) };
    case 'stripeInstead':
    case 'chipFailed':
      return reading.stopped() === undefined
        ? chipFailed(reading, how, seen)
        : notRead(reading.stopped() ?? 'timedOut');
    case 'otherInterface':
      return otherInterface(reading);
    case 'tryAgain':
    case 'readError':
      if (reading.cancelled()) return notRead('cancelledByTill');
      return seen.technology === 'manual' ? notRead('cardUnreadable') : 'again';
    case 'deferred':
    case 'done':
      return notRead('cardUnreadable');
  }
};

/** A card that is there when the device says "cancelled" is at its PIN or at a choice. */
const cancelledWhy = ({ technology, removed }: Seen) =>
  removed ? 'cardRemoved' : technology === 'chip' || technology === 'tap' ? 'pinCancelled' : 'cancelledByCustomer';

/** Positive evidence only: the device's word and the card's own decision in the batch data. */
const approved = (reading: MmsReading, seen: Seen): ReadOutcome => {
  const { batch } = seen;
  if (batch?.decision !== 'accepted' || batch.sealed === undefined) return notRead('cardUnreadable');
  // The card's word is never handed on, so no money moves by it.
  if (isOtherSale(batch, reading)) {
    throw new Fault('terminal.refused', { command: 'start', status: '-', why: 'it approved another amount' });
  }
  return { kind: 'approvedOffline', card: cardOf(reading, seen) };
};

/** A device that tells the amount in clear must have heard ours: nothing on the wire checks what it was asked. */
const isOtherSale = ({ clear }: MmsBlock, { request: { amount } }: MmsReading): boolean => {
  const differs = (tag: string, digits: string): boolean => {
    const told = find(clear, tag)?.value;
    return told !== undefined && toHex(told) !== digits;
  };
  return (
    differs('9F02', amount.minor.toString().padStart(12, '0')) ||
    differs('5F2A', numericOf(amount.currency).padStart(4, '0'))
  );
};

const modes: Readonly<Record<Technology, EntryMode>> = {
  none: 'ICC',
  manual: 'MANUAL',
  stripe: 'MAGSTRIPE',
  chip: 'ICC',
  tap: 'NFC_ICC',
};

const cardOf = (reading: MmsReading, { batch, technology = 'none' }: Seen): CardData => {
  const mode = modes[technology];
  if (batch === undefined) return { entryMode: mode, maskedPan: hidden, sred: [], verification: 'none' };
  return cardDataOf(batch, entryModeOf(batch, reading.chipFailed) ?? mode);
};

/** A pulled card must not open the way to the stripe. */
const chipFailed = async (reading: MmsReading, how: 'stripeInstead' | 'chipFailed', seen: Seen) => {
  const { accept, device, tell } = reading;
  if (seen.removed) return notRead('cardRemoved');
  reading.chipFailures += 1;
  if (how === 'chipFailed' && reading.chipFailures < chipTriesMax && accept.has('chip')) {
    await device.show(texts.tryAgain);
    return 'again';
  }
  if (!accept.has('swipe')) return notRead(how === 'chipFailed' ? 'cardUnreadable' : 'cardUnsupported');
  reading.chipFailed = true;
  accept.delete('tap');
  await device.show(texts.useStripe);
  tell('useStripe');
  return 'again';
};

/** The tap was of no use with this card. */
const otherInterface = (reading: MmsReading): ReadOutcome | 'again' => {
  const { accept, tell } = reading;
  if (reading.cancelled()) return notRead('cancelledByTill');
  accept.delete('tap');
  if (!accept.has('chip') && !accept.has('swipe')) return notRead('cardUnsupported');
  tell(accept.has('chip') ? 'useChip' : 'useStripe');
  return 'again';
};
