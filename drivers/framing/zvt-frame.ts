/**
 * The APDU of ZVT as TCP carries it: class, instruction, length, data. There is no frame around it and no checksum. A
 * length of FF means that the real length follows in two bytes, low byte first. Source: PA00P015 13.09, PA00P016.
 */
import { Fault } from '../../src/base/fault.ts';
import { concat, fromHex, toHex } from '../../src/base/hex.ts';
import type { Cut, Framer } from './framer.ts';

export type ZvtApdu = {
  /** Class and instruction, four hex digits; `8000` or `84xx` in an answer. */
  code: string;
  data: Uint8Array;
};

/** The protocol allows 65535; the longest receipts in public captures have 1,700 bytes. */
export const zvtDataMax = 16_384;
export const zvtApduMax = zvtDataMax + 5;

/**
 * 04, 06 and 08: commands of either side; 05: enquiries; 0F: additions of some vendors (a report of the till); 80 and
 * 84: answers. Nothing else begins an APDU.
 */
const classes: ReadonlySet<number> = new Set([0x04, 0x05, 0x06, 0x08, 0x0f, 0x80, 0x84]);

/** Every byte value as two hex digits. */
const hexOf = Array.from({ length: 256 }, (_, byte) => toHex(Uint8Array.of(byte)));

/** Cuts one APDU. A byte that cannot start one is noise. */
export const zvtApduFramer: Framer<ZvtApdu> = (buffer) => {
  const kind = buffer[0];
  const instruction = buffer[1];
  const short = buffer[2];
  if (kind === undefined) return undefined;
  if (!classes.has(kind)) return noise('no message starts with this byte');
  if (instruction === undefined || short === undefined) return undefined;
  const low = buffer[3];
  const high = buffer[4];
  if (short === 0xff && (low === undefined || high === undefined)) return undefined;
  const start = short === 0xff ? 5 : 3;
  const length = short === 0xff ? (high as number) * 0x100 + (low as number) : short;
  if (length > zvtDataMax) return noise(`no message here has ${length} bytes`);
  if (buffer.length < start + length) return undefined;
  const code = `${hexOf[kind]}${hexOf[instruction]}`;
  return { kind: 'frame', frame: { code, data: buffer.slice(start, start + length) }, size: start + length };
};

const noise = (reason: string): Cut<ZvtApdu> => ({ kind: 'noise', size: 1, why: reason });

/** The bytes of one APDU. Throws `terminal.garbled` when the data is longer than 16,384 bytes. */
export const encodeZvtApdu = ({ code, data }: ZvtApdu): Uint8Array => {
  const { length } = data;
  if (length > zvtDataMax) throw new Fault('terminal.garbled', { bytes: length });
  const lengths = length < 0xff ? Uint8Array.of(length) : Uint8Array.of(0xff, length & 0xff, length >> 8);
  return concat(fromHex(code), lengths, data);
};

/** Decodes exactly one APDU. Throws `terminal.garbled` for anything shorter, longer or of another class. */
export const decodeZvtApdu = (bytes: Uint8Array): ZvtApdu => {
  const cut = zvtApduFramer(bytes);
  if (cut?.kind !== 'frame' || cut.size !== bytes.length) throw new Fault('terminal.garbled', { bytes: bytes.length });
  return cut.frame;
};

// ZVT's frame on serial lines: DLE STX, the APDU with every DLE doubled, DLE ETX, CRC; each frame is answered by a bare
// ACK or NAK. The CRC is CRC-16 (polynomial 8408 reflected, start 0) over the APDU before doubling and the ETX; low
// byte first. Source: PA00P016.

export type ZvtFrame =
  | { kind: 'ack' }
  | { kind: 'nak' }
  | { kind: 'apdu'; apdu: ZvtApdu }
  /** A damaged frame from start to end; the answer to it is a NAK. */
  | { kind: 'broken'; why: string; bytes: number };

const DLE = 0x10;
const STX = 0x02;
const ETX = 0x03;
const ACK = 0x06;
const NAK = 0x15;

export const zvtAck = Uint8Array.of(ACK);
export const zvtNak = Uint8Array.of(NAK);

/** Every byte of the APDU can be a DLE, which is sent twice. */
export const zvtFrameMax = 2 * zvtApduMax + 6;

