/** Extracts what the till may know about a card from a NEO 2 reader's answer: ciphertexts, masks, and harmless tags. */
import { toHex } from '../../../src/base/hex.ts';
import { hidden } from '../../../src/base/mask.ts';
import { type EntryMode, entryModeDigits, entryModes } from '../../../src/emv/entry-mode.ts';
import {
  type ClearValueLookup,
  chipFacts,
  normaliseMask,
  selectTags,
  serviceCodeOf,
  travels,
} from '../../card-facts.ts';
import type { CardData, Encrypted } from '../../terminal.ts';
import { attributionOf, type Neo2Result, type OutputMode, pinOfTag99 } from './answers.ts';
import { msrBlockIn } from './msr-block.ts';
import { encodeNeo2Tlv, findNeo2, flattenNeo2Tlvs, hexIn, type Neo2Tlv } from './tlv.ts';

/** TLV hex of the tags that may travel, each once; undefined when there are none. */
export const printHarmless = (tlvs: readonly Neo2Tlv[]): string | undefined => {
  const stored = selectTags(flattenNeo2Tlvs(tlvs), ({ tag, mark }) => mark === undefined && travels.has(tag));
  return stored.length === 0 ? undefined : toHex(encodeNeo2Tlv(stored));
};

/**
 * The tags whose ciphertext holds the account, best first: track 2 equivalent data, track 2 and track 1 of a
 * contactless stripe have number and expiry (EMV Book 3, annex A; Mastercard's kernel 2), 5A the number alone. The
 * others that a reader encrypts (9F20, 5F20) hold no number, and none of them is sent.
 */
const accountTags = ['57', '9F6B', '56', '5A'];

/** ISO/IEC 7813: tracks 2 and 1 hold number and expiry. No host takes track 3. */
const accountTracks = [2, 1];

const ksnOf = (tlvs: readonly Neo2Tlv[]): string | undefined => hexIn(tlvs, 'DFEE12') ?? hexIn(tlvs, 'FFEE12');

/** The ciphertexts of the account, best first, under the transaction's one key serial number. */
export const sredOf = (tlvs: readonly Neo2Tlv[]): Encrypted[] => {
  const stripe = msrBlockIn(tlvs);
  const ksn = stripe?.ksn === undefined ? ksnOf(tlvs) : toHex(stripe.ksn);
  if (ksn === undefined) return [];
  const encrypted = flattenNeo2Tlvs(tlvs).filter(({ mark }) => mark === 'encrypted');
  const sealed = [
    ...accountTracks.flatMap((number) => stripe?.tracks.find(({ track }) => track === number)?.encrypted ?? []),
    ...accountTags.flatMap((expected) => encrypted.filter(({ tag }) => tag === expected).map(({ value }) => value)),
  ];
  return sealed.filter(({ length }) => length > 0).map((data) => ({ data: data.slice(), ksn }));
};

/** Finds the value of an unencrypted tag. */
export const clearIn =
  (tlvs: readonly Neo2Tlv[]): ClearValueLookup =>
  (tag) =>
    findNeo2(tlvs, tag)?.value;

const trackTags = ['57', '9F6B'];

/** Track 2 as the reader shows it: masked; or, from a reader without a key, in clear and then masked here. */
export const maskedTrackOf = (tlvs: readonly Neo2Tlv[]): Neo2MaskedTrack2 | undefined => {
  const stripe = msrBlockIn(tlvs)?.tracks.find(({ track }) => track === 2)?.masked;
  if (stripe !== undefined) return maskOfTrack2(Buffer.from(stripe).toString('latin1'));
  const shown = trackTags.flatMap((tag) => findNeo2(tlvs, tag, 'masked') ?? findNeo2(tlvs, tag) ?? [])[0];
  return shown === undefined ? undefined : maskOfTag57(shown.value);
};

const maskedPanOf = (tlvs: readonly Neo2Tlv[]): string => {
  const number = findNeo2(tlvs, '5A', 'masked') ?? findNeo2(tlvs, '5A');
  return maskedTrackOf(tlvs)?.maskedPan ?? (number === undefined ? hidden : maskOfNumber(number.value));
};

/** Tag 9F39; else the attribution byte, of the answer or of DFEE26. */
export const entryModeOf = ({ attribution, tlvs }: Neo2Result): EntryMode | undefined => {
  const digits = hexIn(tlvs, '9F39');
  const reported = entryModes.find((mode) => entryModeDigits[mode] === digits);
  if (reported !== undefined) return reported;
  const byte = attribution ?? findNeo2(tlvs, 'DFEE26')?.value[0];
  const way = byte === undefined ? undefined : attributionOf(byte)?.way;
  return way === undefined ? undefined : modes[way];
};

