/**
 * The packet layer of MagTek's MMS over USB HID: messages cut into reports of 64 bytes and joined again, by packet
 * number and declared length. Trailing zeros are never trimmed: a message may end with zeros of its own. Source:
 * MagTek, DynaFlex family programmer's manual, "Connection Types", USB HID packets.
 */
import { Fault } from '../../src/base/fault.ts';
import { concat } from '../../src/base/hex.ts';
import type { Cut, FramePiece, Framer } from './framer.ts';

/** Bytes in a report; these devices have no report ids. */
const reportBytes = 64;

const types = { single: 0, head: 1, middle: 2, tail: 3, cancel: 4 } as const;

/** How many bytes of the message each type of report carries. */
export const reportParts = { single: 62, head: 59, middle: 61, tail: 62 } as const;

export type ReportReader = {
  push(bytes: Uint8Array): FramePiece<Uint8Array>[];
  size(): number;
  skip(): FramePiece<Uint8Array>[];
};

/** A message that is still incomplete: `bytes` has room for all of it, `length` says how much has arrived. */
type PartialMessage = { bytes: Uint8Array; length: number; next: number };
type Pieces = FramePiece<Uint8Array>[];

/**
 * Joins the reports of one direction. Holds at most one message of `messageMax` bytes; reports that break a rule
 * are noise.
 */
export const mmsReportReader = (messageMax: number): ReportReader => {
  const joiner = new Joiner(messageMax);
  return {
    push(bytes) {
      const pieces: Pieces = [];
      for (let offset = 0; offset < bytes.length; offset += reportBytes) {
        const whole = offset === 0 && bytes.length <= reportBytes;
        joiner.take(whole ? bytes : bytes.subarray(offset, offset + reportBytes), pieces);
      }
      return pieces;
    },
    size: () => joiner.size(),
    skip() {
      const pieces: Pieces = [];
      joiner.giveUp('the rest of the message never came', pieces);
      return pieces;
    },
  };
};

class Joiner {
  readonly #most: number;
  #joining: PartialMessage | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  size(): number {
    return this.#joining?.length ?? 0;
  }

  giveUp(reason: string, pieces: Pieces) {
    const joining = this.#joining;
    this.#joining = undefined;
    if (joining !== undefined)
      pieces.push({ kind: 'noise', bytes: joining.bytes.slice(0, joining.length), why: reason });
  }

  /** Takes one report; adds the message that it completes, or the noise, to the pieces. */
  take(report: Uint8Array, pieces: Pieces) {
    if (report.length < reportBytes) return this.#refuse(report, 'less than a report', pieces);
    switch (report[0]) {
      case types.single:
        return this.#single(report, pieces);
      case types.head:
        return this.#start(report, pieces);
      case types.middle:
        return this.#goOn(report, pieces);
      case types.tail:
        return this.#finish(report, pieces);
      case types.cancel:
        // The sender cancels its message: nothing was lost.
        this.#joining = undefined;
        return;
      default:
        this.#refuse(report, 'no report begins with this byte', pieces);
    }
  }

  #refuse(report: Uint8Array, reason: string, pieces: Pieces) {
    this.giveUp('the rest of the message never came', pieces);
    pieces.push({ kind: 'noise', bytes: report.slice(), why: reason });
  }

  #single(report: Uint8Array, pieces: Pieces) {
    const size = report[1] ?? 0;
    if (size < 1 || size > reportParts.single) {
      return this.#refuse(report, `no single packet holds ${size} bytes`, pieces);
    }
    this.giveUp('another message began before its end', pieces);
    pieces.push({ kind: 'frame', frame: report.slice(2, 2 + size) });
  }

  #start(report: Uint8Array, pieces: Pieces) {
    const total = numberAt(report, 1) * 0x1_0000 + numberAt(report, 3);
    if (total <= reportParts.head || total > this.#most) {
      return this.#refuse(report, `no message of reports has ${total} bytes`, pieces);
    }
    this.giveUp('another message began before its end', pieces);
    // Room for the whole message at once: its size is bounded, and it arrives within a moment.
    const bytes = new Uint8Array(total);
    bytes.set(report.subarray(5, 5 + reportParts.head));
    this.#joining = { bytes, length: reportParts.head, next: 1 };
  }

  #goOn(report: Uint8Array, pieces: Pieces) {
    const joining = this.#joining;
    const number = numberAt(report, 1);
    if (joining === undefined) return this.#refuse(report, 'a middle without its head', pieces);
    if (number !== joining.next) {
      return this.#refuse(report, `packet ${number} where ${joining.next} was due`, pieces);
    }
    // Some bytes must remain for the tail.
    if (joining.length + reportParts.middle >= joining.bytes.length) {
      return this.#refuse(report, 'more than the head declared', pieces);
    }
    joining.bytes.set(report.subarray(3, 3 + reportParts.middle), joining.length);
    joining.length += reportParts.middle;
    joining.next += 1;
  }

  #finish(report: Uint8Array, pieces: Pieces) {
    const joining = this.#joining;
    const size = report[1] ?? 0;
    if (joining === undefined) return this.#refuse(report, 'a tail without its head', pieces);
    if (size < 1 || size > reportParts.tail || joining.length + size !== joining.bytes.length) {
      return this.#refuse(report, 'not as long as the head declared', pieces);
    }
    joining.bytes.set(report.subarray(2, 2 + size), joining.length);
    this.#joining = undefined;
    pieces.push({ kind: 'frame', frame: joining.bytes });
  }
}

/** Two bytes, high byte first. */
const numberAt = (report: Uint8Array, offset: number): number =>
  ((report[offset] ?? 0) << 8) | (report[offset + 1] ?? 0);

