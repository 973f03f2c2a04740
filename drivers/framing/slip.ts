/**
 * MagTek's MMS on a serial line or TCP: SLIP (RFC 1055) around an info byte, the message's length and the message.
 * There is no checksum and no acknowledgement; whoever lost the thread looks for the next END.
 * Source: MagTek, DynaFlex family programmer's manual, "Connection Types", SLIP.
 */
import { Fault } from '../../src/base/fault.ts';
import { concat } from '../../src/base/hex.ts';
import type { Cut, Framer } from './framer.ts';

const END = 0xc0;
const ESCAPE = 0xdb;
const ESCAPED_END = 0xdc;
const ESCAPED_ESCAPE = 0xdd;
/** Info byte and length. */
const headerBytes = 5;

/** Who speaks. `tooLong` has no message: the receiver tells in `most` the longest that it takes. */
export const slipInfo = { fromHost: 0, fromDevice: 2, tooLong: 3 } as const;

export type SlipFrame = { info: number; message: Uint8Array; most?: number };

/** The longest frame around a message of this length: every byte escaped. */
export const slipFrameMax = (messageMax: number): number => 2 + 2 * (headerBytes + messageMax);

/** Cuts one frame. A broken one is noise up to its END, which may begin the next. */
export const slip: Framer<SlipFrame> = (held) => {
  const [first, second] = held;
  if (first === undefined) return undefined;
  if (first !== END) {
    const next = held.indexOf(END);
    return noise(next < 0 ? held.length : next, 'no frame starts with this byte');
  }
  if (second === END) return noise(emptyBytes(held), 'an empty frame');
  const end = held.indexOf(END, 1);
  if (end < 0) return undefined;
  const body = unescaped(held.subarray(1, end));
  if (body === undefined || body.length < headerBytes) return noise(end, 'an escape or the length is broken');
  const length = new DataView(body.buffer, body.byteOffset).getUint32(1);
  const info = body[0] ?? 0;
  const message = body.subarray(headerBytes);
  if (info === slipInfo.tooLong && message.length === 0) return frame({ info, message, most: length }, end);
  if (message.length !== length) return noise(end, 'its length is not what it declares');
  return frame({ info, message }, end);
};

/** How many bytes of the ENDs it begins with open no frame: all but the last. */
const emptyBytes = (held: Uint8Array): number => {
  let size = 1;
  while (held[size + 1] === END) size += 1;
  return size;
};

const noise = (size: number, why: string): Cut<SlipFrame> => ({ kind: 'noise', size, why });
const frame = (made: SlipFrame, end: number): Cut<SlipFrame> => ({ kind: 'frame', frame: made, size: end + 1 });

/** Undefined when an escape is followed by what cannot be escaped. */
const unescaped = (bytes: Uint8Array): Uint8Array | undefined => {
  const out = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    let byte = bytes[at] as number;
    if (byte === ESCAPE) {
      at += 1;
      if (bytes[at] !== ESCAPED_END && bytes[at] !== ESCAPED_ESCAPE) return undefined;
      byte = bytes[at] === ESCAPED_END ? END : ESCAPE;
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
  return escaped(concat(header, message));
};

/** The bytes between two ENDs. */
const escaped = (bytes: Uint8Array): Uint8Array => {
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
