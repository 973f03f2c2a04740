/** Reading one card: start, follow what the device tells, and start again when another way is to be tried. */
import { Fault } from '../../../src/base/fault.ts';
import { overwrite } from '../../../src/base/overwrite.ts';
import type { ReadOutcome } from '../../terminal.ts';
import type { MmsBlock } from '../protocol/blocks.ts';
import { cardDataOf, cardTypeOf, cardTypes, entryModeOf } from '../protocol/card-data.ts';
import { texts } from '../protocol/commands.ts';
import { giveUp } from './complete.ts';
import { ended, type Seen } from './ending.ts';
import type { TransactionEvent } from './events.ts';
import { eventOf, type MmsReading, notRead } from './reading.ts';

/** How often a customer may try: three chips that fail, bad swipes, wrong interfaces. */
const triesMax = 8;
/** How long batch data may come after the end that it belongs to. */
const batchMs = 5_000;

/** The outcome, and the block that asked for the host: its serial number goes back with the host's word. */
type Read = { outcome: ReadOutcome; asked?: MmsBlock };

/** Takes one card as the terminal interface's `read` says. */
export const read = async (reading: MmsReading): Promise<Read> => {
  for (let tries = 0; tries < triesMax && !reading.cancelled(); tries += 1) {
    if ((await reading.start()) === 'unsupported') return { outcome: notRead('cardUnsupported') };
    if (!reading.cancelled() && !reading.typed()) reading.tell('presentCard');
    const step = await follow(reading);
    if (step !== 'again') return step;
  }
  return { outcome: notRead(reading.cancelled() ? 'cancelledByTill' : 'cardUnreadable') };
};

/** Hears the device out until there is a card, or none. */
const follow = async (reading: MmsReading): Promise<Read | 'again'> => {
  const seen: Seen = {};
  for (;;) {
    const event = await reading.next();
    if (event === undefined) {
      if (seen.technology === undefined && reading.stopped() === undefined) await reading.stop('timedOut');
      else throw silent(reading);
      continue;
    }
    if (event.kind === 'arqc') return requestOnline(reading, event.block);
    if (event.kind === 'ended') {
      seen.technology ??= event.technology;
      if (decided.has(event.how) && seen.batch === undefined) await batchOf(reading, seen);
      reading.device.events.end();
      const outcome = await ended(reading, event.how, seen);
      return outcome === 'again' ? outcome : { outcome };
    }
    await take(reading, event, seen);
  }
};

const decided: ReadonlySet<string> = new Set(['approvedOffline', 'declinedOffline', 'approved', 'declined']);

const silent = ({ device }: MmsReading): Fault =>
  device.end(new Fault('terminal.silent', { command: 'the end of the transaction', ms: batchMs }));

/** Everything on the way that ends nothing. Throws `terminal.unready` when the PIN pad does not work. */
const take = async (reading: MmsReading, event: TransactionEvent, seen: Seen): Promise<void> => {
  const { device, tell } = reading;
  switch (event.kind) {
    case 'inserted':
      seen.technology = 'chip';
      seen.removed = false;
      reading.cardCame();
      tell('cardInserted');
      return tell('reading');
    case 'tapped':
    case 'presented':
      seen.technology = event.technology;
      reading.cardCame();
      if (event.technology === 'tap') tell('cardTapped');
      if (event.technology === 'stripe') tell('cardSwiped');
      return;
    case 'removed':
      seen.removed = true;
      return tell('cardRemoved');
    case 'collision':
      return tell('presentCard');
    case 'text': {
      const shown = eventOf(event.lines);
      return shown === undefined ? undefined : tell(shown);
    }
    case 'batch':
      seen.batch = event.block;
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

/** Waits a little for the batch data of a transaction that has ended. */
const batchOf = async ({ device }: MmsReading, seen: Seen): Promise<void> => {
  const until = device.tools.clock.monotonic() + batchMs;
  for (;;) {
    const event = await device.next(() => until);
    if (event === undefined) return;
    if (event.kind !== 'batch') continue;
    seen.batch = event.block;
    return;
  }
};

/** A card wants its issuer asked. */
const requestOnline = async (reading: MmsReading, block: MmsBlock): Promise<Read | 'again'> => {
  const { device } = reading;
  const mode = entryModeOf(block, reading.chipFailed);
  if (mode === 'MANUAL') return typed(reading, block);
  if (reading.cancelled() || mode === undefined || block.sealed === undefined) {
    overwrite(block.sealed?.data);
    await giveUp(device, block.serial);
    if (reading.cancelled()) return { outcome: notRead('cancelledByTill') };
    if (mode === undefined) return { outcome: notRead('cardUnsupported') };
    throw new Fault('terminal.unready', { why: 'it gave no encrypted card data' });
  }
  // A chip card that was swiped goes to its chip first, if the sale takes chips.
  const hasChip = cardTypeOf(block) === cardTypes.chipCardStripe;
  if (hasChip && mode === 'MAGSTRIPE' && reading.accept.has('chip')) {
    overwrite(block.sealed.data);
    await giveUp(device, block.serial);
    reading.chipWanted = true;
    await device.show(texts.useChip);
    reading.tell('useChip');
    return 'again';
  }
  return { outcome: { kind: 'goOnline', card: { ...cardDataOf(block, mode), mayHoldPin: true } }, asked: block };
};

/** A typed number needs no answer: the device ends by itself behind it. */
const typed = async (reading: MmsReading, block: MmsBlock): Promise<Read> => {
  const { device } = reading;
  const until = device.tools.clock.monotonic() + batchMs;
  for (;;) {
    const event = await device.next(() => until);
    if (event === undefined) await giveUp(device, block.serial);
    if (event !== undefined && event.kind !== 'ended') continue;
    device.events.end();
    if (reading.cancelled()) return { outcome: notRead('cancelledByTill') };
    if (block.sealed === undefined) throw new Fault('terminal.unready', { why: 'it gave no encrypted card data' });
    return { outcome: { kind: 'goOnline', card: cardDataOf(block, 'MANUAL') } };
  }
};
