/** The answers of the simulated NEO 2 reader: the tags of captured ones, account data masked and encrypted. */
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';
import type { TestCard } from '../../../src/emv/test-cards.ts';
import { encodeTlv, tlv } from '../../../src/emv/tlv.ts';
import { tlvText } from '../../codec.ts';
import { stripeOf } from '../../simulation/card-profile.ts';
import type { CryptogramKind } from '../../simulation/chip.ts';
import type { Cipher, Ciphertext, KeySlots } from '../../simulation/key-slots.ts';
import { elementOf, pick, type Transaction } from '../../simulation/transaction.ts';
import { attributionByte, type CardWay, type Neo2Result } from '../protocol/answers.ts';
import type { Neo2DialectPredicate } from '../protocol/dialects.ts';
import { encodeMsrBlock } from '../protocol/msr-block.ts';
import { result } from '../protocol/status.ts';
import { type Neo2Tlv, neo2Template, neo2Tlv } from '../protocol/tlv.ts';

/** The device's keys, the cipher it uses them with, and its dialects. */
export type Neo2Encryption = { keys: KeySlots; cipher: Cipher; isDialect: Neo2DialectPredicate };

/** The tags in the order of a captured contact answer. */
const chipTags =
  `82 9F36 9F26 9F27 8E 95 9F34 9F1E 9F0E 9F0F 9F10 9F33 9F35 9F37 9F02 9F03 5F34 5F28 9F1A 5F2A 9A 9F21 9C
  9F06 9F09 50 84 9B 9F41`.split(/\s+/);

/** The tags of the answer after the second cryptogram. */
const finalTags = '82 84 8A 95 9A 9B 9C 9F02 9F03 9F10 9F1A 9F26 9F27 9F34 9F36 9F37 9F41 9F5B'.split(' ');

/** First six and last four, C in between; captured readers show four and four, which depends on their settings. */
const maskPan = (pan: string, isDialect: Neo2DialectPredicate): string => {
  const shown = clearDigitsOf(isDialect);
  return `${pan.slice(0, shown)}${'C'.repeat(pan.length - shown - 4)}${pan.slice(-4)}`;
};

const clearDigitsOf = (isDialect: Neo2DialectPredicate): number =>
  isDialect('masks-four') || isDialect('masks-all') ? 4 : 6;

const evenF = (digits: string): string => (digits.length % 2 === 0 ? digits : `${digits}F`);

/** The expiry after the number stays readable, as captured. */
const maskedTag57 = (value: Uint8Array, pan: string, isDialect: Neo2DialectPredicate): string => {
  const [, rest = ''] = toHex(value).split('D');
  return `${maskPan(pan, isDialect)}D${rest.slice(0, 4)}${'C'.repeat(Math.max(rest.length - 4, 0))}`;
};

type Account = readonly { tag: string; value: Uint8Array | string; mask?: string }[];

/** The sensitive tags, each masked (A1) where it has a mask and encrypted (C1) as a whole TLV, under one key. */
const sealedTags = (account: Account, { keys, cipher, isDialect }: Neo2Encryption): Neo2Tlv[] => {
  if (isDialect('in-clear')) return account.map(({ tag, value }) => neo2Tlv(tag, value));
  const { data, ksn } = keys.sealAll(
    account.map(({ tag, value }) => encodeTlv([tlv(tag, value)])),
    cipher,
  );
  const pairs = account.flatMap(({ tag, mask }, index) => [
    ...(mask === undefined ? [] : [neo2Tlv(tag, mask, 'masked')]),
    neo2Tlv(tag, data[index] ?? new Uint8Array(0), 'encrypted'),
  ]);
  return [neo2Tlv('DFEE12', ksn), ...pairs];
};

const accountOf = (transaction: Transaction, { isDialect }: Neo2Encryption): Account => {
  const { pan, holder } = transaction.card.facts;
  const track = elementOf(transaction, '57') ?? new Uint8Array(0);
  return [
    { tag: '5A', value: evenF(pan), mask: evenF(maskPan(pan, isDialect)) },
    { tag: '57', value: track, mask: maskedTag57(track, pan, isDialect) },
    { tag: '5F20', value: tlvText(holder) },
  ];
};

