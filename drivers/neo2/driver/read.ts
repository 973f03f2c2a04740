/** Reads one card: the reader waits for it on all interfaces at once, and the kind of card decides what follows. */
import { Fault } from '../../../src/base/fault.ts';
import type { EntryMode } from '../../../src/emv/entry-mode.ts';
import { isTyped, notRead, outcomeOfStripe, suggestOtherWay } from '../../reader-terminal.ts';
import type { ReadOutcome } from '../../terminal.ts';
import type { Neo2Result } from '../protocol/answers.ts';
import { cardDataOf, entryModeOf, maskedTrackOf, sredOf } from '../protocol/card-data.ts';
import { status, statusRow } from '../protocol/status.ts';
import { goOnline, outcomeOfDecision, readChip } from './chip.ts';
import { refusalFault } from './device.ts';
import { type CardReply, fallBackToStripe, meaningOf, type Neo2Reading, type StepMeaning, takePin } from './reading.ts';

/** How often a customer can try: bad swipes, wrong interfaces. Each try has the request's full time. */
const triesMax = 6;
/** The reader's own time limit fits in one byte of seconds. */
const timeoutMaxS = 255;
/** How long the reader may take for a card that arrived at the last moment. Afterwards it is silent. */
const lateCardMs = 20_000;
/** After this many failures of the chip its stripe is allowed, where the reader leaves that to its host. */
const failuresMax = 3;

/** ID TECH knowledge base, page 71504517. */
const notActivated =
  'it refuses to wait for a card (02-40, status 05), as a VP6800 does until its removal detection is activated: at ' +
  'its menu choose Removal Detection, Activate Removal';

/** Reads one card, as `read` of the terminal interface. */
export const read = async (reading: Neo2Reading): Promise<ReadOutcome> => {
  if (reading.isCancelled()) return notRead('cancelledByTill');
  if (isTyped(reading)) return readManual(reading);
  reading.notify('presentCard');
  for (let tries = 0; tries < triesMax && !reading.isCancelled(); tries += 1) {
    const outcome = await decide(reading, await awaitCard(reading));
    if (outcome !== 'again') return outcome;
  }
  return notRead(reading.isCancelled() ? 'cancelledByTill' : 'cardUnreadable');
};

/** What the customer presents within the request's time, which the reader keeps. Throws a Fault of link or device. */
const awaitCard = async (reading: Neo2Reading): Promise<CardReply> => {
  const { clock } = reading.device.tools;
  const endsAt = clock.monotonic() + reading.request.withinMs;
  for (;;) {
    const leftMs = Math.max(endsAt - clock.monotonic(), 1_000);
    const timeoutS = Math.min(Math.ceil(leftMs / 1_000), timeoutMaxS);
    const reply = await reading.run('activate', { timeoutS, ...reading.fields() }, timeoutS * 1_000 + lateCardMs);
    // Only a wait that is longer than the reader can count is continued.
    const continues =
      timeoutS === timeoutMaxS && meaningOf(reply) === 'timedOut' && endsAt - clock.monotonic() >= 1_000;
    if (!continues || reading.isCancelled()) return reply;
  }
};

const decided: ReadonlySet<StepMeaning> = new Set(['approved', 'declined']);
/** Endings with which the sale would go to the host or be cleared. */
const leadsOn: ReadonlySet<StepMeaning> = new Set(['next', 'online', 'approved', 'stripe', 'fallback']);

const decide = async (reading: Neo2Reading, reply: CardReply): Promise<ReadOutcome | 'again'> => {
  const means = meaningOf(reply);
  reading.open = means === 'next' || means === 'online';
  // A decision that the card made before it was stopped stays.
  if (reading.isCancelled() && !decided.has(means)) return reading.giveUp('cancelledByTill');
  const { answer } = reply;
  if (answer !== undefined && leadsOn.has(means)) reading.refuseForeign(answer);
  if (answer !== undefined && (means === 'online' || means === 'approved' || means === 'declined')) {
    return outcomeOfCard(reading, { means, answer, viaHost: reply.status !== 0 });
  }
  switch (means) {
    case 'next':
      return readChip(reading);
    case 'stripe':
    case 'fallback':
      if (answer === undefined) return 'again';
      return readStripe(reading, answer, means);
    case 'timedOut':
      return notRead('timedOut');
    case 'cancelled':
      return notRead('cancelledByCustomer');
    case 'gone':
      return notRead('cardRemoved');
    case 'referred':
      return notRead('cardUnsupported');
    case 'notAccepted':
      return isTap(answer) ? retryOtherInterface(reading) : notRead('cardUnsupported');
    case 'twoCards':
    case 'tapAgain':
    case 'stripeFailed':
      reading.notify('presentCard');
      return 'again';
    case 'otherWay':
      return retryOtherInterface(reading);
    case 'chipFailed':
      return retryAfterFailure(reading);
    case 'refused':
      if (reply.status === status.badParameter) throw new Fault('terminal.unready', { why: notActivated });
      throw refusalFault('activate', reply.status);
    case 'keyless':
      throw reading.noteMissingKey(reply.status);
    case 'tampered':
    case 'unreachable':
    case 'approvedAlone':
    case 'online':
    case 'approved':
    case 'declined':
      throw refusalFault('activate', reply.status);
  }
};

