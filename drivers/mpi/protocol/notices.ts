/** The unsolicited messages of an MPI device: a card was inserted, removed or swiped; the device changed its state. */
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';
import { decodeTlv, encodeTlv, find, type Tlv, tlv } from '../../../src/emv/tlv.ts';
import { type Codec, malformed } from '../../codec.ts';
import { text } from './codec.ts';

export type CardNotice = {
  kind: 'card';
  /** A card is in the slot. */
  present: boolean;
  /** The card answered as a chip card. */
  chip: boolean;
  /** A stripe was read; `tracks` are the readable ones. */
  swiped: boolean;
  tracks: readonly (1 | 2 | 3)[];
  /** The other tags of the notice besides 48: SRED pairs, masked track 2 (DFAE22), answer to reset (63). */
  tlvs: readonly Tlv[];
};

/** Tags C3 and C4: see `deviceCodes`. */
export type DeviceNotice = { kind: 'device'; code: number; text: string };

/**
 * The codes of tag C3. A device sends `poweredOn` when a connection begins, and again if it restarted meanwhile.
 * Source: the vendor's public SDK sources (DeviceStatus).
 */
export const deviceCodes = {
  poweredOn: 0x01,
  pinEntry: 0x02,
  applicationSelection: 0x03,
  poweringOff: 0x0a,
  rebooting: 0x0b,
  restarting: 0x0c,
  seePhone: 0xc0,
  successBeep: 0xcb,
  errorBeep: 0xce,
} as const;

/** A notice that this driver does not use. */
export type OtherNotice = { kind: 'other'; tags: readonly string[] };

type MpiNotice = CardNotice | DeviceNotice | OtherNotice;

const trackNumbers = [1, 2, 3] as const;

/** The body of an unsolicited message, with the 9000 that ends it. */
export const encodeNotice = (notice: CardNotice | DeviceNotice): Uint8Array =>
  concat(encodeTlv([notice.kind === 'card' ? cardTlv(notice) : deviceTlv(notice)]), fromHex('9000'));

const cardTlv = ({ present, chip, swiped, tracks, tlvs }: CardNotice): Tlv => {
  const slot = (present ? 1 : 0) | (chip ? 2 : 0);
  const stripe = tracks.reduce((bits, track) => bits | (1 << track), swiped ? 1 : 0);
  return tlv('E1', [tlv('48', Uint8Array.of(slot, stripe)), ...tlvs]);
};

const deviceTlv = (notice: DeviceNotice): Tlv =>
  tlv('E6', [tlv('C3', Uint8Array.of(notice.code)), tlv('C4', text.encode(notice.text))]);

/** Tag 63 looks like a template but contains the chip's answer to reset, which is not TLV: it is left out. */
const readableTlvs = (bytes: Uint8Array): Tlv[] => {
  const hex = toHex(bytes);
  const [start, state, size = '0'] = /^E1(?:81)?..4802(....)63(..)/.exec(hex) ?? [];
  if (start === undefined) return decodeTlv(bytes);
  return decodeTlv(fromHex(`4802${state}${hex.slice(start.length + 2 * Number.parseInt(size, 16))}`));
};

/** The state of the slot, as a device reports it on request. Throws `emv.malformed` for an answer without it. */
export const slotAnswer: Codec<CardNotice> = {
  encode: (notice) => encodeTlv([cardTlv(notice)]),
  decode(raw) {
    const notice = noticeOf(raw);
    if (notice.kind !== 'card') throw malformed('The card status', 'tag 48 is missing');
    return notice;
  },
};

/** Reads an unsolicited body. Throws `tlv.malformed` when it is not TLV. */
export const decodeNotice = (body: Uint8Array): MpiNotice => noticeOf(body.subarray(0, -2));

