/** A TDES-DUKPT key serial number: whose key it is, and which of its uses. */
import { concat, fromHex, toHex } from '../../../base/hex.ts';
import { tdesKsnIsValid, tdesKsnUsesLeft } from '../../../emv/dukpt-tdes.ts';

export type KeySerial = {
  /** Ten bytes. */
  readonly bytes: Uint8Array;
  /** The initial key's id: the serial number with its counter zeroed, hex. */
  readonly id: string;
  /** The how-manieth use of that key, rising. Counters skip many numbers; uses are counted without gaps. */
  readonly use: number;
};

const USES_OF_A_KEY = 1_048_575;

/**
 * Reads 16 or 20 hex digits; the short form leaves out the leading FFFF (ANSI X9.24-1).
 * Undefined for anything else, for counter zero and for counters with more than ten one-bits.
 */
export const keySerial = (text: string): KeySerial | undefined => {
  if (!/^(?:[0-9A-Fa-f]{16}|[0-9A-Fa-f]{20})$/.test(text)) return undefined;
  const bytes = text.length === 16 ? concat(Uint8Array.of(0xff, 0xff), fromHex(text)) : fromHex(text);
  if (!tdesKsnIsValid(bytes)) return undefined;
  const id = bytes.slice();
  id.set([(id[7] ?? 0) & 0xe0, 0, 0], 7);
  return { bytes, id: toHex(id), use: USES_OF_A_KEY - tdesKsnUsesLeft(bytes) };
};
