/** Refuses malformed input to the cryptography, by name. No fault contains a key, a PIN or a card number. */
import { Fault } from '../base/fault.ts';

const printLengths = (lengths: readonly number[]): string => lengths.join(' or ');

/** Throws `key.malformed` unless the key has one of these lengths in bytes. */
export const wantKey = (what: string, key: Uint8Array, lengths: readonly number[]): void => {
  if (!lengths.includes(key.length)) {
    throw new Fault('key.malformed', { what, why: `it must have ${printLengths(lengths)} bytes, not ${key.length}` });
  }
};

/** Throws `emv.malformed` unless the bytes have one of these lengths. */
export const wantBytes = (what: string, bytes: Uint8Array, lengths: readonly number[]): void => {
  if (!lengths.includes(bytes.length)) {
    throw new Fault('emv.malformed', { what, why: `it must have ${printLengths(lengths)} bytes, not ${bytes.length}` });
  }
};

/** Throws `emv.malformed` unless the text is `least` to `most` decimal digits. The text itself is never repeated. */
export const wantDigits = (what: string, text: string, { least, most }: { least: number; most: number }): void => {
  if (text.length < least || text.length > most || !/^[0-9]*$/.test(text)) {
    const size = least === most ? `${least}` : `${least} to ${most}`;
    throw new Fault('emv.malformed', { what, why: `it must be ${size} decimal digits` });
  }
};

/** Throws `emv.malformed` unless `length` is a whole number of bytes to which a MAC of `most` bytes can be cut. */
export const wantMacLength = (length: number, most: number): void => {
  if (!Number.isInteger(length) || length < 1 || length > most) {
    throw new Fault('emv.malformed', { what: 'The length of a MAC', why: `it must be 1 to ${most} bytes` });
  }
};
