/**
 * The answers of NEO 2 readers that are more than a row of fields: keys, PINs, versions, the use of the data key, and
 * what a transaction step reports about a card.
 */
import { concat, fromHex, overwrite, readHex, toHex } from '../../../src/base/hex.ts';
import { type Codec, malformed, text } from '../../codec.ts';
import { decodeNeo2Tlv, encodeNeo2Tlv, hexIn, type Neo2Tlv, neo2Tlv } from './tlv.ts';

/**
 * 81-0B: 00 unused, 01 valid, 02 used up, FF not available; then the key serial number, 10 or 12 bytes, hex. The
 * guide's table has a length in front (IDG p345), but the frame's length leaves no room for it (p344): both forms are
 * read.
 */
export type KeyAnswer = { state: 'unused' | 'valid' | 'ended' | 'none'; ksn?: string; withoutLength?: true };

const states = { unused: 0x00, valid: 0x01, ended: 0x02, none: 0xff } as const;

export const keyAnswer: Codec<KeyAnswer> = {
  encode({ state, ksn, withoutLength }) {
    if (ksn === undefined) return Uint8Array.of(states[state]);
    const length = withoutLength ? [] : [ksn.length / 2];
    return concat(Uint8Array.of(states[state], ...length), fromHex(ksn));
  },
  decode(raw) {
    const name = (Object.keys(states) as KeyAnswer['state'][]).find((each) => states[each] === raw[0]);
    if (name === undefined) throw malformed('A key state', 'it is none of those in the manual');
    const ksnBytes = raw.subarray(raw.length === 12 || raw.length === 14 ? 2 : 1);
    return { state: name, ksn: ksnBytes.length === 10 || ksnBytes.length === 12 ? toHex(ksnBytes) : undefined };
  },
};

/** The result of a PIN entry: the last frame of 62-01. */
export type Neo2PinAnswer =
  | { kind: 'entered'; data: Uint8Array; ksn: string }
  | { kind: 'customerCancelled' | 'hostCancelled' | 'noKey' | 'failed'; code: number };

const ends: Readonly<Record<number, 'customerCancelled' | 'hostCancelled' | 'noKey'>> = {
  1: 'customerCancelled',
  2: 'hostCancelled',
  5: 'noKey',
  6: 'noKey',
};
export const pinEnds = { customerCancelled: 1, hostCancelled: 2, keyUsedUp: 6 } as const;

/** The length of the key serial number in characters, by the total length with the block: TDES and AES in all pairs. */
const pinForms: Readonly<Record<number, number>> = { 36: 20, 40: 24, 52: 20, 56: 24 };

/** State, then serial number and PIN block as hexadecimal characters. */
export const pinAnswer: Codec<Neo2PinAnswer> = {
  encode: (value) =>
    value.kind === 'entered'
      ? concat(Uint8Array.of(0), Buffer.from(value.ksn + toHex(value.data), 'latin1'))
      : Uint8Array.of(value.code),
  decode(raw) {
    const [code] = raw;
    if (code === undefined) throw malformed('A PIN entry', 'its state is missing');
    if (code !== 0) return { kind: ends[code] ?? 'failed', code };
    const characters = raw.subarray(1);
    const ksnLength = pinForms[characters.length];
    const [ksn, data] = [readHex(characters.subarray(0, ksnLength)), readHex(characters.subarray(ksnLength))];
    if (ksnLength === undefined || ksn === undefined || data === undefined)
      throw malformed('A PIN entry', 'it has no block');
    return { kind: 'entered', ksn: toHex(ksn), data };
  },
};

/** Tag 99: the encrypted block of 8 or 16 bytes, then the PIN key's serial number of 10 or 12. */
const tag99Forms: Readonly<Record<number, number>> = { 18: 8, 20: 8, 26: 16, 28: 16 };

/** Takes the PIN out and overwrites it there. Undefined for any other length. */
export const pinOfTag99 = (value: Uint8Array): { data: Uint8Array; ksn: string } | undefined => {
  const size = tag99Forms[value.length];
  if (size === undefined) return undefined;
  const pin = { data: value.slice(0, size), ksn: toHex(value.subarray(size)) };
  overwrite(value);
  return pin;
};

/** Plain text. */
export const version: Codec<{ text: string }> = {
  encode: (value) => text.encode(value.text),
  decode: (raw) => ({ text: text.decode(raw) }),
};

/** The value of the first of these tags, hex. */
const firstValueOf = (raw: Uint8Array, tags: readonly string[]): string | undefined => {
  const list = decodeNeo2Tlv(raw);
  return tags.map((tag) => hexIn(list, tag)).find((value) => value !== undefined);
};

/** Text, or the text in tag DF62, in newer firmware DFEE62 (the vendor's logs). */
export const firmware: Codec<{ text: string }> = {
  encode: (value) => encodeNeo2Tlv([neo2Tlv('DF62', concat(text.encode(value.text), Uint8Array.of(0)))]),
  decode(raw) {
    const value = raw[0] === 0xdf ? firstValueOf(raw, ['DF62', 'DFEE62']) : undefined;
    return { text: text.decode(value === undefined ? raw : fromHex(value)) };
  },
};

/** Tag DF61, in newer firmware DFEE61 (the vendor's logs): which processor. IDG p255. */
const processors: Readonly<Record<string, string>> = {
  4500: 'ARM7 LPC21xx',
  '4D00': 'ARM Cortex-M4 K21',
  '4E00': 'ARM Cortex-M4 K81',
};

