/**
 * The simulated terminal's own pretend issuer: it approves or declines by the card's profile and the amount. Nothing
 * is asked of anybody, and no money moves.
 */
import type { EntryMode } from '../../src/emv/entry-mode.ts';
import type { Presentation } from '../simulation/simulator.ts';
import type { Memory } from './simulator-memory.ts';

/** How the card came in, or the result code with which it did not. */
export type CardRead = { entryMode: EntryMode } | { code: string };

/** What the reader makes of the card: chip, tap, and the stripe only of a card without a chip that can be read. */
export const readCard = ({ card, by, pullsCardAt }: Presentation): CardRead => {
  if (pullsCardAt === 'read') return { code: '64' };
  if (by === 'manual') return { code: 'C5' };
  if (by === 'chip') return card.chip === 'good' ? { entryMode: 'ICC' } : { code: card.chip === 'none' ? '65' : '72' };
  if (by === 'tap') return card.contactless === 'none' ? { code: '65' } : { entryMode: 'NFC_ICC' };
  return card.chip === 'good' ? { code: '7C' } : { entryMode: 'MAGSTRIPE' };
};

/** Tag 1F10: how this card verifies its holder. Taps here go without. */
export const verificationOf = ({ card }: Presentation, entryMode: EntryMode): string => {
  if (entryMode === 'NFC_ICC') return '00';
  const [first = 'noCvm'] = card.cvms;
  return { onlinePin: '02', offlinePin: '03', signature: '01', noCvm: '00' }[first];
};

export type Question = { presentation: Presentation; verification: string; amountMinor: bigint; at: number };

/** The issuer's result code: 00, or why not. In order: account, expiry, PIN, money, then the chip's own last word. */
export const decide = (memory: Memory, { presentation, verification, amountMinor, at }: Question): string => {
  const { card, pin, pullsCardAt } = presentation;
  const wantsPin = verification === '02' || verification === '03';
  if (card.account !== 'open') return { lost: '41', stolen: '43', restricted: '62' }[card.account];
  if (isExpired(card.expiry, at)) return '78';
  if (wantsPin && pin !== undefined && pin !== card.pin) return '55';
  if ((memory.spent.get(card.pan) ?? 0n) + amountMinor > card.availableMinor) return '51';
  const refuses = pullsCardAt === 'complete' || (card.secondCryptogram === 'refuses' && presentation.by === 'chip');
  return refuses ? '72' : '00';
};

/** YYMM: good to the end of its month. */
const isExpired = (expiry: string, at: number): boolean =>
  at >= Date.UTC(2000 + Number(expiry.slice(0, 2)), Number(expiry.slice(2)), 1);
