/** Rows of BER-TLV fields by their names, so that driver and simulator read one table: values out of tags and back. */
import { find, type Tlv, tlv } from '../src/emv/tlv.ts';
import { type Codec, malformed } from './codec.ts';

type Field<T> = Codec<T> & { readonly tag: string; readonly optional: boolean };
export type Fields = Readonly<Record<string, Field<unknown>>>;

type OptionalNames<F extends Fields> = {
  [K in keyof F]: undefined extends ReturnType<F[K]['decode']> ? K : never;
}[keyof F];
export type FieldValues<F extends Fields> = {
  [K in Exclude<keyof F, OptionalNames<F>>]: ReturnType<F[K]['decode']>;
} & { [K in OptionalNames<F>]?: Exclude<ReturnType<F[K]['decode']>, undefined> };

/** A field that must be there. */
export const field = <T>(tag: string, codec: Codec<T>): Field<T> => ({ ...codec, tag, optional: false });

/** A field that may be missing. */
export const maybe = <T>(tag: string, codec: Codec<T>): Field<T | undefined> => ({
  tag,
  optional: true,
  encode: (value) => (value === undefined ? new Uint8Array(0) : codec.encode(value)),
  decode: (raw) => codec.decode(raw),
});

/** The values as objects, in the table's order. */
export const writeFields = <F extends Fields>(fields: F, values: FieldValues<F>): Tlv[] => {
  const given = values as Record<string, unknown>;
  return Object.entries(fields).flatMap(([name, row]) =>
    row.optional && given[name] === undefined ? [] : [tlv(row.tag, row.encode(given[name]))],
  );
};

/** The values of the objects, in any order; unknown tags are overlooked. Throws `emv.malformed` naming `what`. */
export const readFields = <F extends Fields>(fields: F, list: readonly Tlv[], what: string): FieldValues<F> => {
  const values: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(fields)) {
    const found = find(list, row.tag);
    if (found !== undefined) values[name] = row.decode(found.value);
    else if (!row.optional) throw malformed(what, `tag ${row.tag} is missing`);
  }
  return values as FieldValues<F>;
};
