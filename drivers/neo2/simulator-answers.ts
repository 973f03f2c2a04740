/** What the simulated NEO 2 reader puts into its answers: the tags of captured ones, account data masked and sealed. */
import { concat, fromHex, toHex } from '../../src/base/hex.ts';
import type { TestCard } from '../../src/emv/test-cards.ts';
import { encodeTlv, tlv } from '../../src/emv/tlv.ts';
import { tlvText } from '../simulation/ascii.ts';
import type { CryptogramKind } from '../simulation/issuer-data.ts';
import type { Cipher, KeySlots, Sealed } from '../simulation/key-slots.ts';
import { maskTrack2, stripeOf } from '../simulation/stripe.ts';
import { elementOf, pick, type Transaction } from '../simulation/transaction.ts';
import { attributionByte, type CardWay } from './attribution.ts';
import type { Result } from './codec.ts';
import { encodeMsrBlock } from './msr-block.ts';
import { result } from './results.ts';
import { type Neo2Tlv, neo2Template, neo2Tlv } from './tlv.ts';

/** The device's keys and the cipher it uses them with. */
export type Sealing = { keys: KeySlots; cipher: Cipher };

/** In the order of a captured contact answer. */
const chipTags =
  `82 9F36 9F26 9F27 8E 95 9F34 9F1E 9F0E 9F0F 9F10 9F33 9F35 9F37 9F02 9F03 5F34 5F28 9F1A 5F2A 9A 9F21 9C
  9F06 9F09 50 84 9B 9F41`.split(/\s+/);

/** After the second cryptogram. */
const finalTags = '82 84 8A 95 9A 9B 9C 9F02 9F03 9F10 9F1A 9F26 9F27 9F34 9F36 9F37 9F41 9F5B'.split(' ');

/** First six and last four, C between; the captured readers leave four and four, which their settings decide. */
const masked = (pan: string): string => `${pan.slice(0, 6)}${'C'.repeat(pan.length - 10)}${pan.slice(-4)}`;

const evenF = (digits: string): string => (digits.length % 2 === 0 ? digits : `${digits}F`);

/** Behind the number the expiry stays, as captured. */
const maskedTag57 = (value: Uint8Array, pan: string): string => {
  const [, rest = ''] = toHex(value).split('D');
  return `${masked(pan)}D${rest.slice(0, 4)}${'C'.repeat(Math.max(rest.length - 4, 0))}`;
};

type Account = readonly { tag: string; value: Uint8Array | string; mask?: string }[];

/** The sensitive tags, each masked (A1) where it has a mask and encrypted (C1) as a whole TLV, under one key. */
const sealedTags = (account: Account, { keys, cipher }: Sealing): Neo2Tlv[] => {
  const { data, ksn } = keys.sealAll(
    account.map(({ tag, value }) => encodeTlv([tlv(tag, value)])),
    cipher,
  );
  const pairs = account.flatMap(({ tag, mask }, at) => [
    ...(mask === undefined ? [] : [neo2Tlv(tag, mask, 'masked')]),
    neo2Tlv(tag, data[at] ?? new Uint8Array(0), 'encrypted'),
  ]);
  return [neo2Tlv('DFEE12', ksn), ...pairs];
};

const accountOf = (transaction: Transaction): Account => {
  const { pan, holder } = transaction.card.facts;
  const track = elementOf(transaction, '57') ?? new Uint8Array(0);
  return [
    { tag: '5A', value: evenF(pan), mask: evenF(masked(pan)) },
    { tag: '57', value: track, mask: maskedTag57(track, pan) },
    { tag: '5F20', value: tlvText(holder) },
  ];
};

/** FFEE01 with DFEE30: 00 tap, 01 contact, 0C swipe. */
const ways: Readonly<Record<CardWay, string>> = { contact: '01', tap: '00', tapStripe: '00', swipe: '0C' };

const tail = (way: CardWay, o: { entry: string; attribution: number }): Neo2Tlv[] => [
  neo2Tlv('DFEE26', Uint8Array.of(o.attribution, 0)),
  neo2Tlv('9F39', o.entry),
  neo2Template('FFEE01', [neo2Tlv('DFEE30', ways[way])]),
];

const code = (value: string): Neo2Tlv => neo2Tlv('DFEE25', value);

/** 02-40 with a chip in the slot: authenticate next. */
export const startedAnswer = (cipher: Cipher): Result => {
  const attribution = attributionByte({ way: 'contact', cipher, encrypted: true });
  return {
    attribution,
    tlvs: [code(result.started), neo2Tlv('FFEE1F', '00000000'), ...tail('contact', { entry: '05', attribution })],
  };
};

