/** The PIN verification value (PVV) of Visa: four digits that let a PIN be checked without storing it. */
import { fromHex, toHex } from '../base/hex.ts';
import { firstDecimals } from './session-keys.ts';
import { tdes } from './tdes.ts';
import { wantDigits, wantKey } from './want.ts';

export type PvvInput = {
  /** PIN verification key, 16 bytes. */
  pvk: Uint8Array;
  /** The key's index, one digit. */
  pvki: string;
  /** 4 to 12 digits, of which the first four count. */
  pin: string;
  /** 12 to 19 digits. */
  pan: string;
};

/**
 * Four digits, from the eleven rightmost digits of the PAN before its check digit, the index and the PIN.
 * Throws `key.malformed`, `emv.malformed`.
 */
export const pvv = ({ pvk, pvki, pin, pan }: PvvInput): string => {
  wantKey('A PIN verification key', pvk, [16]);
  wantDigits('A PIN verification key index', pvki, { least: 1, most: 1 });
  wantDigits('A PAN', pan, { least: 12, most: 19 });
  wantDigits('A PIN', pin, { least: 4, most: 12 });
  const block = fromHex(pan.slice(-12, -1) + pvki + pin.slice(0, 4));
  tdes(pvk).encrypt(block, 0);
  return firstDecimals(toHex(block), 4);
};
