/** Reads one card: starts, follows the device's events, and starts again when another way must be tried. */
import { Fault } from '../../../src/base/fault.ts';
import { overwrite, toHex } from '../../../src/base/hex.ts';
import { hidden } from '../../../src/base/mask.ts';
import { numericOf } from '../../../src/base/money.ts';
import type { EntryMode } from '../../../src/emv/entry-mode.ts';
import { find } from '../../../src/emv/tlv.ts';
import { isTyped, notRead, suggestOtherWay } from '../../reader-terminal.ts';
import type { CardData, ReadOutcome } from '../../terminal.ts';
import { cardDataOf, cardTypeOf, cardTypes, entryModeOf, type MmsBlock } from '../protocol/card-data.ts';
import { texts } from '../protocol/commands.ts';
import type { EndName, Technology } from '../protocol/notices.ts';
import { giveUp } from './complete.ts';
import type { TransactionEvent } from './events.ts';
import { eventOf, type MmsReading } from './reading.ts';

/** How often a customer can try: three chips that fail, bad swipes, wrong interfaces. */
const triesMax = 8;
/** How long batch data may follow the end it belongs to. */
const batchMs = 5_000;

/** The outcome, and the block that asked for the host: its serial number is sent back with the host's answer. */
type Read = { outcome: ReadOutcome; requestBlock?: MmsBlock };

/** Reads one card, as `read` of the terminal interface. */
export const read = async (reading: MmsReading): Promise<Read> => {
  for (let tries = 0; tries < triesMax && !reading.isCancelled(); tries += 1) {
    if ((await reading.start()) === 'unsupported') return { outcome: notRead('cardUnsupported') };
    if (!reading.isCancelled() && !isTyped(reading)) reading.notify('presentCard');
    const step = await follow(reading);
    if (step !== 'again') return step;
  }
  return { outcome: notRead(reading.isCancelled() ? 'cancelledByTill' : 'cardUnreadable') };
};

/** Follows the device until there is a card, or none. */
const follow = async (reading: MmsReading): Promise<Read | 'again'> => {
  const sightings: CardSightings = {};
  for (;;) {
    const event = await reading.nextEvent();
    if (event === undefined) {
      if (sightings.technology === undefined && reading.stopReason() === undefined) await reading.stop('timedOut');
      else throw endSilent(reading);
      continue;
    }
    if (event.kind === 'arqc') return requestOnline(reading, event.block);
    if (event.kind === 'ended') {
      sightings.technology ??= event.technology;
      if (decided.has(event.how) && sightings.batch === undefined) await collectBatch(reading, sightings);
      reading.device.events.end();
      const outcome = await outcomeOfEnd(reading, event.how, sightings);
      return outcome === 'again' ? outcome : { outcome };
    }
    await take(reading, event, sightings);
  }
};

const decided: ReadonlySet<string> = new Set(['approvedOffline', 'declinedOffline', 'approved', 'declined']);

const endSilent = ({ device }: MmsReading): Fault =>
  device.end(new Fault('terminal.silent', { command: 'the end of the transaction', ms: batchMs }));

/** Handles every event that does not end the reading. Throws `terminal.unready` when the PIN pad does not work. */
const take = async (reading: MmsReading, event: TransactionEvent, sightings: CardSightings): Promise<void> => {
  const { device, notify } = reading;
  switch (event.kind) {
    case 'inserted':
      sightings.technology = 'chip';
      sightings.removed = false;
      reading.noteCard();
      notify('cardInserted');
      return notify('reading');
    case 'tapped':
    case 'presented':
      sightings.technology = event.technology;
      reading.noteCard();
      if (event.technology === 'tap') notify('cardTapped');
      if (event.technology === 'stripe') notify('cardSwiped');
      return;
    case 'removed':
      sightings.removed = true;
      return notify('cardRemoved');
    case 'collision':
      return notify('presentCard');
    case 'text': {
      const shown = eventOf(event.lines);
      return shown === undefined ? undefined : notify(shown);
    }
    case 'batch':
      sightings.batch = event.block;
      return;
    case 'pinPadFailed':
    case 'pinNotEncrypted':
      await giveUp(device, undefined);
      throw new Fault('terminal.unready', {
        why: event.kind === 'pinPadFailed' ? 'its PIN pad failed' : 'it has no key that can encrypt the PIN',
      });
    case 'arqc':
    case 'ended':
  }
};

/** Waits briefly for the batch data of a transaction that has ended. */
const collectBatch = async ({ device }: MmsReading, sightings: CardSightings): Promise<void> => {
  const until = device.tools.clock.monotonic() + batchMs;
  for (;;) {
    const event = await device.nextEvent(() => until);
    if (event === undefined) return;
    if (event.kind !== 'batch') continue;
    sightings.batch = event.block;
    return;
  }
};

/** The card asks for its issuer. */
const requestOnline = async (reading: MmsReading, block: MmsBlock): Promise<Read | 'again'> => {
  const { device } = reading;
  const mode = entryModeOf(block, reading.chipFailed);
  if (mode === 'MANUAL') return readTyped(reading, block);
  if (reading.isCancelled() || mode === undefined || block.sealed === undefined) {
    overwrite(block.sealed?.data);
    await giveUp(device, block.serial);
    if (reading.isCancelled()) return { outcome: notRead('cancelledByTill') };
    if (mode === undefined) return { outcome: notRead('cardUnsupported') };
    throw new Fault('terminal.unready', { why: 'it gave no encrypted card data' });
  }
  // A chip card that was swiped must use its chip first, if the sale takes chips.
  const hasChip = cardTypeOf(block) === cardTypes.chipCardStripe;
  if (hasChip && mode === 'MAGSTRIPE' && reading.accept.has('chip')) {
    overwrite(block.sealed.data);
    await giveUp(device, block.serial);
    reading.chipWanted = true;
    await device.show(texts.useChip);
    reading.notify('useChip');
    return 'again';
  }
  return { outcome: { kind: 'goOnline', card: { ...cardDataOf(block, mode), mayHoldPin: true } }, requestBlock: block };
};

