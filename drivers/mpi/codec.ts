/** The small vocabulary in which the command table says how values become bytes, so that both sides read one row. */
import { currencyOfNumeric } from '../../src/base/currencies.ts';
import { Fault } from '../../src/base/fault.ts';
import { fromHex, toHex } from '../../src/base/hex.ts';
import { numericOf } from '../../src/base/money.ts';
import { decodeTlv, encodeTlv, find, type Tlv, tlv } from '../../src/emv/tlv.ts';

/** Methods, not function properties, so that a table of fields of different values is still a table of fields. */
export type Codec<T> = { encode(value: T): Uint8Array; decode(bytes: Uint8Array): T };
export type Field<T> = Codec<T> & { readonly tag: string; readonly optional: boolean };
export type Fields = Readonly<Record<string, Field<unknown>>>;

type OptionalNames<F extends Fields> = {
  [K in keyof F]: undefined extends ReturnType<F[K]['decode']> ? K : never;
}[keyof F];
export type Values<F extends Fields> = {
  [K in Exclude<keyof F, OptionalNames<F>>]: ReturnType<F[K]['decode']>;
} & { [K in OptionalNames<F>]?: Exclude<ReturnType<F[K]['decode']>, undefined> };

const malformed = (what: string, why: string): Fault => new Fault('emv.malformed', { what, why });

/** EMV format n: decimal digits, two a byte. A value is text of exactly `2 * bytes` digits. */
export const digits = (bytes: number): Codec<string> => ({
  encode(value) {
    if (!/^\d*$/.test(value) || value.length > 2 * bytes) throw malformed('A number', `it needs ${2 * bytes} digits`);
    return fromHex(value.padStart(2 * bytes, '0'));
  },
  decode(raw) {
    const text = toHex(raw);
    if (raw.length !== bytes || !/^\d*$/.test(text)) throw malformed('A number', `it needs ${2 * bytes} digits`);
    return text;
  },
});

/** A whole number of minor units, tag 9F02. */
export const amount: Codec<bigint> = {
  encode: (value) => digits(6).encode(value.toString()),
  decode: (raw) => BigInt(digits(6).decode(raw)),
};

/** An ISO 4217 currency by its alphabetic code, tag 5F2A. */
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

/** Printable ASCII; other characters become a question mark on the way out and are kept as Latin-1 on the way in. */
export const text: Codec<string> = {
  encode: (value) => new Uint8Array(Buffer.from(value.replace(/[^\x20-\x7e\n]/g, '?'), 'latin1')),
  decode: (raw) => Buffer.from(raw).toString('latin1'),
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

/** Nothing at all. Whatever comes is overlooked. */
export const nothing: Codec<Record<never, never>> = { encode: () => new Uint8Array(0), decode: () => ({}) };

export const field = <T>(tag: string, codec: Codec<T>): Field<T> => ({ ...codec, tag, optional: false });

export const maybe = <T>(tag: string, codec: Codec<T>): Field<T | undefined> => ({
  tag,
  optional: true,
  encode: (value) => (value === undefined ? new Uint8Array(0) : codec.encode(value)),
  decode: (raw) => codec.decode(raw),
});

/** A constructed TLV with the fields in the table's order; in any order when read. Unknown tags are overlooked. */
export const template = <F extends Fields>(tag: string, fields: F): Codec<Values<F>> => ({
  encode(values) {
    const given = values as Record<string, unknown>;
    const children = Object.entries(fields).flatMap(([name, row]) =>
      row.optional && given[name] === undefined ? [] : [tlv(row.tag, row.encode(given[name]))],
    );
    return encodeTlv([tlv(tag, children)]);
  },
  decode(raw) {
    const children = inside(decodeTlv(raw), tag);
    const values: Record<string, unknown> = {};
    for (const [name, row] of Object.entries(fields)) {
      const found = find(children, row.tag);
      if (found !== undefined) values[name] = row.decode(found.value);
      else if (!row.optional) throw malformed(`Template ${tag}`, `tag ${row.tag} is missing`);
    }
    return values as Values<F>;
  },
});

/** The children of the template with this tag. Throws `emv.malformed` when it is not there. */
export const inside = (list: readonly Tlv[], tag: string): readonly Tlv[] => {
  const found = find(list, tag);
  if (found === undefined) throw malformed('An MPI message', `template ${tag} is missing`);
  return found.children ?? decodeTlv(found.value);
};
