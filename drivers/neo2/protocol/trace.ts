/**
 * Records a NEO 2 conversation without its card data: frames stay whole and valid, and values that are not known to be
 * harmless become zeros, marked as masked. Such a tape can be replayed, and compared with another reader.
 */
import { concat, overwrite, toHex } from '../../../src/base/hex.ts';
import { isSensitive } from '../../../src/emv/tags.ts';
import { serviceCodeOf } from '../../card-facts.ts';
import type { TraceDirection } from '../../driver.ts';
import { cutter } from '../../framing/framer.ts';
import {
  encodeNeo2Frame,
  type Neo2Frame,
  neo2FrameMax,
  neo2Framer,
  neo2ReportsOf,
  neo2Unpacker,
} from '../../framing/neo2-frame.ts';
import { type Link, reportBytes } from '../../links/link.ts';
import type { Scribe } from '../../links/tape.ts';
import { printBytes, type TapeBytes } from '../../links/tape-text.ts';
import { resultCodec } from './answers.ts';
import { commandByte, commandNames, commands, fromHost, fromReader } from './commands.ts';
import { appendChecksums, decodeMsrBlock } from './msr-block.ts';
import { decodeNeo2Tlv, encodeNeo2Tlv, type Neo2Tlv } from './tlv.ts';
import { upcallCommand } from './upcalls.ts';

/** Vendor tags that contain no card data. The key serial number DFEE12 identifies a key, not a card. */
const clearTags = new Set(
  `DFEE12 FFEE12 DFEE25 DFEE26 DFEE1A DFEE30 DF30 DFEF1F DFEF37 DFEF3C DFEF61 DFEE7E FFEE1F DFEE02 DF62 FFEE01 FF8105 FF8106
   E300`.split(/\s+/),
);

/** The tracks of a swipe, in a block with its own format. */
const msrBlock = 'DFEE23';

/** Commands for a step of a card transaction, whose data consists of TLVs. */
const cardCommands = new Set([0x02, 0x03, 0x60, 0x83]);
/** PINs as characters: only their state is shown. */
const pinCommand = commandByte('onlinePin');
/** How many bytes come before a command's TLVs. */
const heads: Readonly<Record<string, number>> = {
  [commands.activate.code]: 1,
  [commands.startChip.code]: 5,
  [commands.authenticate.code]: 3,
  [commands.finish.code]: 1,
  [commands.tapResult.code]: 1,
  [commands.manual.code]: 4,
};
const commandBytes = new Set(commandNames.map(commandByte));

/** Shows whole frames with sensitive values zeroed; noise as unknown bytes. Over HID, one line per report. */
export const neo2Scribe = (direction: TraceDirection, carries: Link['carries']): Scribe => {
  const framing = direction === 'said' ? fromHost : fromReader;
  const frames = cutter(neo2Framer(framing), neo2FrameMax);
  const unpacker = neo2Unpacker(framing.from);
  const hideUnreadable = (count: number): string => '**'.repeat(carries === 'stream' ? count : roundToReports(count));
  const lines = (shown: TapeBytes): string[] =>
    carries === 'stream' ? [printBytes(shown)] : splitReports(shown).map(printBytes);
  const write = (bytes: Uint8Array): string[] =>
    frames.push(bytes).flatMap((piece) => {
      if (piece.kind === 'noise') {
        overwrite(piece.bytes);
        return [hideUnreadable(piece.bytes.length)];
      }
      const { frame } = piece;
      const [zeros, ones] = [maskData(frame, direction, 0x00), maskData(frame, direction, 0xff)];
      const bytes = encodeNeo2Frame({ ...frame, data: zeros }, framing);
      const shownLines = lines({ bytes, counts: markHidden(bytes.length, frame.data, { zeros, ones }) });
      // This copy of the received bytes may contain an encrypted PIN.
      overwrite(frame.data);
      return shownLines;
    });
  const unpack = (bytes: Uint8Array): string[] =>
    unpacker.push(bytes).flatMap((part) => {
      const written = write(part);
      overwrite(part);
      return written;
    });
  return { push: (bytes) => (carries === 'stream' ? write(bytes) : unpack(bytes)) };
};

const crcBytes = 2;

/**
 * Which bytes of a frame of this size are compared. Data bytes, which come before the checksum, are masked if another
 * fill byte changes them, including those that are equal by chance; then the checksum is masked too.
 */
const markHidden = (size: number, data: Uint8Array, fills: { zeros: Uint8Array; ones: Uint8Array }): Uint8Array => {
  const counts = new Uint8Array(size).fill(1);
  const crcAt = size - crcBytes;
  const same = data.map((byte, index) => (byte === fills.zeros[index] && byte === fills.ones[index] ? 1 : 0));
  counts.set(same, crcAt - data.length);
  if (same.includes(0)) counts.fill(0, crcAt);
  return counts;
};

