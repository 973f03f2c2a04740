/** The answers of the simulated MPI device: the tags of captured units, with account data only masked or encrypted. */
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';
import type { TestCard } from '../../../src/emv/test-cards.ts';
import { encodeTlv, type Tlv, tlv } from '../../../src/emv/tlv.ts';
import { tlvText } from '../../codec.ts';
import { maskTrack2, stripeOf, track2Check } from '../../simulation/card-profile.ts';
import type { CryptogramKind } from '../../simulation/chip.ts';
import type { Ciphertext, KeySlots } from '../../simulation/key-slots.ts';
import { elementOf, pick, type Transaction } from '../../simulation/transaction.ts';
import type { MpiDecision } from '../protocol/commands.ts';
import { type CardNotice, encodeNotice } from '../protocol/notices.ts';

/** The tags in the order of a captured contact answer. */
const contactTags =
  `50 5F24 5F28 5F2A 5F30 5F34 82 84 95 9A 9B 9C 9F02 9F03 9F06 9F09 9F10 9F1A 9F1E 9F21 9F26 9F27 9F33 9F34
  9F35 9F36 9F37 9F41`.split(/\s+/);

/** The tags in the order of a captured tap, with 9F34 and 9F39 added. */
const tapTags = `50 5F2A 5F34 82 84 95 9A 9C 9F02 9F03 9F06 9F09 9F10 9F1A 9F1E 9F21 9F26 9F27 9F33 9F34 9F35 9F36 9F37
  9F39 9F41`.split(/\s+/);

const stripeTapTags = '50 5F2A 84 9A 9C 9F02 9F06 9F1A 9F1E 9F21 9F33 9F35 9F39 9F41'.split(' ');

/** The tags of the answer after the second cryptogram. */
const finalTags = '82 84 8A 95 9A 9B 9C 9F02 9F03 9F10 9F1A 9F26 9F27 9F34 9F36 9F37 9F41 9F5B'.split(' ');

const templates: Readonly<Record<CryptogramKind, string>> = { ARQC: 'E4', TC: 'E3', AAC: 'E5' };

const sealedTlvs = ({ data, ksn }: Ciphertext): Tlv[] => [tlv('DFAE02', data), tlv('DFAE03', ksn)];

/** Hides all digits except the first six and last four with F nibbles, as the captured units do. */
const maskedNumber = (pan: string): string => `${pan.slice(0, 6)}${'F'.repeat(pan.length - 10)}${pan.slice(-4)}`;

/** DFAE57: nothing after the separator is hidden, as captured. A receiver must not pass it on. */
const maskedTag57 = (tag57: Uint8Array, pan: string): string => toHex(tag57).replace(pan, maskedNumber(pan));

const evenF = (digits: string): string => (digits.length % 2 === 0 ? digits : `${digits}F`);

const accountTlvs = (transaction: Transaction): Tlv[] => {
  const { pan } = transaction.card.facts;
  const track = elementOf(transaction, '57') ?? new Uint8Array(0);
  return [tlv('DFAE57', maskedTag57(track, pan)), tlv('DFAE5A', evenF(maskedNumber(pan)))];
};

/** The plain text before encryption: the whole TLV of track 2. */
const track57 = (transaction: Transaction, tag = '57'): Uint8Array =>
  encodeTlv([tlv(tag, elementOf(transaction, '57') ?? new Uint8Array(0))]);

/** DED1: E4 go online, E3 approved, E5 declined. */
export const contactAnswer = (transaction: Transaction, kind: CryptogramKind, keys: KeySlots): MpiDecision => ({
  template: templates[kind],
  tlvs: [
    ...pick(transaction, contactTags),
    ...accountTlvs(transaction),
    ...sealedTlvs(keys.sealData(track57(transaction))),
  ],
});

/** DED2, after the second cryptogram. */
export const finalAnswer = (transaction: Transaction, kind: CryptogramKind): MpiDecision => ({
  template: templates[kind],
  tlvs: pick(transaction, finalTags),
});

/** DF30: kernel number, then 01 chip data or 02 stripe data. */
const kernelNumbers: Readonly<Record<string, string>> = { MASTER: '02', VISA: '03' };