const isTap = (answer: Neo2Result | undefined): boolean =>
  answer !== undefined && (entryModeOf(answer) ?? '').startsWith('NFC');

/** A card that was read completely in one step: a tap, or a chip of a reader that combines both steps. */
const outcomeOfCard = (
  reading: Neo2Reading,
  { means, answer, viaHost }: { means: 'online' | 'approved' | 'declined'; answer: Neo2Result; viaHost: boolean },
): Promise<ReadOutcome> | Promise<ReadOutcome | 'again'> => {
  const mode = entryModeOf(answer) ?? 'NFC_ICC';
  if (mode === 'ICC') return outcomeOfDecision(reading, means, answer);
  if (mode === 'MAGSTRIPE' || mode === 'MAGSTRIPE_AS_FALLBACK') {
    return readStripe(reading, answer, mode === 'MAGSTRIPE' ? 'stripe' : 'fallback');
  }
  return outcomeOfTap(reading, { means, answer, mode, viaHost });
};

/** The card needs an interface other than the tap. */
const retryOtherInterface = (reading: Neo2Reading): ReadOutcome | 'again' => {
  return suggestOtherWay(reading) ? 'again' : notRead('cardUnsupported');
};

/** The chip did not answer, and the reader ended there. */
const retryAfterFailure = (reading: Neo2Reading): ReadOutcome | 'again' => {
  reading.failures += 1;
  if (!reading.accept.has('swipe')) return notRead('cardUnreadable');
  if (reading.failures >= failuresMax) return fallBackToStripe(reading);
  reading.notify('presentCard');
  return 'again';
};

// Manual card entry (83-41). In the vendor's logs (github IDTSQATW/test_tree, KP008) its answer is a stripe block of
// its own kind (DFEE23), with a masked and an encrypted track 2; pairs of 5A are taken as well.

/** How long the reader may exceed the time it was given. */
const lateMs = 20_000;

const readManual = async (reading: Neo2Reading): Promise<ReadOutcome> => {
  reading.notify('presentCard');
  const reply = await awaitTypedCard(reading);
  if (reading.isCancelled()) return notRead('cancelledByTill');
  const means = meaningOf(reply);
  if (means === 'timedOut') return notRead('timedOut');
  if (means === 'cancelled') return notRead('cancelledByCustomer');
  if (means === 'keyless') throw reading.noteMissingKey(reply.status);
  if (reply.status !== 0 || reply.answer === undefined) throw refusalFault('manual', reply.status);
  reading.refuseForeign(reply.answer);
  const card = reading.withSred(cardDataOf(reply.answer, 'MANUAL'));
  return { kind: 'goOnline', card: { ...card, verification: 'signature' } };
};

/** Sent under the header that most readers accept, and if refused under the one that the guide prints. */
const awaitTypedCard = async (reading: Neo2Reading): Promise<CardReply> => {
  const { withinMs } = reading.request;
  const ask = { timeoutS: Math.min(Math.ceil(withinMs / 1_000), 0xffff), flags: 0 };
  const reply = await reading.run('manual', ask, withinMs + lateMs);
  const isUnknown = reply.status === status.badHeader || statusRow(reply.status).means === 'unsupported';
  return isUnknown ? reading.run('manualUnderV3', ask, withinMs + lateMs) : reply;
};

/** A tap: the reader has read it completely, and the card has left. */
type TapResult = {
  means: 'online' | 'approved' | 'declined';
  answer: Neo2Result;
  mode: EntryMode;
  /** The reader waits for the host's answer (status 23). */
  viaHost: boolean;
};

const outcomeOfTap = async (
  reading: Neo2Reading,
  { means, answer, mode, viaHost }: TapResult,
): Promise<ReadOutcome> => {
  reading.notify('cardTapped');
  const card = cardDataOf(answer, mode);
  reading.open = means === 'online' && viaHost;
  if (means === 'declined') return { kind: 'declinedOffline', card };
  if (means === 'approved') return { kind: 'approvedOffline', card: reading.withSred(card) };
  return goOnline(reading, reading.withSred(card));
};

/**
 * Takes a swipe. `fallback`: the reader reports that the chip failed first (DFEE25 0007, 9F39 80). `again` when the
 * swipe was unreadable, or when the card has a chip that was not tried.
 */
const readStripe = async (
  reading: Neo2Reading,
  { tlvs }: Neo2Result,
  by: 'stripe' | 'fallback',
): Promise<ReadOutcome | 'again'> => {
  const track = maskedTrackOf(tlvs);
  const sred = sredOf(tlvs);
  if (by === 'fallback' && !reading.accept.has('swipe')) return notRead('cardUnreadable');
  if (track !== undefined && sred.length === 0) reading.withSred({ sred });
  if (track === undefined) {
    if (by === 'fallback') return fallBackToStripe(reading);
    reading.notify('presentCard');
    return 'again';
  }
  return outcomeOfStripe(reading, {
    maskedPan: track.maskedPan,
    serviceCode: track.serviceCode,
    sred,
    chipFailed: by === 'fallback' || reading.chipFailed,
    pinKey: reading.pinKey,
    takePin: () => takePin(reading),
  });
};
