/** Bytes and hexadecimal digits, with and without creating a text; and bytes that must not outlive their use. */
import { Fault } from './fault.ts';

/** Upper-case hex, two digits per byte, no separators. */
export const toHex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex').toUpperCase();

/**
 * The bytes of a hex text of either case. Throws `hex.malformed` for an odd length or a character that is not a digit.
 */
export const fromHex = (text: string): Uint8Array => {
  if (text.length % 2 !== 0 || !/^[0-9A-Fa-f]*$/.test(text)) throw new Fault('hex.malformed', { length: text.length });
  return new Uint8Array(Buffer.from(text, 'hex'));
};

/** All parts, one after the other, in a new array. */
export const concat = (...parts: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
};

/**
 * Overwrites these bytes with zeros, in every view of them: an encrypted PIN is passed as bytes, never as text. A text
 * cannot be overwritten; it stays in memory until the collector reuses its place.
 */
export const overwrite = (...all: readonly (Uint8Array | undefined)[]): void => {
  for (const bytes of all) bytes?.fill(0);
};

/** Writes bytes as upper-case hexadecimal digits into an array at an offset, without creating a text. */
export const writeHex = (bytes: Uint8Array, into: Uint8Array, at: number): void => {
  let place = at;
  for (const byte of bytes) {
    into[place] = digitOf(byte >> 4);
    into[place + 1] = digitOf(byte & 15);
    place += 2;
  }
};

/** The bytes of these characters, hexadecimal digits of either case; undefined when one is not a digit. */
export const readHex = (characters: Uint8Array): Uint8Array | undefined => {
  const bytes = new Uint8Array(characters.length >> 1);
  for (let offset = 0; offset < bytes.length; offset += 1) {
    const [high, low] = [nibbleOf(characters[2 * offset]), nibbleOf(characters[2 * offset + 1])];
    if (high === undefined || low === undefined) return undefined;
    bytes[offset] = (high << 4) | low;
  }
  return characters.length % 2 === 0 ? bytes : undefined;
};

const [ZERO, UPPER_A, LOWER_A] = [0x30, 0x41, 0x61];

const digitOf = (value: number): number => (value < 10 ? ZERO + value : UPPER_A + value - 10);

const nibbleOf = (character = 0): number | undefined => {
  if (character >= ZERO && character < ZERO + 10) return character - ZERO;
  for (const first of [UPPER_A, LOWER_A])
    if (character >= first && character < first + 6) return character - first + 10;
  return undefined;
};