/** `code` is the value of the tag in hex; `text` is its name, where the guide has one. */
export const processor: Codec<{ code: string; text?: string }> = {
  encode: ({ code }) => encodeNeo2Tlv([neo2Tlv('DF61', code)]),
  decode(raw) {
    const code = firstValueOf(raw, ['DF61', 'DFEE61']) ?? '';
    return { code, text: processors[code] };
  },
};

/** 32-03: empty on readers that report their state by the status alone. IDG p384. */
export const deviceState: Codec<{ active?: number; locked?: number }> = {
  encode: ({ active, locked }) =>
    active === undefined || locked === undefined ? new Uint8Array(0) : Uint8Array.of(active, locked),
  decode: ([active, locked]) => ({ active, locked }),
};

// How a reader's data key is used: its answer to C7-A3, which no page of a public guide has. Questions, answers and
// names: the vendor's test scripts and logs (github IDTSQATW/test_tree), CR041, CR065 and CR066.
//
// Key management (00 Triple DES DUKPT, 01 AES DUKPT), cipher, key variant (00 data, 01 PIN), and three bytes more.

export type OutputMode = { cipher: 'tdes' | 'aes' | 'transArmor' | 'other'; variant: 'data' | 'pin' };

type Cipher = OutputMode['cipher'];

/** The ciphers, by the bytes for key management and cipher. */
const ciphers: Readonly<Record<string, Cipher>> = {
  '0000': 'tdes',
  '0001': 'aes',
  '0002': 'transArmor',
  '0102': 'aes',
  '0105': 'transArmor',
};
const cipherCodes: Readonly<Record<Cipher, readonly [number, number]>> = {
  tdes: [0, 0],
  aes: [0, 1],
  transArmor: [0, 2],
  other: [0xff, 0xff],
};

const hex = (byte = 0xff): string => byte.toString(16).padStart(2, '0');

/** A combination that no source has is `other`. */
export const outputMode: Codec<OutputMode> = {
  encode: ({ cipher, variant }) => Uint8Array.of(...cipherCodes[cipher], variant === 'pin' ? 1 : 0, 0, 0, 0),
  decode: ([management, cipher, variant]) => ({
    cipher: ciphers[hex(management) + hex(cipher)] ?? 'other',
    variant: variant === 1 ? 'pin' : 'data',
  }),
};

/** What a transaction step reports: the attribution byte if there is one, and its objects. */
export type Neo2Result = { attribution?: number; tlvs: readonly Neo2Tlv[] };

/** An answer without any of these says nothing about a card. */
const telling = [
  'DFEE25',
  'DFEE12',
  'FFEE12',
  'FFEE1F',
  'DFEE02',
  'DFEE26',
  'DFEE23',
  'DFEF61',
  '9F39',
  '9F26',
  '9F27',
  '9F02',
];

/**
 * The attribution byte is present in some answers and missing in others of the same family, and looks like a tag: it
 * counts as one when its bits name an interface and the rest is readable. Throws `tlv.malformed`.
 */
export const resultCodec: Codec<Neo2Result> = {
  encode: ({ attribution, tlvs }) =>
    concat(attribution === undefined ? new Uint8Array(0) : Uint8Array.of(attribution), encodeNeo2Tlv(tlvs)),
  decode(raw) {
    const [first] = raw;
    if (first === undefined) return { tlvs: [] };
    const objectsAfterFirst = attributionOf(first) === undefined ? undefined : objectsIn(raw.subarray(1));
    if (objectsAfterFirst !== undefined) return { attribution: first, tlvs: objectsAfterFirst };
    return { tlvs: decodeNeo2Tlv(raw) };
  },
};

const objectsIn = (raw: Uint8Array): Neo2Tlv[] | undefined => {
  try {
    const list = decodeNeo2Tlv(raw);
    return telling.some((tag) => list.some((each) => each.tag === tag)) ? list : undefined;
  } catch {
    return undefined;
  }
};

// The attribution byte, first in an answer with card data: which interface, which cipher, and whether it was used.
// Source: NEO 2 IDG 80139403-002, p233 and p238; VP3350 Integration Manual. With bits 2 and 1 as 10 the cipher is in
// DFEE26; in the vendor's public test scripts it is TransArmor then (E4, E5, EC, F5).

export type CardWay = 'contact' | 'tap' | 'tapStripe' | 'swipe';

export type Attribution = { way: CardWay; cipher: 'tdes' | 'aes' | 'extended'; encrypted: boolean };

const bits = { aes: 0x02, extended: 0x04, encrypted: 0xc0 } as const;
const cipherMask = 0x06;
const interfaceMask = 0x19;
/** Bits 4, 3 and 0. */
const ways: Readonly<Record<number, CardWay>> = { 0: 'contact', 1: 'tap', 17: 'tapStripe', 8: 'swipe', 9: 'swipe' };
const wayCodes: Readonly<Record<CardWay, number>> = { contact: 0x00, tap: 0x01, tapStripe: 0x11, swipe: 0x08 };

/** Undefined when no interface has these bits: it is then not an attribution byte. */
export const attributionOf = (byte: number): Attribution | undefined => {
  const way = ways[byte & interfaceMask];
  const found = byte & cipherMask;
  const cipher = found === bits.aes ? 'aes' : found === bits.extended ? 'extended' : 'tdes';
  return way === undefined ? undefined : { way, cipher, encrypted: (byte & bits.encrypted) !== 0 };
};

export const attributionByte = ({ way, cipher, encrypted }: Attribution): number =>
  wayCodes[way] | (cipher === 'tdes' ? 0 : bits[cipher]) | (encrypted ? bits.encrypted : 0);