/** FFEE01 with DFEE30: 00 tap, 01 contact, 0C swipe. */
const ways: Readonly<Record<CardWay, string>> = { contact: '01', tap: '00', tapStripe: '00', swipe: '0C' };

const closingTags = (way: CardWay, o: { entry: string; attribution: number }): Neo2Tlv[] => [
  neo2Tlv('DFEE26', Uint8Array.of(o.attribution, 0)),
  neo2Tlv('9F39', o.entry),
  neo2Template('FFEE01', [neo2Tlv('DFEE30', ways[way])]),
];

const resultCodeTlv = (value: string): Neo2Tlv => neo2Tlv('DFEE25', value);

/** 02-40 with a chip in the slot: authenticate next. */
export const startAnswer = (transaction: Transaction, sealing: Neo2Encryption): Neo2Result => {
  const attribution = contactAttribution(sealing);
  const data = sealing.isDialect('start-with-data') ? sealedTags(accountOf(transaction, sealing), sealing) : [];
  return {
    attribution,
    tlvs: [
      resultCodeTlv(result.started),
      ...data,
      neo2Tlv('FFEE1F', '00000000'),
      ...closingTags('contact', { entry: '05', attribution }),
    ],
  };
};

const firstCodes: Readonly<Record<CryptogramKind, string>> = {
  ARQC: result.online,
  TC: result.approvedOffline,
  AAC: result.declinedOffline,
};

/** Tag 99: the encrypted block, then its key serial number. */
const pinTag = ({ data, ksn }: Ciphertext): Neo2Tlv => neo2Tlv('99', concat(data, ksn));

/** 60-11, after the first cryptogram. */
export const chipAnswer = (
  transaction: Transaction,
  o: { kind: CryptogramKind; sealing: Neo2Encryption; pin: Ciphertext | undefined },
): Neo2Result => ({
  tlvs: [
    resultCodeTlv(firstCodes[o.kind]),
    ...sealedTags(accountOf(transaction, o.sealing), o.sealing),
    ...pick(transaction, chipTags),
    ...(o.pin === undefined ? [] : [pinTag(o.pin)]),
    ...closingTags('contact', { entry: '05', attribution: contactAttribution(o.sealing) }),
  ],
});

const contactAttribution = ({ cipher, isDialect }: Neo2Encryption): number =>
  attributionByte({ way: 'contact', cipher, encrypted: !isDialect('in-clear') });

/** 60-12, after the second cryptogram. */
export const finalAnswer = (transaction: Transaction, kind: CryptogramKind): Neo2Result => ({
  tlvs: [resultCodeTlv(kind === 'TC' ? result.approved : result.declined), ...pick(transaction, finalTags)],
});

/** 02-40 with a tap that wants to go online: all data at once. */
export const tapAnswer = (transaction: Transaction, sealing: Neo2Encryption): Neo2Result => {
  const chip = elementOf(transaction, '9F26') !== undefined;
  const way = chip ? 'tap' : 'tapStripe';
  const attribution = attributionByte({ way, cipher: sealing.cipher, encrypted: !sealing.isDialect('in-clear') });
  return {
    attribution,
    tlvs: [
      ...sealedTags(accountOf(transaction, sealing), sealing),
      neo2Tlv('FFEE1F', '00000000'),
      ...pick(
        transaction,
        chip ? chipTags.filter((tag) => tag !== '9B') : ['50', '84', '9A', '9C', '9F02', '9F06', '9F34', '5F2A'],
      ),
      ...closingTags(way, { entry: chip ? '07' : '91', attribution }),
    ],
  };
};

/** 02-40 or 60-10 when it ends without card data. */
export const emptyAnswer = (tlvs: readonly Neo2Tlv[], cipher: Cipher): Neo2Result => ({
  attribution: attributionByte({ way: 'contact', cipher, encrypted: false }),
  tlvs,
});

/** Track 1 or 2 as text with its first digits and last four; the rest after the number hidden or not. */
const maskText = (track: string, isDialect: Neo2DialectPredicate): string => {
  const [, open = '', pan = '', between = '', rest = ''] = /^(%B|;)(\d+)(\^[^^]*\^|=)(.*)$/.exec(track) ?? [];
  const shown = clearDigitsOf(isDialect);
  const number = `${pan.slice(0, shown)}${'*'.repeat(pan.length - shown - 4)}${pan.slice(-4)}`;
  // The service code of track 2 stays readable, so that a chip card can be sent to its chip.
  const left = isDialect('masks-all') ? 0 : open === ';' ? 7 : 4;
  return `${open}${number}${between}${rest.slice(0, left)}${rest.slice(left).replace(/\d/g, '*')}`;
};

