/** What MMS adds to the vocabulary of the tables: lists of TLVs, and lists within a value. */
import { Fault } from '../../../src/base/fault.ts';
import { concat, fromHex } from '../../../src/base/hex.ts';
import { decodeTlv, encodeTlv, find, type Tlv, tlv } from '../../../src/emv/tlv.ts';
import { type Codec, type Fields, type FieldValues, readFields, writeFields } from '../../codec.ts';

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

// The names of MMS properties: arcs like 2.3.1.2.1.1, written on the wire in one of three forms. A device answers in
// the form it was asked in; all of them are read.
// Source: MagTek, DynaFlex family programmer's manual, "Configuration", examples of the properties.

/**
 * `plain`: first arc in 85, middle ones in 87, the last as the tag of a TLV in 89. `company`: the same behind the
 * manufacturer's own arc in 81. `nested`: behind 81 and 85 all other arcs are tags in one another.
 */
export type OidForm = 'plain' | 'company' | 'nested';
export type Property = { oid: string; value: Uint8Array };

const company = fromHex('2B06010401F609');
/** Tags of arcs: constructed for the way, primitive for the last, which holds the value. */
const wayTag = 0xe0;
const lastTag = 0xc0;
const arcMax = 30;

const malformed = (why: string): Fault => new Fault('emv.malformed', { what: 'A property name', why });

const tagOf = (base: number, arc: number): string => (base | arc).toString(16).toUpperCase();

/** The TLVs that name a property and hold its value; asking for it, the value is empty. Throws `emv.malformed`. */
export const encodeProperty = ({ oid, value }: Property, form: OidForm): Tlv[] => {
  const arcs = oid.split('.').map(Number);
  const [first = 0, ...rest] = arcs;
  const last = rest.pop() ?? 0;
  if (arcs.length < 3 || arcs.some((arc) => !(arc >= 1 && arc <= arcMax))) throw malformed('arcs go from 1 to 30');
  const leaf = tlv(tagOf(lastTag, last), value);
  const begin = [...(form === 'plain' ? [] : [tlv('81', company)]), tlv('85', Uint8Array.of(first))];
  if (form !== 'nested') return [...begin, tlv('87', Uint8Array.from(rest)), tlv('89', encodeTlv([leaf]))];
  const nested = rest.reduceRight((inner, arc) => tlv(tagOf(wayTag, arc), [inner]), leaf);
  return [...begin, tlv('89', encodeTlv([nested]))];
};

/** Reads a property in any form. Throws `emv.malformed` or `tlv.malformed`. */
export const decodeProperty = (list: readonly Tlv[]): Property & { form: OidForm } => {
  const first = find(list, '85')?.value;
  const middle = find(list, '87')?.value ?? new Uint8Array(0);
  const end = find(list, '89')?.value;
  if (first === undefined || end === undefined) throw malformed('its first or last arc is missing');
  const arcs = [...concat(first, middle)];
  let [leaf] = decodeTlv(end);
  while (leaf?.children !== undefined) {
    arcs.push(Number.parseInt(leaf.tag, 16) & 0x1f);
    [leaf] = leaf.children;
  }
  if (leaf === undefined) throw malformed('it has no last arc');
  arcs.push(Number.parseInt(leaf.tag, 16) & 0x1f);
  const form = find(list, '81') === undefined ? 'plain' : find(list, '87') === undefined ? 'nested' : 'company';
  return { oid: arcs.join('.'), value: leaf.value.slice(), form };
};