const modes = { contact: 'ICC', tap: 'NFC_ICC', tapStripe: 'NFC_MAGSTRIPE', swipe: 'MAGSTRIPE' } as const;

/** What the till learns about a card. Data under a service's proprietary cipher is useless to a host and left out. */
export const cardDataOf = (result: Neo2Result, entryMode: EntryMode): CardData => {
  const { tlvs } = result;
  const pin = findNeo2(tlvs, '99')?.value;
  return {
    entryMode,
    maskedPan: maskedPanOf(tlvs),
    sred: proprietaryCipherOf(result) === undefined ? sredOf(tlvs) : [],
    ...chipFacts(clearIn(tlvs), entryMode),
    pin: pin && pinOfTag99(pin),
    icc: findNeo2(tlvs, '9F26') && printHarmless(tlvs),
  };
};

// The masked card numbers and tracks of NEO 2 readers in one form: C nibbles in bytes, stars in text.

type Neo2MaskedTrack2 = {
  /** At most the first six digits, stars, last four. */
  maskedPan: string;
  /** Undefined where the reader masks it too. */
  serviceCode?: string;
};

const digitsOf = (bytes: Uint8Array): string => toHex(bytes).replace(/F$/, '').replace(/[CF]/g, '*');

/** Tag 5A. */
const maskOfNumber = (bytes: Uint8Array): string => normaliseMask(digitsOf(bytes));

/** Tags 57 and 9F6B: number, D, expiry, service code, the rest. Undefined when there is no separator. */
const maskOfTag57 = (bytes: Uint8Array): Neo2MaskedTrack2 | undefined => {
  const [number, rest] = digitsOf(bytes).split('D');
  return number === undefined || rest === undefined ? undefined : maskedTrackFrom(number, rest);
};

/** Track 2 as text, with its sentinels. */
const maskOfTrack2 = (text: string): Neo2MaskedTrack2 | undefined => {
  const [, number, rest] = /;([\d*]{12,19})=([\d*]{4,20})/.exec(text) ?? [];
  return number === undefined || rest === undefined ? undefined : maskedTrackFrom(number, rest);
};

const maskedTrackFrom = (number: string, rest: string): Neo2MaskedTrack2 => ({
  maskedPan: normaliseMask(number),
  serviceCode: serviceCodeOf(rest),
});

// Proprietary ciphers of an acquirer or a manufacturer: a reader can be set up to encrypt card data with one of them,
// and only that service can decrypt it. TransArmor with Triple DES encrypts the text of the tracks, not TLV. Sources:
// NEO 2 IDG 80139403-002, p218 and p238 (DFEE26); NEO 2 SDK header; the vendor's test scripts (github
// IDTSQATW/test_tree): CR065, CR065-1 and CR066 for TransArmor, CR041-AES for AES DUKPT; SREDKey 2 Integration Manual,
// p31 (stripe block).

/** The low four bits of the second byte of DFEE26; the bits above say whether there is a MAC. */
const ciphers: Readonly<Record<number, string>> = {
  2: 'TransArmor',
  3: 'Voltage',
  4: 'Visa’s format-preserving encryption',
  5: 'Verifone’s format-preserving encryption',
  6: 'TransArmor',
  7: 'TransArmor',
};

/**
 * The byte after the attribution in DFEE26 decides, 00 Triple DES and 01 AES: readers with AES DUKPT send EC 01.
 * Without it, an attribution in either place that names no cipher of its own means TransArmor.
 */
export const proprietaryCipherOf = ({ attribution, tlvs }: Neo2Result): string | undefined => {
  const [first, second] = findNeo2(tlvs, 'DFEE26')?.value ?? [];
  const inStripe = msrBlockIn(tlvs)?.cipher === 'transArmor' ? 'TransArmor' : undefined;
  if (second !== undefined) return ciphers[second & 0x0f] ?? inStripe;
  return [attribution, first].some((byte) => byte !== undefined && isProprietary(byte)) ? 'TransArmor' : inStripe;
};

const isProprietary = (byte: number): boolean => {
  const attribution = attributionOf(byte);
  return attribution?.cipher === 'extended' && attribution.encrypted;
};

/** The same for the output mode of a key, before any card. */
export const proprietaryModeOf = (mode: OutputMode | undefined): string | undefined =>
  mode?.cipher === 'transArmor' ? 'TransArmor' : undefined;

/** What it means, for the person who set the reader up. */
export const describeProprietaryCipher = (cipher: string): string =>
  `it encrypts card data for ${cipher}, which this till’s gateway cannot read; whoever supplied it has to set its data ` +
  'key’s output mode to TDES or AES (command C7-A2)';
