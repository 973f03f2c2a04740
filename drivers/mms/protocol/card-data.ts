/** Extracts what the till may know about a card from a data block: the ciphertext, a mask, and a few harmless tags. */

import { Fault } from '../../../src/base/fault.ts';
import { concat, overwrite, toHex } from '../../../src/base/hex.ts';
import { hidden } from '../../../src/base/mask.ts';
import type { EntryMode } from '../../../src/emv/entry-mode.ts';
import { decodeTlv, encodeTlv, find, findDeep, type Tlv, tlv } from '../../../src/emv/tlv.ts';
import {
  type ClearValueLookup,
  chipResults,
  hexOf,
  normaliseMask,
  panSequenceOf,
  selectTags,
  verificationFrom,
} from '../../card-facts.ts';
import type { CardData, Encrypted, FinalCardData } from '../../terminal.ts';

// The data blocks of a transaction, ARQC and batch: a length, template F9, zero padding to a multiple of eight, a MAC.
// All secrets are in one ciphertext, DFDF59: tracks, chip data, cryptograms, the PIN block. Source: MagTek, DynaFlex
// family programmer's manual, "EMV ARQC (DynaPro Format) Type" and "EMV Batch Data".

export type MmsBlock = {
  /** Tag DFDF25: the device's serial number as text and a zero; it is sent back with the host's answer. */
  serial: Uint8Array;
  /** Tags DFDF59 and DFDF56; a view of the received bytes, which `takeSealed` overwrites. */
  sealed?: Encrypted;
  /** Tag DFDF57: 80 DUKPT with Triple DES, 90 AES-128, A0 AES-256. */
  encryption?: number;
  /** DFDF1A, in batch data: the card's decision. */
  decision?: 'accepted' | 'declined' | 'failed';
  /** The unencrypted objects beside the ciphertext. */
  clear: readonly Tlv[];
  /** Four bytes, hex; undefined when the device has no MAC key. */
  mac?: string;
};

const lengthBytes = 2;
export const macBytes = 4;
/** Blocks are padded to a multiple of this. */
export const blockBytes = 8;

export const decisions = { '00': 'accepted', '01': 'declined', '02': 'failed' } as const;

const malformed = (reason: string): Fault => new Fault('emv.malformed', { what: 'A data block', why: reason });

/** Reads either block. The MAC is taken from the end, because the padding is not always right. Throws a Fault. */
export const decodeBlock = (bytes: Uint8Array): MmsBlock => {
  if (bytes.length < lengthBytes + macBytes) throw malformed('it is too short');
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint16(0);
  if (lengthBytes + size + macBytes > bytes.length) throw malformed('it is shorter than it declares');
  const whole = find(decodeTlv(bytes.subarray(lengthBytes, lengthBytes + size)), 'F9')?.children;
  const serial = find(whole ?? [], 'DFDF25')?.value;
  if (whole === undefined || serial === undefined) throw malformed('template F9 or the serial number is missing');

  const data = findDeep(whole, 'DFDF59')?.value;
  const ksn = findDeep(whole, 'DFDF56')?.value;
  const encryption = findDeep(whole, 'DFDF57')?.value[0];
  const decided = findDeep(whole, 'DFDF1A')?.value ?? new Uint8Array(0);
  const decision = decisions[toHex(decided.subarray(0, 1)) as keyof typeof decisions];
  const mac = toHex(bytes.subarray(-macBytes));
  return {
    serial,
    clear: leaves(whole).filter(({ tag }) => !isWrapper.has(tag)),
    sealed: data && ksn && { data, ksn: toHex(ksn) },
    encryption,
    decision,
    mac: mac === '00000000' ? undefined : mac,
  };
};

/** Takes the ciphertext out of a block, and overwrites it there, because it may contain a PIN. */
export const takeSealed = ({ sealed }: MmsBlock): Encrypted | undefined => {
  if (sealed === undefined) return undefined;
  const copy = { ...sealed, data: sealed.data.slice() };
  overwrite(sealed.data);
  return copy;
};

const isWrapper = new Set('DFDF54 DFDF55 DFDF25 DFDF59 DFDF56 DFDF57 DFDF58 DFDF1A DFDF1B'.split(' '));

const leaves = (tlvs: readonly Tlv[]): Tlv[] =>
  tlvs.flatMap((each) => (each.children === undefined ? [each] : leaves(each.children)));

/** The parts from which a sender builds a block. `mac` receives length, template and padding. */
export type BlockParts = {
  serial: Uint8Array;
  macKsn: Uint8Array;
  macType: number;
  body: readonly Tlv[];
  mac(message: Uint8Array): Uint8Array;
  /** The number of zeros after the template; by default up to a multiple of eight. */
  filling?: number;
};

