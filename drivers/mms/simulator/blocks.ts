/**
 * The data blocks that the simulated MMS device sends: containers FC encrypted under its account data key, tracks and
 * PIN inside under serial numbers of their own, and a MAC over the whole block.
 */
import { aesKsnAdvance } from '../../../src/emv/dukpt-aes.ts';
import { tdesKsnAdvance } from '../../../src/emv/dukpt-tdes.ts';
import type { TestCard } from '../../../src/emv/test-cards.ts';
import { encodeTlv, type Tlv, tlv } from '../../../src/emv/tlv.ts';
import { tlvText } from '../../codec.ts';
import { stripeOf } from '../../simulation/card-profile.ts';
import type { Ciphertext, KeySlots } from '../../simulation/key-slots.ts';
import { pick, type Transaction } from '../../simulation/transaction.ts';
import { cardTypes, encodeBlock, sealedTlv } from '../protocol/card-data.ts';
import type { MmsDialectPredicate } from '../protocol/dialects.ts';

/** The tags in the order of a public ARQC container. */
const arqcTags =
  `4F 50 57 5A 5F34 82 84 95 9A 9C 5F2A 5F24 9F02 9F03 9F09 9F10 9F1A 9F1E 9F21 9F26 9F27 9F33 9F34 9F35 9F36
  9F37 9F39 9F40 9F41`.split(/\s+/);

/** The tags in the order of a public batch container. */
const batchTags =
  `82 8E 5F24 5F25 9F06 9F07 9F0D 9F0E 9F0F 9F10 9F26 9F27 9F36 95 9B 9C 9F33 9F34 9F37 9F40 9F5B 8A 5A 5F34
  9F02 9F1A 5F2A 9A 57`.split(/\s+/);

/** Clear merchant data of a batch. */
const clearTags = '5F25 5F24 5F2A 9F02 9F06 9F39 9C 9F34 5F34 5F20'.split(' ');

/** Encryption type: bit 8 DUKPT, bits 6-5 the cipher; low nibble 0 data, 1 PIN, 2 MAC. */
const ciphers = { tdesDukpt: 0x80, aes128Dukpt: 0x90, aes256Dukpt: 0xa0 } as const;

/** Tag DFDF25: text and a closing zero. */
const encodeSerial = (serial: string): Uint8Array => tlvText(serial.slice(0, 7).padEnd(8, '\0'));

/** Template F8 around the encrypted container. Throws `key.exhausted`. */
const sealContainer = (keys: KeySlots, container: readonly Tlv[]): Tlv => {
  const plain = encodeTlv([tlv('FC', container)]);
  const { data, ksn } = keys.sealData(plain);
  return sealedTlv({ data, ksn, type: ciphers[keys.scheme], filling: data.length - plain.length });
};

export type BlockContext = { keys: KeySlots; serial: string; isDialect: MmsDialectPredicate };

/** The bytes of padding in the block of the manual's table 7.16. */
const printedFilling = 3;

/** A block with its MAC. The serial number of the MAC key is part of the block, so it must be known first. */
const finish = ({ keys, serial, isDialect }: BlockContext, body: readonly Tlv[]): Uint8Array => {
  const isBare = isDialect('block-as-printed');
  const last = keys.states().mac.ksn;
  const next = keys.scheme === 'tdesDukpt' ? tdesKsnAdvance(last) : aesKsnAdvance(last);
  return encodeBlock({
    serial: encodeSerial(serial),
    macKsn: next ?? last,
    macType: ciphers[keys.scheme] | 2,
    body,
    // A device whose MAC key is exhausted sends zeros.
    mac: (message) => (next === undefined || isBare ? new Uint8Array(4) : keys.mac(message).mac),
    filling: isBare ? printedFilling : undefined,
  });
};

/** Track 2 as the device shows it: account hidden by zeros, expiry and service code readable. */
const maskedTrack = (card: TestCard, isDialect: MmsDialectPredicate): Uint8Array => {
  const { track2 } = stripeOf(card);
  const zeroFill = (hidden: string) => '0'.repeat(hidden.length);
  const number = isDialect('masks-four') ? /(?<=^;\d{4})\d+(?=\d{4}=)/ : /(?<=^;\d{6})\d+(?=\d{4}=)/;
  return tlvText(track2.replace(number, zeroFill).replace(/(?<==\d{7})\d*(?=\?$)/, zeroFill));
};

const headTlvs = (o: { fallback: number; type: number; track: Tlv }): Tlv[] => [
  tlv('DFDF53', Uint8Array.of(o.fallback)),
  o.track,
  tlv('DFDF52', Uint8Array.of(o.type)),
];

