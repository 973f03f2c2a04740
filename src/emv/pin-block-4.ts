/** Encrypted PIN blocks of ISO 9564-1 format 4: 16 bytes of AES that bind the PIN to the card number. */
import { Fault } from '../base/fault.ts';
import { fromHex, toHex } from '../base/hex.ts';
import { aes } from './aes.ts';
import { wantPin } from './pin-block.ts';

const refuse = (why: string): Fault => new Fault('pin.block', { format: 4, why });

const wantLength = (what: string, bytes: Uint8Array, length: number): void => {
  if (bytes.length !== length) throw refuse(`${what} has ${bytes.length} bytes, not ${length}`);
};

/** The plain text PIN field: 16 bytes, the last 8 as given in `random`. Throws `pin.block`. */
export const pinField4 = ({ pin, random }: { pin: string; random: Uint8Array }): Uint8Array => {
  wantPin(4, pin);
  wantLength('the random part', random, 8);
  return fromHex(`4${pin.length.toString(16)}${pin.padEnd(14, 'A')}${toHex(random)}`);
};

/**
 * The plain text PAN field: 16 bytes. The PAN has 1 to 19 digits; under 12 it is filled up on the left. Throws
 * `pin.block`.
 */
export const panField4 = (pan: string): Uint8Array => {
  if (!/^[0-9]{1,19}$/.test(pan)) throw refuse('it needs a card number of 1 to 19 decimal digits');
  const beyond = Math.max(pan.length - 12, 0);
  return fromHex(`${beyond}${pan.padStart(12, '0')}`.padEnd(32, '0'));
};

/** The PIN of a plain text PIN field. Throws `pin.block`. */
export const decodePinField4 = (field: Uint8Array): string => {
  wantLength('the PIN field', field, 16);
  const digits = toHex(field);
  if (digits.charAt(0) !== '4') throw refuse('its control field is of another format');
  const length = Number.parseInt(digits.charAt(1), 16);
  if (length < 4 || length > 12) throw refuse('its PIN length is not 4 to 12');
  const pin = digits.slice(2, 2 + length);
  if (!/^[0-9]*$/.test(pin)) throw refuse('a PIN digit is not decimal');
  if (!/^A*$/.test(digits.slice(2 + length, 16))) throw refuse('its fill is wrong');
  return pin;
};

const addPan = (block: Uint8Array, pan: string): void => {
  const field = panField4(pan);
  for (let index = 0; index < 16; index += 1) block[index] = (block[index] ?? 0) ^ (field[index] ?? 0);
};

export type PinBlock4Input = {
  /** AES, 16, 24 or 32 bytes. */
  key: Uint8Array;
  pin: string;
  pan: string;
  /** 8 bytes, new for every block. */
  random: Uint8Array;
};

/** The encrypted block, 16 bytes. Throws `pin.block`, `key.malformed`. */
export const encryptPinBlock4 = ({ key, pin, pan, random }: PinBlock4Input): Uint8Array => {
  const block = pinField4({ pin, random });
  const cipher = aes(key);
  cipher.encrypt(block, 0);
  addPan(block, pan);
  cipher.encrypt(block, 0);
  return block;
};

/** The PIN field inside an encrypted block. Throws `pin.block` for a wrong length or PAN, `key.malformed`. */
export const decryptPinField4 = (o: { key: Uint8Array; block: Uint8Array; pan: string }): Uint8Array => {
  wantLength('the block', o.block, 16);
  const field = Uint8Array.from(o.block);
  const cipher = aes(o.key);
  cipher.decrypt(field, 0);
  addPan(field, o.pan);
  cipher.decrypt(field, 0);
  return field;
};

/** The PIN inside an encrypted block. A wrong key or PAN is refused with `pin.block`, too: it is no wrong PIN. */
export const decryptPinBlock4 = (o: { key: Uint8Array; block: Uint8Array; pan: string }): string =>
  decodePinField4(decryptPinField4(o));
