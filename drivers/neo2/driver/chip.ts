/**
 * A chip in the slot up to its first cryptogram, and the host's answer for its second, or for the reader after a tap.
 */
import { Fault } from '../../../src/base/fault.ts';
import type { Tlv } from '../../../src/emv/tlv.ts';
import { chipResults, issuerList } from '../../card-facts.ts';
import { notRead, takeEntered } from '../../reader-terminal.ts';
import type { CardData, ChipVerdict, HostVerdict, ReadOutcome } from '../../terminal.ts';
import type { Neo2Result } from '../protocol/answers.ts';
import { cardDataOf, clearIn, printHarmless } from '../protocol/card-data.ts';
import type { Neo2Ask } from '../protocol/commands.ts';
import { encodeNeo2Tlv, type Neo2Tlv, neo2Tlv } from '../protocol/tlv.ts';
import { type Neo2Device, refusalFault } from './device.ts';
import { fallBackToStripe, meaningOf, type Neo2Reading, nextCommandS, takePin } from './reading.ts';

/** A reader without keys asks its host for the PIN from a paired PIN pad (61-02), which no till has. */
const noPinPadHere =
  'it asks the till for the PIN, and the till has no PIN pad; whoever supplied it has to take the PIN out of its ' +
  'terminal capabilities (9F33)';

/** Runs the chip that the reader has started. `again` when the stripe is allowed after a technical failure. */
export const readChip = async (reading: Neo2Reading): Promise<ReadOutcome | 'again'> => {
  reading.chipRan = true;
  reading.notify('cardInserted');
  reading.notify('reading');
  const reply = await reading.run('authenticate', { forceOnline: 0, timeoutS: nextCommandS });
  const means = meaningOf(reply);
  const decided = means === 'approved' || means === 'declined';
  if (reading.isCancelled() && !decided) return reading.giveUp('cancelledByTill');
  reading.open = means === 'online';
  const { answer } = reply;
  if (answer !== undefined && (means === 'online' || decided)) {
    return outcomeOfDecision(reading, means, answer);
  }
  switch (means) {
    case 'timedOut':
      return notRead('timedOut');
    case 'cancelled':
      if (reading.pinAsked) throw new Fault('terminal.unready', { why: noPinPadHere });
      return notRead('cancelledByCustomer');
    case 'gone':
      return notRead('cardRemoved');
    case 'fallback':
      return reading.accept.has('swipe') ? fallBackToStripe(reading) : notRead('cardUnreadable');
    case 'referred':
    case 'notAccepted':
      return notRead('cardUnsupported');
    case 'chipFailed':
      // The chip answered before and does not now: it may have been removed, so the stripe stays forbidden.
      return notRead('cardUnreadable');
    case 'keyless':
      throw reading.noteMissingKey(reply.status);
    default:
      throw refusalFault('authenticate', reply.status);
  }
};

/** The first decision about a chip: ask the issuer, or accept the card's own approval or decline. */
export const outcomeOfDecision = async (
  reading: Neo2Reading,
  means: 'online' | 'approved' | 'declined',
  answer: Neo2Result,
): Promise<ReadOutcome> => {
  const card = cardDataOf(answer, 'ICC');
  if (means === 'declined') return { kind: 'declinedOffline', card };
  reading.refuseForeign(answer);
  if (means === 'approved') return { kind: 'approvedOffline', card: reading.withSred(card) };
  return goOnline(reading, reading.withSred(card));
};

/** The issuer must be asked; first the customer for the PIN, if the card needs one that the reader has not taken. */
export const goOnline = async (reading: Neo2Reading, card: CardData): Promise<ReadOutcome> => {
  if (card.verification !== 'onlinePin') return { kind: 'goOnline', card };
  const pin = card.pin === undefined ? await takePin(reading) : takeEntered(reading, card.pin);
  return 'why' in pin ? reading.giveUp(pin.why) : { kind: 'goOnline', card: { ...card, pin } };
};

// The host's answer: for the chip's second cryptogram (EMV Book 3, 10.9 to 10.11), or for the reader after a tap.

/** The most issuer data beside the answer code: far more than EMV scripts need. */
const issuerBytesMax = 1_024;

/** Asks the chip for its final decision. Anything but a clear answer counts as a card that was removed. */
export const completeChip = async (device: Neo2Device, verdict: HostVerdict): Promise<ChipVerdict> => {
  const reply = device.ownWord ?? (await device.ask('finish', hostAnswer(device, verdict)));
  const means = meaningOf(reply);
  const results = chipResults(clearIn(reply.answer?.tlvs ?? []));
  const kind = results.cryptogram?.kind;
  const icc = printHarmless(reply.answer?.tlvs ?? []) ?? '';
  if (means === 'declined' || kind === 'AAC') return { kind: 'declined', icc, ...results };
  const isApproved = means === 'approved' && kind !== 'ARQC';
  // If the chip decided without the host's answer, its approval counts unless the host declined.
  const isAlone = (means === 'unreachable' || means === 'approvedAlone') && verdict.kind !== 'declined';
  if (isApproved || (isAlone && kind === 'TC')) return { kind: 'approved', icc, ...results };
  device.tools.report(refusalFault('finish', reply.status));
  return { kind: 'gone' };
};

/** Reports the host's answer for a tap that is over (03-03); the reader shows it to the customer. */
export const completeTap = async (device: Neo2Device, verdict: HostVerdict): Promise<ChipVerdict> => {
  const { status } = await device.ask('tapResult', { refused: verdict.kind === 'approved' ? 0 : 1, tlvs: [] });
  // The host's decision stands, whatever the reader does with it.
  if (status !== 0) device.tools.report(refusalFault('tapResult', status));
  return { kind: 'none' };
};

/** If the host could not be reached nothing else is sent: the reader knows by itself what to tell the chip. */
const hostAnswer = (device: Neo2Device, verdict: HostVerdict): Neo2Ask<'finish'> =>
  verdict.kind === 'unableToGoOnline'
    ? { hostAnswered: 0, tlvs: [] }
    : { hostAnswered: 1, tlvs: issuerTlvs(device, verdict) };

/** Tags 8A, 91, 71 and 72 of the verdict, as many as fit. */
const issuerTlvs = (device: Neo2Device, verdict: HostVerdict): Neo2Tlv[] => {
  const fits = (list: readonly Tlv[]) => encodeNeo2Tlv(list.map(asNeo2Tlv)).length <= issuerBytesMax;
  const report = (fault: Fault) => device.tools.report(fault);
  return issuerList(verdict, { unable: 'Y3', fits, report }).map(asNeo2Tlv);
};

const asNeo2Tlv = ({ tag, value }: Tlv): Neo2Tlv => neo2Tlv(tag, value);
