/** Clear PIN blocks of ISO 9564-1 formats 0, 1, 2 and 3: 8 bytes around a PIN of 4 to 12 digits. */
import { Fault } from '../base/fault.ts';
import { fromHex, toHex } from '../base/hex.ts';
import type { Random } from '../base/ids.ts';
import { aes } from './aes.ts';
import { ecbDecrypt, ecbEncrypt } from './cipher-modes.ts';
import { tdes } from './tdes.ts';

export type PinBlockFormat = 0 | 1 | 2 | 3;

export type PinBlockInput = {
  format: PinBlockFormat;
  pin: string;
  /** 13 to 19 digits; formats 0 and 3 need it. */
  pan?: string;
  /**
   * Hex digits after the PIN, at least 10; formats 1 and 3 need them, see `pinBlockFill`. Format 3 allows only A to F.
   */
  fill?: string;
};

const refuse = (format: number, reason: string): Fault => new Fault('pin.block', { format, why: reason });

/** Throws `pin.block` unless the PIN is 4 to 12 decimal digits. */
export const wantPin = (format: number, pin: string): void => {
  if (!/^[0-9]{4,12}$/.test(pin)) throw refuse(format, 'a PIN has 4 to 12 decimal digits');
};

/**
 * The digits of the card number that formats 0 and 3 mix in, four zeros in front. Numbers under 13 digits are refused:
 * ISO 9564 has no rule for them, and implementations differ.
 */
const panField = (format: number, pan: string | undefined): string => {
  if (pan === undefined || !/^[0-9]{13,19}$/.test(pan)) {
    throw refuse(format, 'it needs a card number of 13 to 19 decimal digits');
  }
  return `0000${pan.slice(-13, -1)}`;
};

const mixesPan = (format: PinBlockFormat): boolean => format === 0 || format === 3;

const xor = (left: Uint8Array, right: Uint8Array): Uint8Array => left.map((byte, index) => byte ^ (right[index] ?? 0));

/** The hex digits after the PIN. */
const fillOf = ({ format, pin, fill }: PinBlockInput): string => {
  const length = 14 - pin.length;
  if (format === 0 || format === 2) return 'F'.repeat(length);
  const wanted = format === 1 ? /^[0-9A-Fa-f]+$/ : /^[A-Fa-f]+$/;
  if (fill === undefined || fill.length < length || !wanted.test(fill)) {
    throw refuse(format, `it needs at least ${length} hex digits of fill${format === 3 ? ', A to F' : ''}`);
  }
  return fill.slice(0, length);
};

/** The clear PIN block, 8 bytes. Throws `pin.block`. */
export const encodePinBlock = (input: PinBlockInput): Uint8Array => {
  const { format, pin, pan } = input;
  wantPin(format, pin);
  const field = fromHex(`${format}${pin.length.toString(16)}${pin}${fillOf(input)}`);
  return mixesPan(format) ? xor(field, fromHex(panField(format, pan))) : field;
};

const fills: Readonly<Record<PinBlockFormat, RegExp>> = { 0: /^F*$/, 1: /^/, 2: /^F*$/, 3: /^[A-F]*$/ };

/**
 * The PIN of a clear block. Throws `pin.block` for a wrong length, format, PIN length, digit or fill. A wrong card
 * number or key causes the same errors, so they never mean a wrong PIN.
 */
export const decodePinBlock = (o: { format: PinBlockFormat; block: Uint8Array; pan?: string }): string => {
  const { format, block, pan } = o;
  if (block.length !== 8) throw refuse(format, `it has ${block.length} bytes, not 8`);
  const field = toHex(mixesPan(format) ? xor(block, fromHex(panField(format, pan))) : block);
  if (field.charAt(0) !== String(format)) throw refuse(format, 'its control field is of another format');
  const length = Number.parseInt(field.charAt(1), 16);
  if (length < 4 || length > 12) throw refuse(format, 'its PIN length is not 4 to 12');
  const pin = field.slice(2, 2 + length);
  if (!/^[0-9]*$/.test(pin)) throw refuse(format, 'a PIN digit is not decimal');
  if (!fills[format].test(field.slice(2 + length))) throw refuse(format, 'its fill is wrong');
  return pin;
};

