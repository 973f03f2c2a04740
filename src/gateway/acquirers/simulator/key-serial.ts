/** A DUKPT key serial number: the key it belongs to, and the number of its use. */
import { concat, fromHex, toHex } from '../../../base/hex.ts';
import { aesKsnIsValid, aesKsnUsesLeft } from '../../../emv/dukpt-aes.ts';
import { tdesKsnIsValid, tdesKsnUsesLeft } from '../../../emv/dukpt-tdes.ts';

export type KeySerial = {
  /** Triple DES DUKPT (ANSI X9.24-1) or AES DUKPT (ANSI X9.24-3). */
  readonly scheme: 'tdes' | 'aes';
  /** Ten bytes, twelve under AES DUKPT. */
  readonly bytes: Uint8Array;
  /** The initial key's id: the serial number with its counter set to zero, hex. */
  readonly id: string;
  /** The ordinal of this use of the key, rising. Counters skip many numbers; uses are counted without gaps. */
  readonly use: number;
};

const USES_OF_A_TDES_KEY = 1_048_575;
const USES_OF_AN_AES_KEY = 2_448_023_842;

/**
 * Reads 16 or 20 hex digits (Triple DES; the short form omits the leading FFFF) or 24 (AES). Undefined for anything
 * else and for counters that no device uses: zero, or more one-bits than the scheme allows.
 */
export const keySerial = (text: string): KeySerial | undefined => {
  if (!/^(?:[0-9A-Fa-f]{16}|[0-9A-Fa-f]{20}|[0-9A-Fa-f]{24})$/.test(text)) return undefined;
  const bytes = text.length === 16 ? concat(Uint8Array.of(0xff, 0xff), fromHex(text)) : fromHex(text);
  return bytes.length === 12 ? aesSerial(bytes) : tdesSerial(bytes);
};

const tdesSerial = (bytes: Uint8Array): KeySerial | undefined => {
  if (!tdesKsnIsValid(bytes)) return undefined;
  const id = bytes.slice();
  id.set([(id[7] ?? 0) & 0xe0, 0, 0], 7);
  return { scheme: 'tdes', bytes, id: toHex(id), use: USES_OF_A_TDES_KEY - tdesKsnUsesLeft(bytes) };
};

const aesSerial = (bytes: Uint8Array): KeySerial | undefined => {
  if (!aesKsnIsValid(bytes)) return undefined;
  const id = bytes.slice();
  id.fill(0, 8);
  return { scheme: 'aes', bytes, id: toHex(id), use: USES_OF_AN_AES_KEY - aesKsnUsesLeft(bytes) };
};
