/** Reading one card: wait for it, take what it gives, and ask for another way when this one does not work. */
import { Fault } from '../../../src/base/fault.ts';
import type { ReadOutcome } from '../../terminal.ts';
import { tapMode } from '../protocol/card-data.ts';
import { cardStatusBits } from '../protocol/commands.ts';
import { readChip, staysForChip } from './chip.ts';
import { decide } from './decide.ts';
import { readManual } from './manual.ts';
import { presented } from './present.ts';
import { presentText } from './prompts.ts';
import { type MpiReading, notRead } from './reading.ts';
import { readStripe } from './stripe.ts';

/** All that the device can report of cards. */
export const everything = Object.values(cardStatusBits).reduce((all, bit) => all | bit, 0);

/** How often a customer may try: bad swipes, wrong interfaces. Each try has the request's whole time. */
const triesMax = 6;

/** Takes one card as the terminal interface's `read` says. */
export const read = async (reading: MpiReading): Promise<ReadOutcome> => {
  const { device, request, accept, tell } = reading;
  // Keys are used up, and devices opened, between sales: no card is asked for that could not be taken.
  reading.keys = await device.need('keys', {});
  if (!reading.keys.ready) throw new Fault('terminal.unready', { why: 'it says that it is not ready' });
  if (!reading.keys.sred) throw new Fault('terminal.unready', { why: 'it has no key for card data' });
  if (reading.cancelled()) return notRead('cancelledByTill');
  // A swipe made before this sale began is not a swipe for this sale.
  device.slot.takeSwipe();
  await device.tellOfCards(everything);
  if (accept.has('manual') && accept.size === 1) return readManual(reading);

  tell('presentCard');
  for (let tries = 0; tries < triesMax && !reading.cancelled(); tries += 1) {
    await device.need('display', { text: presentText(request, accept) });
    const outcome = await once(reading);
    if (outcome !== 'again') return outcome;
  }
  return notRead(reading.cancelled() ? 'cancelledByTill' : 'cardUnreadable');
};

/** One try. `again` when the customer was told what to do instead. */
const once = async (reading: MpiReading): Promise<ReadOutcome | 'again'> => {
  const card = await presented(reading);
  switch (card.by) {
    case 'tap':
      reading.tell('cardTapped');
      return decide(reading, card.decision, tapMode(card.decision.tlvs));
    case 'chip':
      return (await staysForChip(reading)) ? readChip(reading) : 'again';
    case 'swipe':
      return readStripe(reading, card.notice);
    case 'nobody':
      return notRead(card.why);
    case 'again':
      return 'again';
  }
};
