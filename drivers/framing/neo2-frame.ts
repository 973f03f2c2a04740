/**
 * The frame of ID TECH's NEO 2 readers: header text, command, sub-command or status, length, data, CRC.
 * The reader's CRC has its high byte first, the host's its low byte first but for some commands.
 * Source: NEO 2 Interface Developers Guide 80139403-002, "Frame format"; VP3350 Integration Manual 80178501-001.
 */
import { Fault } from '../../src/base/fault.ts';
import { concat } from '../../src/base/hex.ts';
import type { Cut, Framer } from './framer.ts';

export type Neo2Header = 'ViVOtech2' | 'ViVOpayV2' | 'ViVOpayV3';

/** Who sends: it decides what stands behind the command, and the order of the CRC's bytes. */
export type Neo2Sender = 'host' | 'reader';

export type Neo2Frame = {
  header: Neo2Header;
  command: number;
  /** Of every frame of the host, and of a ViVOpayV3 reader. */
  sub?: number;
  /** Of every frame of a reader; in what a reader asks the host (command 61) it is the sub-command. */
  status?: number;
  data: Uint8Array;
};

export type Neo2Framing = {
  from: Neo2Sender;
  /** Commands of the host whose CRC goes high byte first. */
  highFirst?(command: number, sub: number): boolean;
};

/** Answers of readers stay far below it; longer lengths are damage. */
export const neo2DataMax = 8_192;
const headerBytes = 10;
export const neo2FrameMax = headerBytes + 5 + neo2DataMax + 2;

const headers: readonly Neo2Header[] = ['ViVOtech2', 'ViVOpayV2', 'ViVOpayV3'];
const headerTexts = headers.map((header) => ({ header, bytes: Buffer.from(`${header}\0`, 'latin1') }));

/** What a reader asks of its host counts its data low byte first. */
const upcall = 0x61;

/** CRC-16/CCITT-FALSE: polynomial 1021, start FFFF, not reflected. */
export const neo2Crc = (bytes: Uint8Array): number => {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc & 0x8000) !== 0 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc;
};

/** The header that these bytes begin with; `short` while they may still become one. */
const headerOf = (held: Uint8Array): Neo2Header | 'short' | undefined => {
  const seen = Buffer.from(held.buffer, held.byteOffset, Math.min(held.length, headerBytes));
  const row = headerTexts.find(({ bytes }) => bytes.subarray(0, seen.length).equals(seen));
  return row === undefined ? undefined : seen.length < headerBytes ? 'short' : row.header;
};

/**
 * The whole sizes that a frame beginning with these bytes can have, smallest first; empty while that is not known yet,
 * undefined when it is no frame. Two for what a reader asks of its host: manuals disagree on the order of its length.
 */
export const neo2Sizes = (held: Uint8Array, from: Neo2Sender): readonly number[] | undefined => {
  const header = headerOf(held);
  if (header === undefined) return undefined;
  const lengthAt = header === 'ViVOpayV3' && from === 'reader' ? 13 : 12;
  const [high, low] = held.subarray(lengthAt, lengthAt + 2);
  if (header === 'short' || high === undefined || low === undefined) return [];
  const lengths = held[headerBytes] === upcall ? [(high << 8) | low, (low << 8) | high] : [(high << 8) | low];
  const sizes = [...new Set(lengths)].filter((length) => length <= neo2DataMax).map((length) => lengthAt + length + 4);
  return sizes.length === 0 ? undefined : sizes.sort((one, other) => one - other);
};

/** Cuts one frame. Behind a false start everything up to the next possible header is noise. */
export const neo2Frame = (framing: Neo2Framing): Framer<Neo2Frame> => {
  return (held) => {
    if (held.length === 0) return undefined;
    const sizes = neo2Sizes(held, framing.from);
    if (sizes === undefined) return noise(held, 'no frame begins so');
    const cut = sizes.filter((size) => size <= held.length).map((size) => wholeFrame(held.subarray(0, size), framing));
    const found = cut.find((each) => each !== undefined);
    if (found !== undefined) return found;
    return sizes.length > 0 && sizes.every((size) => size <= held.length) ? noise(held, wrongCrc) : undefined;
  };
};

/** The reason of noise that was a frame but for its checksum. */
export const wrongCrc = 'the checksum is wrong';

const wholeFrame = (bytes: Uint8Array, framing: Neo2Framing): Cut<Neo2Frame> | undefined => {
  const header = headerOf(bytes) as Neo2Header;
  const [command = 0, second = 0, third = 0] = bytes.subarray(headerBytes);
  const [one = 0, two = 0] = bytes.subarray(-2);
  const highFirst = framing.from === 'reader' || framing.highFirst?.(command, second) === true;
  if (neo2Crc(bytes.subarray(0, -2)) !== (highFirst ? (one << 8) | two : (two << 8) | one)) return undefined;
  const both = header === 'ViVOpayV3' && framing.from === 'reader';
  const codes = framing.from === 'host' ? { sub: second } : both ? { sub: second, status: third } : { status: second };
  const data = bytes.slice(both ? 15 : 14, -2);
  return { kind: 'frame', frame: { header, command, ...codes, data }, size: bytes.length };
};

const noise = (held: Uint8Array, why: string): Cut<Neo2Frame> => {
  const next = held.indexOf(headerTexts[0]?.bytes[0] ?? 0, 1);
  return { kind: 'noise', size: next < 0 ? held.length : next, why };
};

/** The bytes of one frame. Throws `terminal.garbled` when the data is longer than a frame holds. */
export const encodeNeo2Frame = (frame: Neo2Frame, { from, highFirst }: Neo2Framing): Uint8Array => {
  const { header, command, sub = 0, status = 0, data } = frame;
  if (data.length > neo2DataMax) throw new Fault('terminal.garbled', { bytes: data.length });
  const codes = from === 'host' ? [sub] : header === 'ViVOpayV3' ? [sub, status] : [status];
  const length = [data.length >> 8, data.length & 0xff];
  if (command === upcall && isUpcall(frame)) length.reverse();
  const open = concat(Buffer.from(`${header}\0`, 'latin1'), Uint8Array.of(command, ...codes, ...length), data);
  const crc = neo2Crc(open);
  const order =
    from === 'reader' || highFirst?.(command, sub) === true ? [crc >> 8, crc & 0xff] : [crc & 0xff, crc >> 8];
  return concat(open, Uint8Array.from(order));
};

/** 61-01 menu, 61-02 PIN, 61-03 stripe: asked by the reader, answered by the host under the same numbers. */
const isUpcall = ({ sub, status }: Neo2Frame): boolean => {
  const number = sub ?? status ?? 0;
  return number >= 1 && number <= 3;
};

/** The one frame that these bytes are. Throws `terminal.garbled` for anything shorter, longer or broken. */
export const decodeNeo2Frame = (bytes: Uint8Array, framing: Neo2Framing): Neo2Frame => {
  const cut = neo2Frame(framing)(bytes);
  if (cut?.kind !== 'frame' || cut.size !== bytes.length) throw new Fault('terminal.garbled', { bytes: bytes.length });
  return cut.frame;
};
