/**
 * The frame of ID TECH's NEO 2 readers: header text, command, sub-command or status, length, data, CRC. The reader
 * sends its CRC high byte first, the host low byte first except for some commands. Source: NEO 2 Interface Developers
 * Guide 80139403-002, "Frame format"; VP3350 Integration Manual 80178501-001.
 */
import { Fault } from '../../src/base/fault.ts';
import { concat } from '../../src/base/hex.ts';
import type { Cut, Framer } from './framer.ts';

export type Neo2Header = 'ViVOtech2' | 'ViVOpayV2' | 'ViVOpayV3';

/** The sender determines what follows the command, and the order of the CRC's bytes. */
export type Neo2Sender = 'host' | 'reader';

export type Neo2Frame = {
  header: Neo2Header;
  command: number;
  /** Present in every frame of the host, and in those of a ViVOpayV3 reader. */
  sub?: number;
  /** Present in every frame of a reader; in a reader's request to the host (command 61) it is the sub-command. */
  status?: number;
  /** In a reader's request to the host: which byte of the checksum came first, if it matters. Set only by reading. */
  checksum?: 'lowFirst' | 'highFirst';
  data: Uint8Array;
};

export type Neo2Framing = {
  from: Neo2Sender;
  /** Host commands whose CRC is sent high byte first. */
  sendsHighByteFirst?(command: number, sub: number): boolean;
};

/** Answers of readers are far shorter; a longer length means a damaged frame. */
export const neo2DataMax = 8_192;
const headerBytes = 10;
export const neo2FrameMax = headerBytes + 5 + neo2DataMax + 2;

const headers: readonly Neo2Header[] = ['ViVOtech2', 'ViVOpayV2', 'ViVOpayV3'];
const headerTexts = headers.map((header) => ({ header, bytes: new Uint8Array(Buffer.from(`${header}\0`, 'latin1')) }));

/**
 * A reader's request to the host looks like a host's command, and the host's answer looks like a reader's: the guide
 * prints their checksums that way (IDG p198, p202). Both byte orders are accepted.
 */
const upcall = 0x61;

/** The header at the start of these bytes; `short` while more bytes may complete one. */
const headerOf = (buffer: Uint8Array): Neo2Header | 'short' | undefined => {
  const length = Math.min(buffer.length, headerBytes);
  for (const { header, bytes } of headerTexts) {
    let offset = 0;
    while (offset < length && buffer[offset] === bytes[offset]) offset += 1;
    if (offset === length) return length < headerBytes ? 'short' : header;
  }
  return undefined;
};

const lengthOffsetOf = (header: Neo2Header, from: Neo2Sender): number =>
  header === 'ViVOpayV3' && from === 'reader' ? 13 : 12;

/** Shared constants for "size not known yet" and "not a frame", because most portions of bytes end inside a frame. */
const unknownYet: readonly number[] = [];

/**
 * The whole sizes that a frame starting with these bytes can have, smallest first; empty while that is not known yet,
 * undefined when it is not a frame. A reader's request to the host has two: the manuals disagree on the byte order of
 * its length.
 */
export const neo2Sizes = (buffer: Uint8Array, from: Neo2Sender): readonly number[] | undefined => {
  const header = headerOf(buffer);
  if (header === undefined) return undefined;
  if (header === 'short') return unknownYet;
  const lengthAt = lengthOffsetOf(header, from);
  const high = buffer[lengthAt];
  const low = buffer[lengthAt + 1];
  if (high === undefined || low === undefined) return unknownYet;
  const length = (high << 8) | low;
  const swappedLength = buffer[headerBytes] === upcall ? (low << 8) | high : length;
  const sizes: number[] = [];
  for (const each of length < swappedLength ? [length, swappedLength] : [swappedLength, length]) {
    const size = lengthAt + each + 4;
    if (each <= neo2DataMax && sizes[0] !== size) sizes.push(size);
  }
  return sizes.length === 0 ? undefined : sizes;
};

/** Cuts one frame. After a false start everything up to the next possible header is noise. */
export const neo2Framer = (framing: Neo2Framing): Framer<Neo2Frame> => {
  return (buffer) => {
    if (buffer.length === 0) return undefined;
    const sizes = neo2Sizes(buffer, framing.from);
    if (sizes === undefined) return noise(buffer, 'no frame begins so');
    for (const size of sizes) {
      if (size > buffer.length) return undefined;
      const found = wholeFrame(buffer, size, framing);
      if (found !== undefined) return found;
    }
    return sizes.length === 0 ? undefined : noise(buffer, wrongCrc);
  };
};

/** Why a whole frame is noise: only its checksum is wrong. */
export const wrongCrc = 'the checksum is wrong';

/** The frame of the first `size` bytes, if their checksum is right. */
const wholeFrame = (buffered: Uint8Array, size: number, framing: Neo2Framing): Cut<Neo2Frame> | undefined => {
  const header = headerOf(buffered) as Neo2Header;
  const [command, second, third] = [
    buffered[headerBytes] ?? 0,
    buffered[headerBytes + 1] ?? 0,
    buffered[headerBytes + 2] ?? 0,
  ];
  const [one, two] = [buffered[size - 2] ?? 0, buffered[size - 1] ?? 0];
  const sendsHighByteFirst = framing.from === 'reader' || framing.sendsHighByteFirst?.(command, second) === true;
  const crc = neo2Crc(buffered, size - 2);
  const [high, low] = [(one << 8) | two, (two << 8) | one];
  const eitherWay = framing.from === 'reader' && command === upcall;
  if (crc !== (sendsHighByteFirst ? high : low) && !(eitherWay && crc === low)) return undefined;
  const both = header === 'ViVOpayV3' && framing.from === 'reader';
  const codes = framing.from === 'host' ? { sub: second } : both ? { sub: second, status: third } : { status: second };
  const data = buffered.slice(both ? 15 : 14, size - 2);
  const checksum = eitherWay && one !== two ? (crc === low ? 'lowFirst' : 'highFirst') : undefined;
  return { kind: 'frame', frame: { header, command, ...codes, checksum, data }, size };
};

