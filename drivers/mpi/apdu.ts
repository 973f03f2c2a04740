/** The command body of MPI, an ISO 7816 look-alike: CLA INS P1 P2, then Lc and data when there are any. */
import { Fault } from '../../src/base/fault.ts';
import { concat, fromHex, toHex } from '../../src/base/hex.ts';

export type Apdu = {
  /** CLA and INS, four hex digits. */
  code: string;
  p1: number;
  p2: number;
  data: Uint8Array;
};

/** Header of five bytes and data fit one block of 254; commands are never chained. */
export const apduDataMax = 249;

/** Throws `terminal.garbled` when the data does not fit one block. */
export const encodeApdu = ({ code, p1, p2, data }: Apdu): Uint8Array => {
  if (data.length > apduDataMax) throw new Fault('terminal.garbled', { bytes: data.length });
  const header = concat(fromHex(code), Uint8Array.of(p1, p2));
  return data.length === 0 ? header : concat(header, Uint8Array.of(data.length), data);
};

/** Reads a command body; one byte of Le behind header or data is overlooked. Throws `terminal.garbled`. */
export const decodeApdu = (body: Uint8Array): Apdu => {
  const [, , p1, p2, length = 0] = body;
  const withoutData = body.length === 4 || body.length === 5;
  const end = withoutData ? 4 : 5 + length;
  if (p1 === undefined || p2 === undefined || (!withoutData && body.length !== end && body.length !== end + 1)) {
    throw new Fault('terminal.garbled', { bytes: body.length });
  }
  return { code: toHex(body.subarray(0, 2)), p1, p2, data: withoutData ? new Uint8Array(0) : body.slice(5, end) };
};