/** Cuts one frame, one ACK or one NAK. Bytes between frames are noise. */
export const zvtSerialFramer: Framer<ZvtFrame> = (buffer) => {
  const first = buffer[0];
  const second = buffer[1];
  if (first === undefined) return undefined;
  if (first === ACK) return { kind: 'frame', frame: { kind: 'ack' }, size: 1 };
  if (first === NAK) return { kind: 'frame', frame: { kind: 'nak' }, size: 1 };
  if (first !== DLE) return serialNoise(1, 'no frame starts with this byte');
  if (second === undefined) return undefined;
  if (second !== STX) return serialNoise(1, 'no frame starts like this');
  return cutBody(buffer);
};

const cutBody = (buffered: Uint8Array): Cut<ZvtFrame> | undefined => {
  let doubled = 0;
  // Jumps from DLE to DLE: the bytes between them need no check.
  for (let offset = buffered.indexOf(DLE, 2); offset >= 0; offset = buffered.indexOf(DLE, offset + 2)) {
    const next = buffered[offset + 1];
    if (next === undefined) return undefined;
    // The end was lost and the next frame has begun, which must not be swallowed.
    if (next === STX) return { kind: 'frame', frame: brokenFrame('its end is missing', offset), size: offset };
    if (next === ETX)
      return cutEnd(buffered, {
        content: removeDoubledBytes(buffered.subarray(2, offset), doubled),
        crcAt: offset + 2,
      });
    if (next !== DLE) return { kind: 'frame', frame: brokenFrame('a DLE stands alone', offset + 1), size: offset + 1 };
    doubled += 1;
  }
  return undefined;
};

/** A copy in which each of the `doubled` DLEs appears once. */
const removeDoubledBytes = (bytes: Uint8Array, doubled: number): Uint8Array => {
  if (doubled === 0) return bytes.slice();
  const content = new Uint8Array(bytes.length - doubled);
  let length = 0;
  let from = 0;
  for (let offset = bytes.indexOf(DLE); offset >= 0; offset = bytes.indexOf(DLE, from)) {
    content.set(bytes.subarray(from, offset + 1), length);
    length += offset + 1 - from;
    from = offset + 2;
  }
  content.set(bytes.subarray(from), length);
  return content;
};

const cutEnd = (
  buffer: Uint8Array,
  { content, crcAt }: { content: Uint8Array; crcAt: number },
): Cut<ZvtFrame> | undefined => {
  const low = buffer[crcAt];
  const high = buffer[crcAt + 1];
  if (low === undefined || high === undefined) return undefined;
  const size = crcAt + 2;
  if (frameCrc(content) !== high * 0x100 + low) {
    return { kind: 'frame', frame: brokenFrame('the checksum is wrong', size), size };
  }
  try {
    return { kind: 'frame', frame: { kind: 'apdu', apdu: decodeZvtApdu(content) }, size };
  } catch {
    // The checksum is right, so a NAK would bring the same bytes again, but they cannot be decoded either.
    return { kind: 'frame', frame: brokenFrame('its content is not a message', size), size };
  }
};

const brokenFrame = (reason: string, bytes: number): ZvtFrame => ({ kind: 'broken', why: reason, bytes });

const serialNoise = (size: number, reason: string): Cut<ZvtFrame> => ({ kind: 'noise', size, why: reason });

/** The frame of one APDU. Throws `terminal.garbled` when the APDU is too long. */
export const encodeZvtFrame = (apdu: ZvtApdu): Uint8Array => {
  const content = encodeZvtApdu(apdu);
  const crc = frameCrc(content);
  const doubled = Uint8Array.from([...content].flatMap((byte) => (byte === DLE ? [DLE, DLE] : [byte])));
  return concat(Uint8Array.of(DLE, STX), doubled, Uint8Array.of(DLE, ETX, crc & 0xff, crc >> 8));
};

/** The contribution of each byte value to CRC-16 with the reflected polynomial 8408. */
const crcOfByte = Uint16Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = (value & 1) === 0 ? value >> 1 : (value >> 1) ^ 0x8408;
  return value;
});

const etx = Uint8Array.of(ETX);
const frameCrc = (content: Uint8Array): number => crc16(etx, crc16(content));

/** CRC-16 with the reflected polynomial 8408; `start` is the checksum of the preceding bytes. */
export const crc16 = (bytes: Uint8Array, start = 0): number => {
  let crc = start;
  for (let offset = 0; offset < bytes.length; offset += 1) {
    crc = (crc >> 8) ^ (crcOfByte[(crc ^ (bytes[offset] as number)) & 0xff] as number);
  }
  return crc;
};