const noise = (buffer: Uint8Array, reason: string): Cut<Neo2Frame> => {
  const next = buffer.indexOf(headerTexts[0]?.bytes[0] ?? 0, 1);
  return { kind: 'noise', size: next < 0 ? buffer.length : next, why: reason };
};

/** The bytes of one frame. Throws `terminal.garbled` when the data does not fit into a frame. */
export const encodeNeo2Frame = (frame: Neo2Frame, { from, sendsHighByteFirst }: Neo2Framing): Uint8Array => {
  const { header, command, sub = 0, status = 0, data } = frame;
  if (data.length > neo2DataMax) throw new Fault('terminal.garbled', { bytes: data.length });
  const codes = from === 'host' ? [sub] : header === 'ViVOpayV3' ? [sub, status] : [status];
  const length = [data.length >> 8, data.length & 0xff];
  const open = concat(Buffer.from(`${header}\0`, 'latin1'), Uint8Array.of(command, ...codes, ...length), data);
  const crc = neo2Crc(open);
  const isFromUpcall = command === upcall && isUpcall(codes[0] ?? 0);
  const high = isFromUpcall ? from === 'host' : from === 'reader' || sendsHighByteFirst?.(command, sub) === true;
  const order = high ? [crc >> 8, crc & 0xff] : [crc & 0xff, crc >> 8];
  return concat(open, Uint8Array.from(order));
};

/**
 * 61-01 menu, 61-02 PIN, 61-03 magnetic stripe: requested by the reader, answered by the host under the same numbers.
 */
const isUpcall = (number: number): boolean => number >= 1 && number <= 3;

/** Decodes exactly one frame. Throws `terminal.garbled` for anything shorter, longer or broken. */
export const decodeNeo2Frame = (bytes: Uint8Array, framing: Neo2Framing): Neo2Frame => {
  const cut = neo2Framer(framing)(bytes);
  if (cut?.kind !== 'frame' || cut.size !== bytes.length) throw new Fault('terminal.garbled', { bytes: bytes.length });
  return cut.frame;
};

// The checksum of NEO 2 frames: CRC-16/CCITT-FALSE, polynomial 1021, start FFFF, not reflected.

const crcOfByte = Uint16Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) value = (value & 0x8000) === 0 ? value << 1 : (value << 1) ^ 0x1021;
  return value;
});

/** The checksum over the first `length` bytes, or all. */
export const neo2Crc = (bytes: Uint8Array, length: number = bytes.length): number => {
  let crc = 0xffff;
  for (let offset = 0; offset < length; offset += 1) {
    crc = ((crc << 8) & 0xffff) ^ (crcOfByte[(crc >> 8) ^ (bytes[offset] as number)] as number);
  }
  return crc;
};

// NEO 2 frames in USB HID reports of 64 bytes: report id 01 holds a whole frame, 02 the first 63 bytes of a longer one,
// 03 the next, 04 the last, padded with zeros. A frame ends where its own length says, because its CRC may end in
// zeros. Source: NEO 2 Interface Developers Guide 80139403-002, "USB HID".

/** The size of every report of these readers, id included. */
const reportBytes = 64;
const ids = { whole: 1, first: 2, middle: 3, last: 4 } as const;
const payloadBytes = reportBytes - 1;

export const neo2ReportsOf = (frame: Uint8Array): Uint8Array[] => {
  const count = Math.max(1, Math.ceil(frame.length / payloadBytes));
  return Array.from({ length: count }, (_, index) => {
    const report = new Uint8Array(reportBytes);
    report[0] = count === 1 ? ids.whole : index === 0 ? ids.first : index === count - 1 ? ids.last : ids.middle;
    report.set(frame.subarray(index * payloadBytes, (index + 1) * payloadBytes), 1);
    return report;
  });
};

/** Turns reports into the bytes of their frames, without the padding of the last report. */
export type Neo2Unpacker = { push(reports: Uint8Array): Uint8Array[] };

/** Holds only the possible sizes of the current frame and how much of it has arrived. */
export const neo2Unpacker = (from: Neo2Sender): Neo2Unpacker => {
  let sizes: readonly number[] = [];
  let come = 0;
  let open = false;

  const take = (report: Uint8Array): Uint8Array | undefined => {
    const [id] = report;
    const payload = report.slice(1);
    if (id === ids.whole || id === ids.first) {
      sizes = neo2Sizes(payload, from) ?? [];
      come = 0;
      open = true;
    } else if ((id !== ids.middle && id !== ids.last) || !open) {
      // Unknown ids, and continuations of a frame that never began, are ignored, as the readers themselves do.
      return undefined;
    }
    open = id === ids.first || id === ids.middle;
    const end = open ? undefined : sizes.find((size) => size > come && size <= come + payload.length);
    const bytes = end === undefined ? payload : payload.subarray(0, end - come);
    come += payload.length;
    return bytes;
  };

  return {
    push(reports) {
      const out: Uint8Array[] = [];
      for (let offset = 0; offset < reports.length; offset += reportBytes) {
        const bytes = take(reports.subarray(offset, offset + reportBytes));
        if (bytes !== undefined) out.push(bytes);
      }
      return out;
    },
  };
};
