/** Bytes as upper-case hex text and back. Malformed text is refused, never cut short as Buffer.from does. */
import { Fault } from './fault.ts';

/** Upper-case hex, two digits a byte, no separators. */
export const toHex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex').toUpperCase();

/** The bytes of a hex text of either case. Throws `hex.malformed` for an odd length or a character that is no digit. */
export const fromHex = (text: string): Uint8Array => {
  if (text.length % 2 !== 0 || !/^[0-9A-Fa-f]*$/.test(text)) throw new Fault('hex.malformed', { length: text.length });
  return new Uint8Array(Buffer.from(text, 'hex'));
};

/** All parts, one after the other, in a new array. */
export const concat = (...parts: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};
