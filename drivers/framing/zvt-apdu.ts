/**
 * The APDU of ZVT as TCP carries it: class, instruction, length, data. There is no frame around it and no checksum.
 * A length of FF is followed by the true one in two bytes, the low one first. Source: PA00P015 13.09, PA00P016.
 */
import { Fault } from '../../src/base/fault.ts';
import { concat, fromHex, toHex } from '../../src/base/hex.ts';
import type { Cut, Framer } from './framer.ts';

export type ZvtApdu = {
  /** Class and instruction, four hex digits; of an answer `8000` or `84xx`. */
  code: string;
  data: Uint8Array;
};

/** The protocol allows 65535; the longest receipts seen in public have 1,700 bytes. */
export const zvtDataMax = 16_384;
export const zvtApduMax = zvtDataMax + 5;

/**
 * 04, 06 and 08 commands of either side, 05 enquiries, 0F what some makers add (a report of the till), 80 and 84
 * answers. Nothing else begins an APDU.
 */
const classes: ReadonlySet<number> = new Set([0x04, 0x05, 0x06, 0x08, 0x0f, 0x80, 0x84]);

/** Every byte as two digits. */
const hexOf = Array.from({ length: 256 }, (_, byte) => toHex(Uint8Array.of(byte)));

/** Cuts one APDU. What cannot be the start of one is noise of one byte. */
export const zvtApdu: Framer<ZvtApdu> = (held) => {
  const kind = held[0];
  const instruction = held[1];
  const short = held[2];
  if (kind === undefined) return undefined;
  if (!classes.has(kind)) return noise('no message starts with this byte');
  if (instruction === undefined || short === undefined) return undefined;
  const low = held[3];
  const high = held[4];
  if (short === 0xff && (low === undefined || high === undefined)) return undefined;
  const start = short === 0xff ? 5 : 3;
  const length = short === 0xff ? (high as number) * 0x100 + (low as number) : short;
  if (length > zvtDataMax) return noise(`no message here has ${length} bytes`);
  if (held.length < start + length) return undefined;
  const code = `${hexOf[kind]}${hexOf[instruction]}`;
  return { kind: 'frame', frame: { code, data: held.slice(start, start + length) }, size: start + length };
};

const noise = (why: string): Cut<ZvtApdu> => ({ kind: 'noise', size: 1, why });

/** The bytes of one APDU. Throws `terminal.garbled` when the data is longer than 16,384 bytes. */
export const encodeZvtApdu = ({ code, data }: ZvtApdu): Uint8Array => {
  const { length } = data;
  if (length > zvtDataMax) throw new Fault('terminal.garbled', { bytes: length });
  const lengths = length < 0xff ? Uint8Array.of(length) : Uint8Array.of(0xff, length & 0xff, length >> 8);
  return concat(fromHex(code), lengths, data);
};

/** The one APDU that these bytes are. Throws `terminal.garbled` for anything shorter, longer or of another class. */
export const decodeZvtApdu = (bytes: Uint8Array): ZvtApdu => {
  const cut = zvtApdu(bytes);
  if (cut?.kind !== 'frame' || cut.size !== bytes.length) throw new Fault('terminal.garbled', { bytes: bytes.length });
  return cut.frame;
};
