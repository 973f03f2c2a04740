/** How values are encoded in the fields of every terminal protocol: numbers, amounts, times, texts, rows of TLVs. */
import { Fault } from '../src/base/fault.ts';
import { fromHex, toHex } from '../src/base/hex.ts';
import { currencyOfNumeric, numericOf } from '../src/base/money.ts';
import { wallTimeAt } from '../src/base/wall-time.ts';
import { find, type Tlv, tlv } from '../src/emv/tlv.ts';

/** These are methods, not function properties, so that codecs of different value types fit into one table. */
export type Codec<T> = { encode(value: T): Uint8Array; decode(bytes: Uint8Array): T };

export const malformed = (what: string, reason: string): Fault => new Fault('emv.malformed', { what, why: reason });

/**
 * EMV format n: decimal digits, two per byte. A value is text of exactly `2 * bytes` digits; encoding pads a shorter
 * one with zeros. Throws `emv.malformed`, as every codec here does.
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

/** Any bytes, copied: the copy can be overwritten and outlives the buffer it was read from. */
export const ownBytes: Codec<Uint8Array> = { encode: (value) => value, decode: (raw) => raw.slice() };

/** One byte as two hex digits. */
export const hexByte: Codec<string> = {
  encode: fromHex,
  decode(raw) {
    if (raw.length !== 1) throw malformed('A byte', 'there must be one of it');
    return toHex(raw);
  },
};

/** One byte as a number; of a longer value only the first byte counts. */
export const byte: Codec<number> = {
  encode: (value) => Uint8Array.of(value),
  decode(raw) {
    const [first] = raw;
    if (first === undefined) throw malformed('A byte', 'it is missing');
    return first;
  },
};

/** A whole number from 0 to 65,535 in two bytes, high byte first. */
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

/** Latin text; zeros at its end are padding. */
export const text: Codec<string> = {
  encode: (value) => new Uint8Array(Buffer.from(value, 'latin1')),
  decode: (raw) => Buffer.from(raw).toString('latin1').replace(/\0+$/, ''),
};

/** No data. Whatever arrives is ignored. */
export const nothing: Codec<Record<never, never>> = { encode: () => new Uint8Array(0), decode: () => ({}) };

// Rows of named BER-TLV fields. Driver and simulator share one table, to read values from tags and to write them.

type Field<T> = Codec<T> & { readonly tag: string; readonly optional: boolean };
export type Fields = Readonly<Record<string, Field<unknown>>>;

type OptionalNames<F extends Fields> = {
  [K in keyof F]: undefined extends ReturnType<F[K]['decode']> ? K : never;
}[keyof F];
export type FieldValues<F extends Fields> = {
  [K in Exclude<keyof F, OptionalNames<F>>]: ReturnType<F[K]['decode']>;
} & { [K in OptionalNames<F>]?: Exclude<ReturnType<F[K]['decode']>, undefined> };

export const field = <T>(tag: string, codec: Codec<T>): Field<T> => ({ ...codec, tag, optional: false });

export const optionalField = <T>(tag: string, codec: Codec<T>): Field<T | undefined> => ({
  tag,
  optional: true,
  encode: (value) => (value === undefined ? new Uint8Array(0) : codec.encode(value)),
  decode: (raw) => codec.decode(raw),
});

/** The values as objects, in the table's order. */
export const writeFields = <F extends Fields>(fields: F, values: FieldValues<F>): Tlv[] => {
  const input = values as Record<string, unknown>;
  return Object.entries(fields).flatMap(([name, row]) =>
    row.optional && input[name] === undefined ? [] : [tlv(row.tag, row.encode(input[name]))],
  );
};

/** The values of the objects, in any order; unknown tags are ignored. Throws `emv.malformed` naming `what`. */
export const readFields = <F extends Fields>(fields: F, list: readonly Tlv[], what: string): FieldValues<F> => {
  const values: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(fields)) {
    const found = find(list, row.tag);
    if (found !== undefined) values[name] = row.decode(found.value);
    else if (!row.optional) throw malformed(what, `tag ${row.tag} is missing`);
  }
  return values as FieldValues<F>;
};

// Undefined values are left out where the mere presence of a key would count: on the wire, in hashes, in merges.

type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The same values without the undefined ones. */
export const present = <T extends object>(values: T): Present<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Present<T>;

// The time of a sale in the form that readers expect.

/** Tags 9A (YYMMDD) and 9F21 (HHMMSS) of an instant in the shop's time zone, or in the machine's where none is set. */
export const localDateTime = (ms: number, timeZone?: string): [date: string, time: string] => {
  const { year, month, day, hour, minute, second } = wallTimeAt(ms, timeZone);
  const padTwo = (...values: number[]) => values.map((value) => String(value % 100).padStart(2, '0')).join('');
  return [padTwo(year, month, day), padTwo(hour, minute, second)];
};

/** The bytes of a Latin text. */
export const tlvText = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