/** Cuts bytes into whole reports; the last one may be short when the bytes are not reports. */
export const reportsOf = (bytes: Uint8Array): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / reportBytes) }, (_, index) =>
    bytes.subarray(index * reportBytes, (index + 1) * reportBytes),
  );

/** The reports of one message, one after the other in one array. Throws `terminal.garbled` for an empty message. */
export const encodeMmsReports = (message: Uint8Array): Uint8Array => {
  if (message.length === 0) throw new Fault('terminal.garbled', { bytes: 0 });
  if (message.length <= reportParts.single) return pad(Uint8Array.of(types.single, message.length), message);

  const total = new Uint8Array(4);
  new DataView(total.buffer).setUint32(0, message.length);
  const reports = [pad(concat(Uint8Array.of(types.head), total), message.subarray(0, reportParts.head))];
  let offset: number = reportParts.head;
  for (let number = 1; message.length - offset > reportParts.tail; number += 1) {
    const header = Uint8Array.of(types.middle, number >> 8, number);
    reports.push(pad(header, message.subarray(offset, offset + reportParts.middle)));
    offset += reportParts.middle;
  }
  reports.push(pad(Uint8Array.of(types.tail, message.length - offset), message.subarray(offset)));
  return concat(...reports);
};

const pad = (header: Uint8Array, part: Uint8Array): Uint8Array => {
  const report = new Uint8Array(reportBytes);
  report.set(header);
  report.set(part, header.length);
  return report;
};

// MagTek's MMS on a serial line or TCP: SLIP (RFC 1055) around an info byte, the message's length and the message.
// There is no checksum and no acknowledgement; a receiver that is out of step looks for the next END. Source: MagTek,
// DynaFlex family programmer's manual, "Connection Types", SLIP.

const END = 0xc0;
const ESCAPE = 0xdb;
const ESCAPED_END = 0xdc;
const ESCAPED_ESCAPE = 0xdd;
/** Info byte and length. */
const headerBytes = 5;

/** The sender of a frame. `tooLong` has no message; its `most` is the longest message that the receiver takes. */
export const slipInfo = { fromHost: 0, fromDevice: 2, tooLong: 3 } as const;

export type SlipFrame = { info: number; message: Uint8Array; most?: number };

/** The length of the longest frame around a message of this length: every byte escaped. */
export const slipFrameMax = (messageMax: number): number => 2 + 2 * (headerBytes + messageMax);

/** Cuts one frame. A broken frame is noise up to its END, which may begin the next one. */
export const slipFramer: Framer<SlipFrame> = (buffer) => {
  const [first, second] = buffer;
  if (first === undefined) return undefined;
  if (first !== END) {
    const next = buffer.indexOf(END);
    return noise(next < 0 ? buffer.length : next, 'no frame starts with this byte');
  }
  if (second === END) return noise(countEmptyBytes(buffer), 'an empty frame');
  const end = buffer.indexOf(END, 1);
  if (end < 0) return undefined;
  const body = removeEscapes(buffer.subarray(1, end));
  if (body === undefined || body.length < headerBytes) return noise(end, 'an escape or the length is broken');
  const length = new DataView(body.buffer, body.byteOffset).getUint32(1);
  const info = body[0] ?? 0;
  const message = body.subarray(headerBytes);
  if (info === slipInfo.tooLong && message.length === 0) return frame({ info, message, most: length }, end);
  if (message.length !== length) return noise(end, 'its length is not what it declares');
  return frame({ info, message }, end);
};

/** The number of leading ENDs that open no frame: all but the last. */
const countEmptyBytes = (buffer: Uint8Array): number => {
  let size = 1;
  while (buffer[size + 1] === END) size += 1;
  return size;
};

const noise = (size: number, reason: string): Cut<SlipFrame> => ({ kind: 'noise', size, why: reason });
const frame = (slipFrame: SlipFrame, end: number): Cut<SlipFrame> => ({
  kind: 'frame',
  frame: slipFrame,
  size: end + 1,
});

/** Undefined when an escape is followed by a byte that is never escaped. */
const removeEscapes = (bytes: Uint8Array): Uint8Array | undefined => {
  const out = new Uint8Array(bytes.length);
  let length = 0;
  for (let offset = 0; offset < bytes.length; offset += 1) {
    let byte = bytes[offset] as number;
    if (byte === ESCAPE) {
      offset += 1;
      if (bytes[offset] !== ESCAPED_END && bytes[offset] !== ESCAPED_ESCAPE) return undefined;
      byte = bytes[offset] === ESCAPED_END ? END : ESCAPE;
    }
    out[length] = byte;
    length += 1;
  }
  return out.subarray(0, length);
};

/** The bytes of one frame. Throws `terminal.garbled` when a `tooLong` frame has a message. */
export const encodeSlip = ({ info, message, most }: SlipFrame): Uint8Array => {
  if (most !== undefined && message.length > 0) throw new Fault('terminal.garbled', { bytes: message.length });
  const header = new Uint8Array(headerBytes);
  header[0] = info;
  new DataView(header.buffer).setUint32(1, most ?? message.length);
  return escapeText(concat(header, message));
};

/** The bytes between two ENDs. */
const escapeText = (bytes: Uint8Array): Uint8Array => {
  const out = new Uint8Array(2 + 2 * bytes.length);
  let length = 0;
  const put = (byte: number): void => {
    out[length] = byte;
    length += 1;
  };
  put(END);
  for (const byte of bytes) {
    if (byte === END || byte === ESCAPE) put(ESCAPE);
    if (byte === END) put(ESCAPED_END);
    else put(byte === ESCAPE ? ESCAPED_ESCAPE : byte);
  }
  put(END);
  return out.slice(0, length);
};