/** A typed number needs no answer: the device ends by itself afterwards. */
const readTyped = async (reading: MmsReading, block: MmsBlock): Promise<Read> => {
  const { device } = reading;
  const until = device.tools.clock.monotonic() + batchMs;
  for (;;) {
    const event = await device.nextEvent(() => until);
    if (event === undefined) await giveUp(device, block.serial);
    if (event !== undefined && event.kind !== 'ended') continue;
    device.events.end();
    if (reading.isCancelled()) return { outcome: notRead('cancelledByTill') };
    if (block.sealed === undefined) throw new Fault('terminal.unready', { why: 'it gave no encrypted card data' });
    return { outcome: { kind: 'goOnline', card: cardDataOf(block, 'MANUAL') } };
  }
};

/** What has been seen of a card since the transaction started. */
type CardSightings = { technology?: Technology; removed?: boolean; batch?: MmsBlock };

/** Host-driven fallback: after this many technical failures of the chip the stripe is allowed. */
const chipTriesMax = 3;

/** What the end of a transaction that never asked for the host means for the sale. `again`: try another way. */
const outcomeOfEnd = async (
  reading: MmsReading,
  how: EndName,
  sightings: CardSightings,
): Promise<ReadOutcome | 'again'> => {
  switch (how) {
    case 'timedOut':
      return notRead(reading.isCancelled() ? 'cancelledByTill' : 'timedOut');
    case 'cancelledByHost':
      return notRead(reading.stopReason() ?? 'cancelledByTill');
    case 'cancelledByUser':
      return notRead(reading.stopReason() ?? 'cancelledByCustomer');
    case 'cancelled':
      return notRead(reading.stopReason() ?? cancelReason(sightings));
    case 'approvedOffline':
    case 'approved':
      return outcomeOfApproval(reading, sightings);
    case 'declinedOffline':
    case 'declined':
      return { kind: 'declinedOffline', card: cardOf(reading, sightings) };
    case 'stripeInstead':
    case 'chipFailed':
      return reading.stopReason() === undefined
        ? retryAfterChip(reading, how, sightings)
        : notRead(reading.stopReason() ?? 'timedOut');
    case 'otherInterface':
      return retryOtherInterface(reading);
    case 'tryAgain':
    case 'readError':
      if (reading.isCancelled()) return notRead('cancelledByTill');
      return sightings.technology === 'manual' ? notRead('cardUnreadable') : 'again';
    case 'deferred':
    case 'done':
      return notRead('cardUnreadable');
  }
};

/** A card that is present when the device reports "cancelled" is at its PIN or at a choice. */
const cancelReason = ({ technology, removed }: CardSightings) =>
  removed ? 'cardRemoved' : technology === 'chip' || technology === 'tap' ? 'pinCancelled' : 'cancelledByCustomer';

/** Positive evidence only: the device's report and the card's own decision in the batch data. */
const outcomeOfApproval = (reading: MmsReading, sightings: CardSightings): ReadOutcome => {
  const { batch } = sightings;
  if (batch?.decision !== 'accepted' || batch.sealed === undefined) return notRead('cardUnreadable');
  // The card's approval is never passed on, so it moves no money.
  if (isOtherSale(batch, reading)) {
    throw new Fault('terminal.refused', { command: 'start', status: '-', why: 'it approved another amount' });
  }
  return { kind: 'approvedOffline', card: cardOf(reading, sightings) };
};

/** A device that sends the amount unencrypted must have received ours: nothing else checks the request. */
const isOtherSale = ({ clear }: MmsBlock, { request: { amount } }: MmsReading): boolean => {
  const differs = (tag: string, digits: string): boolean => {
    const reported = find(clear, tag)?.value;
    return reported !== undefined && toHex(reported) !== digits;
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

const cardOf = (reading: MmsReading, { batch, technology = 'none' }: CardSightings): CardData => {
  const mode = modes[technology];
  if (batch === undefined) return { entryMode: mode, maskedPan: hidden, sred: [], verification: 'none' };
  return cardDataOf(batch, entryModeOf(batch, reading.chipFailed) ?? mode);
};

/** A card that was removed must not lead to the stripe. */
const retryAfterChip = async (reading: MmsReading, how: 'stripeInstead' | 'chipFailed', sightings: CardSightings) => {
  const { accept, device, notify } = reading;
  if (sightings.removed) return notRead('cardRemoved');
  reading.chipFailures += 1;
  if (how === 'chipFailed' && reading.chipFailures < chipTriesMax && accept.has('chip')) {
    await device.show(texts.tryAgain);
    return 'again';
  }
  if (!accept.has('swipe')) return notRead(how === 'chipFailed' ? 'cardUnreadable' : 'cardUnsupported');
  reading.chipFailed = true;
  accept.delete('tap');
  await device.show(texts.useStripe);
  notify('useStripe');
  return 'again';
};

/** A tap does not work with this card. */
const retryOtherInterface = (reading: MmsReading): ReadOutcome | 'again' => {
  if (reading.isCancelled()) return notRead('cancelledByTill');
  return suggestOtherWay(reading) ? 'again' : notRead('cardUnsupported');
};