const roundToReports = (count: number): number => Math.ceil(count / reportBytes) * reportBytes;

/** Packs the marks the same way; bytes that a report adds are compared. */
const splitReports = ({ bytes, counts }: TapeBytes): TapeBytes[] => {
  const hidden = neo2ReportsOf(counts.map((counted) => 1 - counted));
  return neo2ReportsOf(bytes).map((report, index) => ({
    bytes: report,
    counts: report.map((_, place) => (place > 0 && hidden[index]?.[place] === 1 ? 0 : 1)),
  }));
};

const fillCopy = (data: Uint8Array, fill: number): Uint8Array => new Uint8Array(data.length).fill(fill);

const maskData = (frame: Neo2Frame, direction: TraceDirection, fill: number): Uint8Array => {
  const { command, sub = 0, data } = frame;
  if (command === pinCommand) return maskPin(data, direction, fill);
  if (!commandBytes.has(command) && command !== upcallCommand) return fillCopy(data, fill);
  if (!cardCommands.has(command)) return data;
  const headSize = direction === 'said' ? (heads[toHex(Uint8Array.of(command, sub))] ?? 0) : undefined;
  const head = headSize ?? (hasAttribution(data) ? 1 : 0);
  return concat(data.subarray(0, head), maskTlvs(data.subarray(head), fill));
};

/** A question without an external card number is shown whole; an answer shows only its state. */
const maskPin = (data: Uint8Array, direction: TraceDirection, fill: number): Uint8Array =>
  direction === 'said' && data[1] === 0 ? data : concat(data.subarray(0, 1), fillCopy(data.subarray(1), fill));

const hasAttribution = (data: Uint8Array): boolean => {
  try {
    return resultCodec.decode(data).attribution !== undefined;
  } catch {
    // Bytes that are not TLV cannot be judged; they are masked completely below.
    return false;
  }
};

/** The same objects in the same places; one that is unreadable, or would change its length, is masked completely. */
const maskTlvs = (data: Uint8Array, fill: number): Uint8Array => {
  try {
    const masked = encodeNeo2Tlv(decodeNeo2Tlv(data).map((object) => maskTlv(object, fill)));
    return masked.length === data.length ? masked : fillCopy(data, fill);
  } catch {
    // Bytes that are not TLV cannot be judged.
    return fillCopy(data, fill);
  }
};

const maskTlv = (object: Neo2Tlv, fill: number): Neo2Tlv => {
  if (object.children !== undefined) {
    return { ...object, children: object.children.map((child) => maskTlv(child, fill)) };
  }
  const show = object.mark === undefined && (clearTags.has(object.tag) || !isSensitive(object.tag));
  if (show) return object;
  const block = object.tag === msrBlock ? maskedMsrBlock(object.value, fill) : undefined;
  return { ...object, value: block ?? fillCopy(object.value, fill) };
};

// Tag DFEE23 for a recording: the same block with masked tracks, so that a recorded swipe can be read again.

/** A block of the same length with correct sums; undefined for bytes that are not a block. */
export const maskedMsrBlock = (value: Uint8Array, fill: number): Uint8Array | undefined => {
  const block = decodeMsrBlock(value);
  if (block === undefined) return undefined;
  const shown = fillCopy(value, fill);
  shown.set(value.subarray(0, block.headBytes));
  for (const { track, masked } of block.tracks) {
    if (track === 2 && masked !== undefined) shown.set(maskedTrack2(masked, fill), placeIn(value, masked));
  }
  if (block.ksn !== undefined) shown.set(block.ksn, placeIn(value, block.ksn));
  return appendChecksums(shown);
};

/** Where this view of the bytes begins. */
const placeIn = (bytes: Uint8Array, part: Uint8Array): number => part.byteOffset - bytes.byteOffset;

/** Keeps first six, last four, the service code of track 2 and its separators; replaces every other digit. */
const maskedTrack2 = (bytes: Uint8Array, fill: number): Uint8Array => {
  const text = Buffer.from(bytes).toString('latin1');
  const [whole, number = '', rest = ''] = /^;([\d*]{12,19})=([\d*:]*)\?/.exec(text) ?? [];
  if (whole === undefined) return fillCopy(bytes, fill);
  const fillDigits = (digits: string): string => digits.replace(/[^:]/g, fill === 0 ? '0' : '9');
  const service = serviceCodeOf(rest) ?? fillDigits(rest.slice(4, 7));
  const display = `;${number.slice(0, 6)}${fillDigits(number.slice(6, -4))}${number.slice(-4)}`;
  const discretionary = `${fillDigits(rest.slice(0, 4))}${service}${fillDigits(rest.slice(7))}`;
  return Uint8Array.from(Buffer.from(`${display}=${discretionary}?${fillDigits(text.slice(whole.length))}`, 'latin1'));
};
