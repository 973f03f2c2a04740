/**
 * The command body of MPI, an ISO 7816 look-alike: CLA INS P1 P2, then Lc and data when there are any. Data that does
 * not fit one block has an extended Lc: 00 and two bytes. Source: the vendor's public SDK (JavaMpi-1-1i, CommandApdu).
 */
import { Fault } from '../../../src/base/fault.ts';
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';

export type Apdu = {
  /** CLA and INS, four hex digits. */
  code: string;
  p1: number;
  p2: number;
  data: Uint8Array;
};

/** The longest data of a command: in one block of 254 bytes, and of a device that says that it takes longer ones. */
export const apduDataMax = { plain: 249, extended: 1_017 } as const;

/** Throws `terminal.garbled` when the data is longer than any device takes. */
export const encodeApdu = ({ code, p1, p2, data }: Apdu): Uint8Array => {
  const { length } = data;
  if (length > apduDataMax.extended) throw new Fault('terminal.garbled', { bytes: length });
  const header = concat(fromHex(code), Uint8Array.of(p1, p2));
  if (length === 0) return header;
  const size = length > apduDataMax.plain ? Uint8Array.of(0, length >> 8, length & 0xff) : Uint8Array.of(length);
  return concat(header, size, data);
};

/** Reads a command body; Le behind header or data is overlooked. Throws `terminal.garbled`. */
export const decodeApdu = (body: Uint8Array): Apdu => {
  const [, , p1, p2] = body;
  const data = dataIn(body);
  if (p1 === undefined || p2 === undefined || data === undefined)
    throw new Fault('terminal.garbled', { bytes: body.length });
  return { code: toHex(body.subarray(0, 2)), p1, p2, data };
};

/** Without data a header of four bytes stands alone, or Le behind it. */
const dataIn = (body: Uint8Array): Uint8Array | undefined => {
  if (body.length === 4 || body.length === 5) return new Uint8Array(0);
  const isExtended = isLong(body);
  const [start, le] = isExtended ? [7, 2] : [5, 1];
  const end = start + (isExtended ? (body[5] ?? 0) * 256 + (body[6] ?? 0) : (body[4] ?? 0));
  return body.length === end || body.length === end + le ? body.slice(start, end) : undefined;
};

/** Whether a command body has the extended Lc. */
export const isLong = (body: Uint8Array): boolean => body.length > 7 && body[4] === 0;