/** DF28: what the tap asks of the customer, in the terms of EMVCo's contactless outcome parameters. */
const tapVerified = (transaction: Transaction): string => {
  const code = toHex(elementOf(transaction, '9F34') ?? new Uint8Array(0)).slice(0, 2);
  return code === '42' ? '20' : code === '1E' ? '10' : '00';
};

/**
 * DEC1: two pairs of the same plain text under consecutive serial numbers, as captured. `asTapped`: the masked track is
 * in a tag of its own, and a contactless stripe card's encrypted track is 9F6B.
 */
export const tapAnswer = (transaction: Transaction, keys: KeySlots, o: { asTapped: boolean }): MpiDecision => {
  const kernel = kernelNumbers[transaction.card.facts.brand] ?? '00';
  const chip = elementOf(transaction, '9F26') !== undefined;
  const [track] = accountTlvs(transaction);
  const masked = track && (o.asTapped ? tlv('DFAE6B', track.value) : track);
  const plain = track57(transaction, o.asTapped && !chip ? '9F6B' : '57');
  return {
    template: 'E4',
    tlvs: [
      ...pick(transaction, chip ? tapTags : stripeTapTags),
      tlv('DF28', tapVerified(transaction)),
      tlv('DF30', `${kernel}${chip ? '01' : '02'}`),
      ...sealedTlvs(keys.sealData(plain)),
      ...(masked === undefined ? [] : [masked]),
      ...sealedTlvs(keys.sealData(plain)),
    ],
  };
};

/** Whether a card is in the slot, and whether it answered as a chip. */
export type SlotState = { present: boolean; chip: boolean };

/** The answer to reset that is reported for a chip in the slot. */
const answerToReset = fromHex('3B6500002063CB6800');

/**
 * The notice of what is in the slot. Tag 63 looks like a template and holds the answer to reset itself, so that a
 * strict TLV reader fails on it; the vendor's SDK takes its value as it is.
 */
export const slotNotice = (slot: SlotState, o: { withAnswerToReset: boolean }): Uint8Array => {
  const plain = encodeNotice({ kind: 'card', ...slot, swiped: false, tracks: [], tlvs: [] });
  if (!slot.chip || !o.withAnswerToReset) return plain;
  const state = encodeTlv([tlv('48', Uint8Array.of(0x03, 0x00))]);
  const content = concat(state, Uint8Array.of(0x63, answerToReset.length), answerToReset);
  return concat(Uint8Array.of(0xe1, content.length), content, fromHex('9000'));
};

/**
 * The notice of a swipe. Encrypted: 5F21 with track 1 and its sentinels, then 5F22 with track 2, its sentinels and its
 * check character, as in a public capture.
 */
export const swipeNotice = (card: TestCard, keys: KeySlots, slot: SlotState): CardNotice => {
  const { track1, track2 } = stripeOf(card);
  const plain = encodeTlv([tlv('5F21', tlvText(track1)), tlv('5F22', tlvText(track2 + track2Check(track2)))]);
  return {
    kind: 'card',
    ...slot,
    swiped: true,
    tracks: [1, 2],
    tlvs: [...sealedTlvs(keys.sealData(plain)), tlv('DFAE22', tlvText(maskedTrackOf(card)))],
  };
};

/** DFAE22: the masked track, with a star for its check character. */
export const maskedTrackOf = (card: TestCard): string => `${maskTrack2(stripeOf(card).track2)}*`;

/** D25A: the typed number, masked as text and encrypted as 5A; with `withExpiry` followed by its expiry as 5F24. */
export const manualAnswer = (card: TestCard, keys: KeySlots, o: { withExpiry: boolean }): MpiDecision => {
  const number = tlv('5A', evenF(card.pan));
  const plain = encodeTlv(o.withExpiry ? [number, tlv('5F24', `${card.expiry}31`)] : [number]);
  const masked = maskedNumber(card.pan).replaceAll('F', '*');
  return { template: 'E1', tlvs: [tlv('DFA208', tlvText(masked)), ...sealedTlvs(keys.sealData(plain))] };
};
