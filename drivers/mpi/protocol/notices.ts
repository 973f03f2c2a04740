/** What an MPI device says unasked: a card came, went or was swiped; the device changed its state. */
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';
import { decodeTlv, encodeTlv, find, type Tlv, tlv } from '../../../src/emv/tlv.ts';
import { type Codec, malformed } from '../../codec.ts';
import { text } from './codec.ts';

export type CardNotice = {
  kind: 'card';
  /** A card is in the slot. */
  present: boolean;
  /** It answered as a chip card. */
  chip: boolean;
  /** A stripe was read; `tracks` are those that came out well. */
  swiped: boolean;
  tracks: readonly (1 | 2 | 3)[];
  /** What came with it beside tag 48: SRED pairs, masked track 2 (DFAE22), answer to reset (63). */
  tlvs: readonly Tlv[];
};

/** Tags C3 and C4: see `deviceCodes`. */
export type DeviceNotice = { kind: 'device'; code: number; text: string };

/**
 * The codes of tag C3. A device says `poweredOn` when a connection begins, and again when it was restarted meanwhile.
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

/** A notice of a kind this driver has no use for. */
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

/** Tag 63 looks like a template and holds the chip's answer to reset itself, which is no TLV: it is left out. */
const readable = (bytes: Uint8Array): Tlv[] => {
  const hex = toHex(bytes);
  const [start, state, size = '0'] = /^E1(?:81)?..4802(....)63(..)/.exec(hex) ?? [];
  if (start === undefined) return decodeTlv(bytes);
  return decodeTlv(fromHex(`4802${state}${hex.slice(start.length + 2 * Number.parseInt(size, 16))}`));
};

/** How the slot is, as a device says it when it is asked. Throws `emv.malformed` for what says nothing of it. */
export const slotAnswer: Codec<CardNotice> = {
  encode: (notice) => encodeTlv([cardTlv(notice)]),
  decode(raw) {
    const notice = noticeIn(raw);
    if (notice.kind !== 'card') throw malformed('The card status', 'tag 48 is missing');
    return notice;
  },
};

/** Reads an unsolicited body. Throws `tlv.malformed` when it is no TLV at all. */
export const decodeNotice = (body: Uint8Array): MpiNotice => noticeIn(body.subarray(0, -2));

const noticeIn = (data: Uint8Array): MpiNotice => {
  const list = readable(data);
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