const firstCodes: Readonly<Record<CryptogramKind, string>> = {
  ARQC: result.online,
  TC: result.approvedOffline,
  AAC: result.declinedOffline,
};

/** Tag 99: the encrypted block, then its key serial number. */
const pinTag = ({ data, ksn }: Sealed): Neo2Tlv => neo2Tlv('99', concat(data, ksn));

/** 60-11, after the first cryptogram. */
export const chipAnswer = (
  transaction: Transaction,
  o: { kind: CryptogramKind; sealing: Sealing; pin: Sealed | undefined },
): Result => ({
  tlvs: [
    code(firstCodes[o.kind]),
    ...sealedTags(accountOf(transaction), o.sealing),
    ...pick(transaction, chipTags),
    ...(o.pin === undefined ? [] : [pinTag(o.pin)]),
    ...tail('contact', { entry: '05', attribution: contact(o.sealing) }),
  ],
});

const contact = ({ cipher }: Sealing): number => attributionByte({ way: 'contact', cipher, encrypted: true });

/** 60-12, after the second cryptogram. */
export const finalAnswer = (transaction: Transaction, kind: CryptogramKind): Result => ({
  tlvs: [code(kind === 'TC' ? result.approved : result.declined), ...pick(transaction, finalTags)],
});

/** 02-40 with a tap that wants to go online: everything at once. */
export const tapAnswer = (transaction: Transaction, sealing: Sealing): Result => {
  const chip = elementOf(transaction, '9F26') !== undefined;
  const way = chip ? 'tap' : 'tapStripe';
  const attribution = attributionByte({ way, cipher: sealing.cipher, encrypted: true });
  return {
    attribution,
    tlvs: [
      ...sealedTags(accountOf(transaction), sealing),
      neo2Tlv('FFEE1F', '00000000'),
      ...pick(
        transaction,
        chip ? chipTags.filter((tag) => tag !== '9B') : ['50', '84', '9A', '9C', '9F02', '9F06', '9F34', '5F2A'],
      ),
      ...tail(way, { entry: chip ? '07' : '91', attribution }),
    ],
  };
};

/** 02-40 or 60-10 that ends without a card's data. */
export const emptyAnswer = (tlvs: readonly Neo2Tlv[], cipher: Cipher): Result => ({
  attribution: attributionByte({ way: 'contact', cipher, encrypted: false }),
  tlvs,
});

const maskTrack1 = (track1: string): string =>
  track1.replace(/(?<=^%B\d{6})\d+(?=\d{4}\^)|(?<=\^\d{4})\d+(?=\?$)/g, (found) => '*'.repeat(found.length));

/** 02-40 with a swipe: tracks as text with their sentinels, sealed each by itself under one key. */
export const swipeAnswer = (card: TestCard, { keys, cipher }: Sealing, how: 'stripe' | 'fallback'): Result => {
  const { track1, track2 } = stripeOf(card);
  const { data, ksn } = keys.sealAll([tlvText(track1), tlvText(track2)], cipher);
  const [one = new Uint8Array(0), two = new Uint8Array(0)] = data;
  const block = encodeMsrBlock({
    cipher,
    // The block has room for ten bytes; a longer one stands in DFEE12 alone.
    ...(ksn.length === 10 ? { ksn } : {}),
    tracks: [
      { track: 1, masked: tlvText(maskTrack1(track1)), encrypted: one },
      { track: 2, masked: tlvText(maskTrack2(track2)), encrypted: two },
    ],
  });
  const attribution = attributionByte({ way: 'swipe', cipher, encrypted: true });
  return {
    attribution,
    tlvs: [
      code(how === 'fallback' ? result.fallback : result.stripe),
      // With stripe data there is none but in the block (IDG p233), which has no room for twelve bytes.
      ...(ksn.length === 10 ? [] : [neo2Tlv('DFEE12', ksn)]),
      neo2Tlv('DFEE23', block),
      ...tail('swipe', { entry: how === 'fallback' ? '80' : '90', attribution }),
    ],
  };
};

/** 83-41: the number typed in, masked, and sealed with the expiry behind it as 5A and 5F24 in one ciphertext. */
export const manualAnswer = (card: TestCard, { keys, cipher }: Sealing): Result => {
  const plain = encodeTlv([tlv('5A', evenF(card.pan)), tlv('5F24', `${card.expiry}31`)]);
  const { data, ksn } = keys.sealData(plain, cipher);
  return {
    tlvs: [
      neo2Tlv('DFEE12', ksn),
      neo2Tlv('5A', evenF(masked(card.pan)), 'masked'),
      neo2Tlv('5A', data, 'encrypted'),
      neo2Tlv('9F39', fromHex('01')),
    ],
  };
};
