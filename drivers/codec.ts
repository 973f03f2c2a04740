/** How values stand as bytes in the fields of every terminal protocol: numbers, amounts, currencies, texts. */
import { currencyOfNumeric } from '../src/base/currencies.ts';
import { Fault } from '../src/base/fault.ts';
import { fromHex, toHex } from '../src/base/hex.ts';
import { numericOf } from '../src/base/money.ts';

/** Methods, not function properties, so that a table of codecs of different values is still a table. */
export type Codec<T> = { encode(value: T): Uint8Array; decode(bytes: Uint8Array): T };

export const malformed = (what: string, why: string): Fault => new Fault('emv.malformed', { what, why });

/**
 * EMV format n: decimal digits, two a byte. A value is text of exactly `2 * bytes` digits; a shorter one is filled with
 * zeros on the way out. Throws `emv.malformed`, as every codec here does.
 */
export const digits = (bytes: number): Codec<string> => ({
  encode(value) {
    if (!/^\d+$/.test(value) || value.length > 2 * bytes) throw malformed('A number', `it needs ${2 * bytes} digits`);
    return fromHex(value.padStart(2 * bytes, '0'));
  },
  decode(raw) {
    const read = toHex(raw);
    if (raw.length !== bytes || !/^\d+$/.test(read)) throw malformed('A number', `it needs ${2 * bytes} digits`);
    return read;
  },
});

/** A whole number of minor units in six bytes, as in tag 9F02. */
export const amount: Codec<bigint> = {
  encode: (value) => digits(6).encode(value.toString()),
  decode: (raw) => BigInt(digits(6).decode(raw)),
};

/** An ISO 4217 currency by its alphabetic code, numeric on the wire, as in tag 5F2A. */
export const currency: Codec<string> = {
  encode: (value) => digits(2).encode(numericOf(value)),
  decode(raw) {
    const found = currencyOfNumeric(digits(2).decode(raw));
    if (found === undefined) throw malformed('A currency', 'it is not in ISO 4217');
    return found;
  },
};

/** Any bytes, as hex text. */
export const hex: Codec<string> = { encode: fromHex, decode: toHex };

/** Any bytes, as a copy that can be overwritten, and outlives what it was read from. */
export const ownBytes: Codec<Uint8Array> = { encode: (value) => value, decode: (raw) => raw.slice() };

/** One byte as two hex digits. */
export const hexByte: Codec<string> = {
  encode: fromHex,
  decode(raw) {
    if (raw.length !== 1) throw malformed('A byte', 'there must be one of it');
    return toHex(raw);
  },
};

/** One byte as a number; a longer value counts by its first byte. */
export const byte: Codec<number> = {
  encode: (value) => Uint8Array.of(value),
  decode(raw) {
    const [first] = raw;
    if (first === undefined) throw malformed('A byte', 'it is missing');
    return first;
  },
};

/** A whole number of 0 to 65,535 in two bytes, the high one first. */
export const uint16: Codec<number> = {
  encode(value) {
    if (!Number.isInteger(value) || value < 0 || value > 0xffff) throw malformed('A number', 'it needs two bytes');
    return Uint8Array.of(value >> 8, value & 0xff);
  },
  decode(raw) {
    const [high, low] = raw;
    if (high === undefined || low === undefined || raw.length !== 2) throw malformed('A number', 'it needs two bytes');
    return high * 256 + low;
  },
};

/** Latin text; zeros at its end are filling. */
export const text: Codec<string> = {
  encode: (value) => new Uint8Array(Buffer.from(value, 'latin1')),
  decode: (raw) => Buffer.from(raw).toString('latin1').replace(/\0+$/, ''),
};

/** Nothing at all. Whatever comes is overlooked. */
export const nothing: Codec<Record<never, never>> = { encode: () => new Uint8Array(0), decode: () => ({}) };
