/** Reads one card: waits for it, takes its data, and asks for another way when this one does not work. */
import { Fault } from '../../../src/base/fault.ts';
import { isTyped, notRead, outcomeOfStripe } from '../../reader-terminal.ts';
import type { ReadOutcome } from '../../terminal.ts';
import { cardDataOf, flattenTlvs, maskedTrackOf, sredOf, tapMode } from '../protocol/card-data.ts';
import { cardStatusBits } from '../protocol/commands.ts';
import { type CardNotice, statusRow } from '../protocol/notices.ts';
import { refusalFault } from './device.ts';
import { awaitCard } from './present.ts';
import { decide, type MpiReading, promptTextFor, takePin, withSred } from './reading.ts';

/** Everything that the device can report about cards. */
export const everything = Object.values(cardStatusBits).reduce((all, bit) => all | bit, 0);

/** How often a customer can try: bad swipes, wrong interfaces. Each try has the request's full time. */
const triesMax = 6;

/** Reads one card, as `read` of the terminal interface. */
export const read = async (reading: MpiReading): Promise<ReadOutcome> => {
  const { device, request, accept, notify } = reading;
  // Between sales a key may have been used up, or the device opened: then no card is requested.
  reading.keys = await device.need('keys', {});
  if (!reading.keys.ready) throw new Fault('terminal.unready', { why: 'it says that it is not ready' });
  if (!reading.keys.sred) throw new Fault('terminal.unready', { why: 'it has no key for card data' });
  if (reading.isCancelled()) return notRead('cancelledByTill');
  // A swipe made before this sale began is not a swipe for this sale.
  device.slot.takeSwipe();
  await device.reportCards(everything);
  if (isTyped(reading)) return readManual(reading);

  notify('presentCard');
  for (let tries = 0; tries < triesMax && !reading.isCancelled(); tries += 1) {
    await device.need('display', { text: promptTextFor(request, accept) });
    const outcome = await readOnce(reading);
    if (outcome !== 'again') return outcome;
  }
  return notRead(reading.isCancelled() ? 'cancelledByTill' : 'cardUnreadable');
};

/** One try. `again` when the customer was told what to do instead. */
const readOnce = async (reading: MpiReading): Promise<ReadOutcome | 'again'> => {
  const card = await awaitCard(reading);
  switch (card.by) {
    case 'tap':
      reading.notify('cardTapped');
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

// Handles a chip in the slot, up to its first cryptogram.

/** How long a chip may take to answer after its card was reported. */
const answersMs = 600;

/**
 * Waits for a chip when the device reports the card before the chip has answered. False when the card is gone again, as
 * after a swipe. A card whose chip never answers stays, and the device says what is allowed with it.
 */
const staysForChip = async (reading: MpiReading): Promise<boolean> => {
  const { device } = reading;
  const { slot } = device;
  if (!slot.present() || slot.hasChip()) return true;
  const isSettled = () => (slot.hasChip() || !slot.present() || reading.stopReason() !== undefined ? true : undefined);
  await device.waitUntil(isSettled, answersMs);
  return slot.present();
};

/** Runs the chip. `again` when the device allows the stripe after a technical failure. */
const readChip = async (reading: MpiReading): Promise<ReadOutcome | 'again'> => {
  const { device, notify, accept } = reading;
  notify('cardInserted');
  notify('reading');
  const { status, answer } = await reading.run('startContact', { ...reading.fields(), dfa204: '01', dfa203: '00' });
  if (answer !== undefined) return decide(reading, answer, 'ICC');
  if (reading.isCancelled()) return notRead('cancelledByTill');

  const { means } = statusRow(status);
  switch (means) {
    case 'cancelled':
      return notRead(device.slot.present() ? 'cancelledByCustomer' : 'cardRemoved');
    case 'timedOut':
      return notRead('timedOut');
    case 'gone':
      return notRead('cardRemoved');
    case 'broken':
      return notRead('cardUnreadable');
    case 'fallback':
    case 'unsupported':
      if (!accept.has('swipe')) return notRead(means === 'fallback' ? 'cardUnreadable' : 'cardUnsupported');
      return fallBackToStripe(reading);
    case 'ok':
    case 'refused':
    case 'notReady':
    case 'inserted':
    case 'swiped':
    case 'noTap':
      throw refusalFault('startContact', status);
  }
};

/** Fallback is for technical failures of a card that is present: removing it early must not lead to the stripe. */
const fallBackToStripe = (reading: MpiReading): ReadOutcome | 'again' => {
  const { slot } = reading.device;
  if (!slot.present()) return notRead('cardRemoved');
  reading.chipFailed = true;
  reading.triedInsertion = slot.insertionCount();
  reading.accept.delete('tap');
  reading.notify('useStripe');
  return 'again';
};

/** Takes a swipe. `again` when it was unreadable, or when the card has a chip that was not tried. */
const readStripe = async (reading: MpiReading, { tlvs }: CardNotice): Promise<ReadOutcome | 'again'> => {
  const track = maskedTrackOf(flattenTlvs(tlvs));
  const sred = sredOf(tlvs);
  if (track === undefined || sred.length === 0) {
    reading.notify('presentCard');
    return 'again';
  }
  return outcomeOfStripe(reading, {
    maskedPan: track.maskedPan,
    serviceCode: track.serviceCode,
    sred,
    chipFailed: reading.chipFailed,
    pinKey: reading.keys.pin,
    takePin: () => takePin(reading, { track, label: undefined }),
  });
};

// Manual card entry (D25A). The device shows a prompt of its own, chosen by its number, and encrypts what is typed.
// Source: the vendor's public SDK (JavaMpi-1-1i, getSecurePan).

/** The secure prompt for a card number, without options: the device's own text, without its status bar. */
const numberPrompt = { prompt: '00040000', options: '00' };

/** The longest wait that fits into two bytes of seconds. */
const secondsMax = 0xffff;

const readManual = async (reading: MpiReading): Promise<ReadOutcome> => {
  const { tools } = reading.device;
  const stopTimer = tools.clock.after(reading.request.withinMs, () => {
    reading.stop('timedOut').catch((error) => tools.report(error));
  });
  try {
    const seconds = Math.min(Math.ceil(reading.request.withinMs / 1_000), secondsMax);
    const { status, answer } = await reading.run('manualEntry', { ...numberPrompt, seconds });
    if (reading.isCancelled()) return notRead('cancelledByTill');
    if (answer !== undefined) {
      const card = withSred(cardDataOf(answer.tlvs, 'MANUAL'));
      return { kind: 'goOnline', card: { ...card, verification: 'signature' } };
    }
    const { means, says } = statusRow(status);
    if (means === 'timedOut' || reading.stopReason() === 'timedOut') return notRead('timedOut');
    if (means === 'cancelled') return notRead('cancelledByCustomer');
    if (means === 'notReady') throw new Fault('terminal.unready', { why: says });
    throw refusalFault('manualEntry', status);
  } finally {
    stopTimer();
  }
};