/** Ten random hex digits of fill: any for format 1, A to F for format 3. */
export const pinBlockFill = (format: 1 | 3, random: Random): string => {
  if (format === 1) return toHex(random(5));
  let fill = '';
  while (fill.length < 10) {
    // Bytes under 252 give each of six letters the same chance; others are discarded.
    for (const byte of random(10)) if (byte < 252) fill += 'ABCDEF'.charAt(byte % 6);
  }
  return fill.slice(0, 10);
};

export type PinTranslation = {
  block: Uint8Array;
  from: { key: Uint8Array; format: PinBlockFormat };
  to: { key: Uint8Array; format: PinBlockFormat; fill?: string };
  pan?: string;
};

/**
 * Re-encrypts an encrypted block of 8 bytes from one Triple DES key and format to another. Throws `pin.block` as
 * decoding does, `key.malformed`, `emv.malformed` for an incomplete block.
 */
export const translatePinBlock = ({ block, from, to, pan }: PinTranslation): Uint8Array => {
  const card = pan === undefined ? {} : { pan };
  const pin = decodePinBlock({ format: from.format, block: ecbDecrypt(tdes(from.key), block), ...card });
  const fill = to.fill === undefined ? {} : { fill: to.fill };
  return ecbEncrypt(tdes(to.key), encodePinBlock({ format: to.format, pin, ...card, ...fill }));
};

// Encrypted PIN blocks of ISO 9564-1 format 4: 16 bytes of AES that bind the PIN to the card number.

const refuseFormat4 = (reason: string): Fault => new Fault('pin.block', { format: 4, why: reason });

const wantLength = (what: string, bytes: Uint8Array, length: number): void => {
  if (bytes.length !== length) throw refuseFormat4(`${what} has ${bytes.length} bytes, not ${length}`);
};

/** The plain text PIN field: 16 bytes, the last 8 as given in `random`. Throws `pin.block`. */
export const pinField4 = ({ pin, random }: { pin: string; random: Uint8Array }): Uint8Array => {
  wantPin(4, pin);
  wantLength('the random part', random, 8);
  return fromHex(`4${pin.length.toString(16)}${pin.padEnd(14, 'A')}${toHex(random)}`);
};

/** The plain text PAN field: 16 bytes. The PAN has 1 to 19 digits, padded on the left up to 12. Throws `pin.block`. */
export const panField4 = (pan: string): Uint8Array => {
  if (!/^[0-9]{1,19}$/.test(pan)) throw refuseFormat4('it needs a card number of 1 to 19 decimal digits');
  const extraDigits = Math.max(pan.length - 12, 0);
  return fromHex(`${extraDigits}${pan.padStart(12, '0')}`.padEnd(32, '0'));
};

/** The PIN of a plain text PIN field. Throws `pin.block`. */
export const decodePinField4 = (field: Uint8Array): string => {
  wantLength('the PIN field', field, 16);
  const digits = toHex(field);
  if (digits.charAt(0) !== '4') throw refuseFormat4('its control field is of another format');
  const length = Number.parseInt(digits.charAt(1), 16);
  if (length < 4 || length > 12) throw refuseFormat4('its PIN length is not 4 to 12');
  const pin = digits.slice(2, 2 + length);
  if (!/^[0-9]*$/.test(pin)) throw refuseFormat4('a PIN digit is not decimal');
  if (!/^A*$/.test(digits.slice(2 + length, 16))) throw refuseFormat4('its fill is wrong');
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

/** The PIN inside an encrypted block. A wrong key or PAN also throws `pin.block`: that is not a wrong PIN. */
export const decryptPinBlock4 = (o: { key: Uint8Array; block: Uint8Array; pan: string }): string =>
  decodePinField4(decryptPinField4(o));
