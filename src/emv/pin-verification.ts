/** Checks a PIN without storing it: Visa's PIN verification value, and the offset of IBM 3624. */
import { Fault } from '../base/fault.ts';
import { fromHex, toHex } from '../base/hex.ts';
import { firstDecimals } from './session-keys.ts';
import { tdes } from './tdes.ts';
import { wantDigits, wantKey } from './want.ts';

export type PvvInput = {
  /** PIN verification key, 16 bytes. */
  pvk: Uint8Array;
  /** The key's index, one digit. */
  pvki: string;
  /** 4 to 12 digits, of which only the first four are used. */
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

// PINs by IBM 3624: the natural PIN is derived from the card number, and an offset turns it into the customer's.

export type ValidationData = {
  /** PIN verification key, 16 bytes. */
  pvk: Uint8Array;
  /** Sixteen decimal digits: the replacement for each hex digit of the encrypted data. */
  conversionTable: string;
  pan: string;
  /** The part of the PAN that is used: its first digit, counted from 0, and the number of digits. */
  panVerifyOffset: number;
  panVerifyLength: number;
  /** One hex digit, repeated on the right up to sixteen. */
  panPad: string;
};

const refuse = (what: string, reason: string): Fault => new Fault('emv.malformed', { what, why: reason });

/** Sixteen decimal digits, the longest natural PIN. */
const naturalPin = (o: ValidationData): string => {
  wantKey('A PIN verification key', o.pvk, [16]);
  wantDigits('A conversion table', o.conversionTable, { least: 16, most: 16 });
  wantDigits('A PAN', o.pan, { least: 8, most: 19 });
  if (!/^[0-9A-Fa-f]$/.test(o.panPad)) throw refuse('The fill of the validation data', 'it must be one hex digit');
  const { panVerifyOffset: from, panVerifyLength: length } = o;
  const inside = Number.isInteger(from) && Number.isInteger(length) && from >= 0 && from + length <= o.pan.length;
  if (!inside || length < 1 || length > 16) {
    throw refuse('The validation data', 'they must be 1 to 16 digits inside the PAN');
  }
  const block = fromHex(o.pan.slice(from, from + length).padEnd(16, o.panPad));
  tdes(o.pvk).encrypt(block, 0);
  return toHex(block).replace(/./g, (digit) => o.conversionTable.charAt(Number.parseInt(digit, 16)));
};

/** Digit by digit modulo ten: `first` plus `sign` times `second`. As many digits as `second` has. */
const addDigits = (first: string, second: string, sign: 1 | -1): string =>
  second.replace(/./g, (digit, i: number) => String((10 + Number(first.charAt(i)) + sign * Number(digit)) % 10));

/**
 * The PIN of a card with this offset; the offset's 4 to 12 digits give its length. Throws `key.malformed`,
 * `emv.malformed`.
 */
export const ibm3624Pin = ({ offset, ...data }: ValidationData & { offset: string }): string => {
  wantDigits('A PIN offset', offset, { least: 4, most: 12 });
  return addDigits(naturalPin(data), offset, 1);
};

/** The offset for a card to have this PIN of 4 to 12 digits. Throws `key.malformed`, `emv.malformed`. */
export const ibm3624Offset = ({ pin, ...data }: ValidationData & { pin: string }): string => {
  wantDigits('A PIN', pin, { least: 4, most: 12 });
  const base = naturalPin(data).slice(0, pin.length);
  return addDigits(pin, base, -1);
};
