/** What MMS adds to the vocabulary of the tables: lists of TLVs, and lists within a value. */
import { decodeTlv, encodeTlv, type Tlv } from '../../../src/emv/tlv.ts';
import type { Codec } from '../../codec.ts';
import { type Fields, type FieldValues, readFields, writeFields } from '../../fields.ts';

/** Any bytes. */
export const raw: Codec<Uint8Array> = { encode: (value) => value, decode: (bytes) => bytes.slice() };

/** A list of TLVs as values and back. */
export type ListCodec<T> = { write(value: T): Tlv[]; read(list: readonly Tlv[]): T };

/** The fields in the table's order; in any order when read. Unknown tags are overlooked. */
export const list = <F extends Fields>(fields: F): ListCodec<FieldValues<F>> => ({
  write: (values) => writeFields(fields, values),
  read: (tlvs) => readFields(fields, tlvs, 'An MMS message'),
});

/** Nothing at all. Whatever comes is overlooked. */
export const nothing: ListCodec<Record<never, never>> = { write: () => [], read: () => ({}) };

/** A value that is itself a list of TLVs. */
export const within = <T>(inner: ListCodec<T>): Codec<T> => ({
  encode: (value) => encodeTlv(inner.write(value)),
  decode: (bytes) => inner.read(decodeTlv(bytes)),
});