const noticeOf = (data: Uint8Array): MpiNotice => {
  const list = readableTlvs(data);
  const inner = list.flatMap((each) => each.children ?? [each]);
  const [slot, stripe = 0] = find(inner, '48')?.value ?? [];
  if (slot !== undefined) {
    return {
      kind: 'card',
      present: (slot & 1) !== 0,
      chip: (slot & 2) !== 0,
      swiped: (stripe & 1) !== 0,
      tracks: trackNumbers.filter((track) => (stripe & (1 << track)) !== 0),
      tlvs: inner.filter(({ tag }) => tag !== '48'),
    };
  }
  const code = find(inner, 'C3')?.value[0];
  if (code === undefined) return { kind: 'other', tags: inner.map(({ tag }) => tag) };
  return { kind: 'device', code, text: text.decode(find(inner, 'C4')?.value ?? new Uint8Array(0)) };
};

// The status words of MPI and how the driver treats each. Source: the vendor's public SDK sources.

/** Four hex digits. */
export type StatusWord = string;

/**
 * `fallback`: the chip is unusable and the stripe is allowed; `broken`: the card is unusable and the stripe is not
 * allowed; `gone`: there is no card; `noTap`: the card or the amount needs another interface; `refused`: the command
 * was wrong.
 */
type Meaning =
  | 'ok'
  | 'refused'
  | 'notReady'
  | 'gone'
  | 'broken'
  | 'fallback'
  | 'unsupported'
  | 'cancelled'
  | 'timedOut'
  | 'inserted'
  | 'swiped'
  | 'noTap';

export const statusWords: Readonly<Record<StatusWord, { says: string; means: Meaning }>> = {
  '9000': { says: 'done', means: 'ok' },
  '6A88': { says: 'there is no such data', means: 'refused' },
  '9F0D': { says: 'the terminal failed inside', means: 'refused' },
  '9F0F': { says: 'a parameter is wrong', means: 'refused' },
  '9F14': { says: 'the data has a wrong format', means: 'refused' },
  '9F15': { says: 'a configuration file of the terminal is wrong', means: 'notReady' },
  '9F21': { says: 'the data is wrong', means: 'refused' },
  '9F22': { says: 'the terminal is not ready', means: 'notReady' },
  '9F23': { says: 'there is no card', means: 'gone' },
  '9F25': { says: 'the card does not work', means: 'broken' },
  '9F26': { says: 'the command is not allowed now', means: 'refused' },
  '9F27': { says: 'data is missing', means: 'refused' },
  '9F28': { says: 'the card is not supported', means: 'unsupported' },
  '9F2A': { says: 'the terminal lacks a configuration file', means: 'notReady' },
  '9F30': { says: 'the chip cannot be read', means: 'fallback' },
  '9F40': { says: 'the issuer’s public key is wrong', means: 'broken' },
  '9F41': { says: 'it was cancelled', means: 'cancelled' },
  '9F42': { says: 'nobody acted in time', means: 'timedOut' },
  '9F43': { says: 'a card was inserted instead', means: 'inserted' },
  '9F44': { says: 'a card was swiped instead', means: 'swiped' },
  '9F88': { says: 'a field that must be there is missing', means: 'refused' },
  '9FC1': { says: 'the card wants to be inserted or swiped', means: 'noTap' },
  '9FC2': { says: 'the card asks for another interface', means: 'noTap' },
  '9FC3': { says: 'the card wants to be inserted', means: 'noTap' },
  '9FCF': { says: 'the contactless reader does not work', means: 'notReady' },
  '9FE0': { says: 'the terminal has no key for this', means: 'notReady' },
  '9FE1': { says: 'a parameter of the encryption is wrong', means: 'refused' },
  '9FE2': { says: 'there is nothing to encrypt', means: 'refused' },
  '9FE3': { says: 'the terminal cannot load its initial key', means: 'notReady' },
  '9FE4': { says: 'the terminal cannot load its key', means: 'notReady' },
  '9FE5': { says: 'the encryption failed', means: 'refused' },
  '9FE6': { says: 'the terminal could not write its answer', means: 'refused' },
  '9FED': { says: 'access is denied', means: 'refused' },
};

/** The row of a status word; an unknown one counts as a refusal. */
export const statusRow = (status: StatusWord): { says: string; means: Meaning } =>
  statusWords[status] ?? { says: 'an unknown status', means: 'refused' };