/** 02-40 with a swipe: tracks as text with their sentinels, each encrypted separately under one key. */
export const swipeAnswer = (card: TestCard, sealing: Neo2Encryption, how: 'stripe' | 'fallback'): Neo2Result => {
  const { cipher, isDialect } = sealing;
  const { track1, track2 } = stripeOf(card);
  const attribution = attributionByte({ way: 'swipe', cipher, encrypted: !isDialect('in-clear') });
  return {
    attribution,
    tlvs: [
      resultCodeTlv(how === 'fallback' ? result.fallback : result.stripe),
      ...blockOf({ 1: track1, 2: track2 }, sealing, false),
      ...closingTags('swipe', { entry: how === 'fallback' ? '80' : '90', attribution }),
    ],
  };
};

/** As captured: the optional byte is zero, hashes are zeros, and the reader's serial number has ten characters. */
const extras = { optional: [0], hashed: true, serial: '17000001' } as const;

/** DFEE23 with these tracks, preceded by the key serial number where the block has none. */
const blockOf = (tracks: Readonly<Record<number, string>>, sealing: Neo2Encryption, typed: boolean): Neo2Tlv[] => {
  const { keys, cipher, isDialect } = sealing;
  const texts = Object.entries(tracks).map(([track, text]) => ({ track: Number(track) as 1 | 2 | 3, text }));
  const more = { typed, ...(isDialect('stripe-options') ? extras : {}) };
  if (isDialect('in-clear')) {
    const clear = texts.map(({ track, text }) => ({ track, masked: tlvText(text) }));
    return [neo2Tlv('DFEE23', encodeMsrBlock({ cipher, tracks: clear }, more))];
  }
  const { data, ksn } = keys.sealAll(
    texts.map(({ text }) => tlvText(text)),
    cipher,
  );
  // Stripe data has it only in the block (IDG p233), which has no room for twelve bytes.
  const isOutside = ksn.length !== 10 || isDialect('stripe-ksn-outside');
  const sealed = texts.map(({ track, text }, index) => ({
    track,
    masked: tlvText(maskText(text, isDialect)),
    encrypted: data[index] ?? new Uint8Array(0),
  }));
  const block = encodeMsrBlock({ cipher, tracks: sealed, ksn: isOutside ? undefined : ksn }, more);
  return [...(isOutside ? [neo2Tlv('DFEE12', ksn)] : []), neo2Tlv('DFEE23', block)];
};

/** 83-41: as captured, a block of its own kind whose track 2 is the number and the expiry. */
export const manualAnswer = (card: TestCard, sealing: Neo2Encryption): Neo2Result => {
  if (sealing.isDialect('typed-as-pairs')) return manualPairs(card, sealing);
  const track2 = `;${card.pan}=${card.expiry}?`;
  return {
    attribution: contactAttribution(sealing),
    tlvs: [resultCodeTlv(result.stripe), ...blockOf({ 2: track2 }, sealing, true), neo2Tlv('9F39', fromHex('90'))],
  };
};

/** The number masked, and encrypted together with the expiry as 5A and 5F24 in one ciphertext. */
const manualPairs = (card: TestCard, sealing: Neo2Encryption): Neo2Result => {
  const { keys, cipher, isDialect } = sealing;
  const plain = [tlv('5A', evenF(card.pan)), tlv('5F24', `${card.expiry}31`)];
  const entry = neo2Tlv('9F39', fromHex('01'));
  const attribution = contactAttribution(sealing);
  if (isDialect('in-clear'))
    return { attribution, tlvs: [...plain.map(({ tag, value }) => neo2Tlv(tag, value)), entry] };
  const { data, ksn } = keys.sealData(encodeTlv(plain), cipher);
  return {
    attribution,
    tlvs: [
      neo2Tlv('DFEE12', ksn),
      neo2Tlv('5A', evenF(maskPan(card.pan, isDialect)), 'masked'),
      neo2Tlv('5A', data, 'encrypted'),
      entry,
    ],
  };
};
