/** The device's first decision about a chip or a tap: ask the issuer, or the card has already said yes or no. */
import { Fault } from '../../../src/base/fault.ts';
import type { EntryMode } from '../../../src/emv/entry-mode.ts';
import type { CardData, ReadOutcome } from '../../terminal.ts';
import { cardDataOf, flat, maskedTrackOf } from '../protocol/card-data.ts';
import type { MpiDecision } from '../protocol/commands.ts';
import { takePin } from './pin.ts';
import { type MpiReading, notRead } from './reading.ts';

/** Templates of the vendor: E3 approved, E4 go online, E5 declined. Throws `terminal.refused` for any other. */
export const decide = async (reading: MpiReading, decision: MpiDecision, mode: EntryMode): Promise<ReadOutcome> => {
  const card = cardDataOf(decision.tlvs, mode);
  const { template } = decision;
  // A card that gave an AAC has refused, whatever the template says.
  if (template === 'E5' || card.cryptogram?.kind === 'AAC') return { kind: 'declinedOffline', card };
  if (template === 'E3') return { kind: 'approvedOffline', card: withSred(card) };
  if (template !== 'E4') {
    throw new Fault('terminal.refused', {
      command: 'the card',
      status: template,
      why: 'its answer is of no known kind',
    });
  }
  if (reading.cancelled()) return reading.abandon('cancelledByTill');
  return online(reading, withSred(card), decision);
};

/** The issuer is to be asked; first the customer for the PIN if the card wants one checked online. */
const online = async (reading: MpiReading, card: CardData, { tlvs }: MpiDecision): Promise<ReadOutcome> => {
  if (card.verification !== 'onlinePin') return { kind: 'goOnline', card };
  const pin = await takePin(reading, { track: maskedTrackOf(flat(tlvs)), label: card.label });
  if ('why' in pin) return card.entryMode === 'ICC' ? reading.abandon(pin.why) : notRead(pin.why);
  return { kind: 'goOnline', card: { ...card, pin } };
};

/** Without encrypted account data no host can be asked and nothing cleared. */
export const withSred = (card: CardData): CardData => {
  if (card.sred.length === 0) throw new Fault('terminal.unready', { why: 'it gave no encrypted card data' });
  return card;
};