/** Template F5: the encrypted PIN block and its key. */
const pinTlv = (keys: KeySlots, { data, ksn }: Ciphertext): Tlv =>
  tlv('F5', [
    tlv('DF71', '00'),
    tlv('99', data),
    tlv('DFDF41', ksn),
    tlv('DFDF42', Uint8Array.of(ciphers[keys.scheme] | 1)),
  ]);

const hasCryptogram = ({ values }: Transaction): boolean => values.has('9F26');

/** The block with which a chip or a tap asks for the host. Throws `key.exhausted`. */
export const chipArqc = (
  blockContext: BlockContext,
  transaction: Transaction,
  pin: Ciphertext | undefined,
): Uint8Array => {
  const { keys } = blockContext;
  const tap = hasCryptogram(transaction) ? cardTypes.tap : cardTypes.tapStripe;
  const type = transaction.via === 'chip' ? cardTypes.chip : tap;
  const container = [...pick(transaction, arqcTags), ...(pin === undefined ? [] : [pinTlv(keys, pin)])];
  const track = tlv('DFDF4D', maskedTrack(transaction.card.facts, blockContext.isDialect));
  return finish(blockContext, [tlv('70', [...headTlvs({ fallback: 0, type, track }), sealContainer(keys, container)])]);
};

export type StripeSale = { type: number; fallback: number; sale: readonly Tlv[]; typed: boolean };

/** The tracks of the stripe, or those that the device builds from a typed number. */
const tracksOf = (card: TestCard, typed: boolean): { track1: string; track2: string } =>
  typed
    ? { track1: `%B${card.pan}^MANUAL ENTRY/^${card.expiry}000?`, track2: `;${card.pan}=${card.expiry}000?` }
    : stripeOf(card);

/** Template F4: the tracks under a serial number of their own; status 00 read, 01 none. */
const stripeTlv = (keys: KeySlots, card: TestCard, typed: boolean): Tlv => {
  const { track1, track2 } = tracksOf(card, typed);
  const { data, ksn } = keys.sealAll([tlvText(track1), tlvText(track2)]);
  const [first = new Uint8Array(0), second = new Uint8Array(0)] = data;
  return tlv('F4', [
    tlv('DFDF36', '00'),
    tlv('DFDF37', first),
    tlv('DFDF38', '00'),
    tlv('DFDF39', second),
    tlv('DFDF3A', '01'),
    tlv('DFDF50', ksn),
    tlv('DFDF51', Uint8Array.of(ciphers[keys.scheme])),
  ]);
};

/** The block of a swipe or a typed number. Throws `key.exhausted`. */
export const stripeArqc = (
  blockContext: BlockContext,
  card: TestCard,
  { type, fallback, sale, typed }: StripeSale,
): Uint8Array => {
  const { keys } = blockContext;
  const container = [...sale, stripeTlv(keys, card, typed)];
  const track = tlv('DFDF33', maskedTrack(card, blockContext.isDialect));
  return finish(blockContext, [tlv('70', [...headTlvs({ fallback, type, track }), sealContainer(keys, container)])]);
};

const decisionTlv = (decision: 'accepted' | 'declined'): Tlv =>
  tlv('F1', [tlv('DFDF1A', decision === 'accepted' ? '00' : '01')]);

/** The result of a chip or a tap. Throws `key.exhausted`. */
export const chipBatch = (
  blockContext: BlockContext,
  transaction: Transaction,
  decision: 'accepted' | 'declined',
): Uint8Array => {
  const { facts } = transaction.card;
  const container = [tlv('F2', pick(transaction, batchTags))];
  const clear = [
    tlv('DFDF40', '01'),
    ...pick(transaction, clearTags),
    tlv('DFDF4D', maskedTrack(facts, blockContext.isDialect)),
  ];
  return finish(blockContext, [
    tlv('F0', [decisionTlv(decision), sealContainer(blockContext.keys, container), tlv('F7', clear)]),
  ]);
};

/** The result of a stripe. Throws `key.exhausted`. */
export const stripeBatch = (
  blockContext: BlockContext,
  card: TestCard,
  { sale, decision }: { sale: readonly Tlv[]; decision: 'accepted' | 'declined' },
): Uint8Array => {
  const container = [tlv('F2', [...sale, tlv('5A', card.pan.length % 2 === 0 ? card.pan : `${card.pan}F`)])];
  const clear = [tlv('DFDF40', '01'), ...sale, tlv('DFDF4D', maskedTrack(card, blockContext.isDialect))];
  return finish(blockContext, [
    tlv('F0', [decisionTlv(decision), sealContainer(blockContext.keys, container), tlv('F7', clear)]),
  ]);
};
