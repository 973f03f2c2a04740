/**
 * The data blocks of a transaction, ARQC and batch: a length, template F9, zeros to whole blocks of eight, a MAC. What
 * is secret is in one ciphertext, DFDF59: tracks, chip data, cryptograms, the PIN block.
 * Source: MagTek, DynaFlex family programmer's manual, "EMV ARQC (DynaPro Format) Type" and "EMV Batch Data".
 */
import { Fault } from '../../../src/base/fault.ts';
import { concat, toHex } from '../../../src/base/hex.ts';
import { overwrite } from '../../../src/base/overwrite.ts';
import { decodeTlv, encodeTlv, find, findDeep, type Tlv, tlv } from '../../../src/emv/tlv.ts';
import type { Encrypted } from '../../terminal.ts';

export type MmsBlock = {
  /** Tag DFDF25: the device's serial number as text and a zero, to be sent back with the host's word. */
  serial: Uint8Array;
  /** Tags DFDF59 and DFDF56; a window on what was read, which `takeSealed` overwrites. */
  sealed?: Encrypted;
  /** Tag DFDF57: 80 DUKPT with Triple DES, 90 AES-128, A0 AES-256. */
  encryption?: number;
  /** Of a batch, DFDF1A: what the card decided. */
  decision?: 'accepted' | 'declined' | 'failed';
  /** The objects beside the ciphertext that are in clear. */
  clear: readonly Tlv[];
  /** Four bytes, hex; undefined when the device has no MAC key. */
  mac?: string;
};

const lengthBytes = 2;
export const macBytes = 4;
/** Blocks are filled to whole ones of these. */
export const blockBytes = 8;

export const decisions = { '00': 'accepted', '01': 'declined', '02': 'failed' } as const;

const malformed = (why: string): Fault => new Fault('emv.malformed', { what: 'A data block', why });

/** Reads either block. The MAC is looked for at the end, for its filling is not always right. Throws a Fault. */
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
    ...(data === undefined || ksn === undefined ? {} : { sealed: { data, ksn: toHex(ksn) } }),
    ...(encryption === undefined ? {} : { encryption }),
    ...(decision === undefined ? {} : { decision }),
    ...(mac === '00000000' ? {} : { mac }),
  };
};

/** Takes the ciphertext out of a block, which may have a PIN in it: its bytes are overwritten where they stood. */
export const takeSealed = ({ sealed }: MmsBlock): Encrypted | undefined => {
  if (sealed === undefined) return undefined;
  const taken = { ...sealed, data: sealed.data.slice() };
  overwrite(sealed.data);
  return taken;
};

const isWrapper = new Set('DFDF54 DFDF55 DFDF25 DFDF59 DFDF56 DFDF57 DFDF58 DFDF1A DFDF1B'.split(' '));

const leaves = (tlvs: readonly Tlv[]): Tlv[] =>
  tlvs.flatMap((each) => (each.children === undefined ? [each] : leaves(each.children)));

/** What the sender of a block puts into it. `mac` gets length, template and filling. */
export type BlockParts = {
  serial: Uint8Array;
  macKsn: Uint8Array;
  macType: number;
  body: readonly Tlv[];
  mac(message: Uint8Array): Uint8Array;
  /** How many zeros stand behind the template: to whole blocks of eight unless given. */
  filling?: number;
};

/** The bytes of a block. */
export const encodeBlock = ({ serial, macKsn, macType, body, mac, filling }: BlockParts): Uint8Array => {
  const head = [tlv('DFDF54', macKsn), tlv('DFDF55', Uint8Array.of(macType)), tlv('DFDF25', serial)];
  const template = encodeTlv([tlv('F9', [...head, tlv('FA', body)])]);
  const whole = lengthBytes + template.length;
  const filled = new Uint8Array(filling === undefined ? Math.ceil(whole / blockBytes) * blockBytes : whole + filling);
  new DataView(filled.buffer).setUint16(0, template.length);
  filled.set(template, lengthBytes);
  return concat(filled, mac(filled));
};

/** Tag F8: a ciphertext, the serial number of its key, how it was made, and how many bytes at its end are filling. */
export const sealedTlv = (o: { data: Uint8Array; ksn: Uint8Array; type: number; filling: number }): Tlv =>
  tlv('F8', [
    tlv('DFDF59', o.data),
    tlv('DFDF56', o.ksn),
    tlv('DFDF57', Uint8Array.of(o.type)),
    tlv('DFDF58', Uint8Array.of(o.filling)),
  ]);