export const encodeBlock = ({ serial, macKsn, macType, body, mac, filling }: BlockParts): Uint8Array => {
  const head = [tlv('DFDF54', macKsn), tlv('DFDF55', Uint8Array.of(macType)), tlv('DFDF25', serial)];
  const template = encodeTlv([tlv('F9', [...head, tlv('FA', body)])]);
  const whole = lengthBytes + template.length;
  const filled = new Uint8Array(filling === undefined ? Math.ceil(whole / blockBytes) * blockBytes : whole + filling);
  new DataView(filled.buffer).setUint16(0, template.length);
  filled.set(template, lengthBytes);
  return concat(filled, mac(filled));
};

/** Tag F8: a ciphertext, the serial number of its key, how it was made, and how many bytes at its end are padding. */
export const sealedTlv = (o: { data: Uint8Array; ksn: Uint8Array; type: number; filling: number }): Tlv =>
  tlv('F8', [
    tlv('DFDF59', o.data),
    tlv('DFDF56', o.ksn),
    tlv('DFDF57', Uint8Array.of(o.type)),
    tlv('DFDF58', Uint8Array.of(o.filling)),
  ]);

/** The unencrypted batch tags that may leave for the host: few, because the rest is in the ciphertext. */
const travels = new Set(['9F34', '9F06', '9F39', '9C', '9F02', '5F2A', '9F1A', '9F36', '9F27', '95', '9B', '5F34']);

/** Tag DFDF52: how the card was read. */
export const cardTypes = {
  stripe: 0x01,
  manual: 0x03,
  chip: 0x05,
  tap: 0x06,
  chipCardStripe: 0x07,
  tapStripe: 0x08,
} as const;

/** Tag DFDF53: 00 no fallback, 01 after a technical failure, 81 because the chip has no matching application. */
export const isFallback = (block: MmsBlock): boolean => (find(block.clear, 'DFDF53')?.value[0] ?? 0) !== 0;

export const cardTypeOf = (block: MmsBlock): number | undefined => find(block.clear, 'DFDF52')?.value[0];

/** How the card was read; `chipFailed`: this driver saw the chip fail. Undefined if it is not a payment card. */
export const entryModeOf = (block: MmsBlock, chipFailed: boolean): EntryMode | undefined => {
  switch (cardTypeOf(block)) {
    case cardTypes.stripe:
      return 'MAGSTRIPE';
    case cardTypes.manual:
      return 'MANUAL';
    case cardTypes.chip:
      return 'ICC';
    case cardTypes.tap:
      return 'NFC_ICC';
    case cardTypes.tapStripe:
      return 'NFC_MAGSTRIPE';
    case cardTypes.chipCardStripe:
      return isFallback(block) || chipFailed ? 'MAGSTRIPE_AS_FALLBACK' : 'MAGSTRIPE';
    default:
      return undefined;
  }
};

/** First six and last four digits from DFDF33 or DFDF4D: track 2 as text, with zeros or stars for hidden digits. */
export const maskOf = (block: MmsBlock): string => {
  const track = find(block.clear, 'DFDF4D') ?? find(block.clear, 'DFDF33');
  const number = /^;([\d*]{12,19})=/.exec(Buffer.from(track?.value ?? []).toString('latin1'))?.[1];
  return number === undefined ? hidden : normaliseMask(number);
};

/** TLV hex of what is allowed to travel, each tag once; empty when there is nothing. */
export const printHarmless = ({ clear }: MmsBlock): string =>
  toHex(encodeTlv(selectTags(clear, ({ tag, value }) => travels.has(tag) && value.length > 0)));

/**
 * What the till learns about a card. When a chip or tap asks for the host, its verification is inside the ciphertext
 * and counts as none; a stripe or a typed number requires a signature.
 */
export const cardDataOf = (block: MmsBlock, entryMode: EntryMode): CardData => {
  const clear: ClearValueLookup = (tag) => find(block.clear, tag)?.value;
  const stripe = entryMode.startsWith('MAGSTRIPE') || entryMode === 'MANUAL';
  return {
    entryMode,
    maskedPan: maskOf(block),
    sred: [takeSealed(block)].flatMap((sealed) => sealed ?? []),
    verification: stripe ? 'signature' : verificationFrom(clear, entryMode),
    panSequence: panSequenceOf(clear),
    aid: hexOf(clear('9F06')),
  };
};

/** What batch data says about the card at the end. */
export const finalCardDataOf = (block: MmsBlock): FinalCardData => {
  const clear: ClearValueLookup = (tag) => find(block.clear, tag)?.value;
  const mode = entryModeOf(block, false) ?? 'ICC';
  const verification = clear('9F34') === undefined ? undefined : verificationFrom(clear, mode);
  return { ...chipResults(clear), verification, aid: hexOf(clear('9F06')) };
};
