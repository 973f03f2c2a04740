/** What MPI adds to the vocabulary of the command table: its texts, and fields in a template. */
import { decodeTlv, encodeTlv, find, type Tlv, tlv } from '../../../src/emv/tlv.ts';
import { type Codec, malformed } from '../../codec.ts';
import { type Fields, type FieldValues, readFields, writeFields } from '../../fields.ts';

/** Printable ASCII; other characters become a question mark on the way out and are kept as Latin-1 on the way in. */
export const text: Codec<string> = {
  encode: (value) => new Uint8Array(Buffer.from(value.replace(/[^\x20-\x7e\n]/g, '?'), 'latin1')),
  decode: (raw) => Buffer.from(raw).toString('latin1'),
};

/** A constructed TLV with the fields in the table's order; in any order when read. Unknown tags are overlooked. */
export const template = <F extends Fields>(tag: string, fields: F): Codec<FieldValues<F>> => ({
  encode: (values) => encodeTlv([tlv(tag, writeFields(fields, values))]),
  decode: (raw) => readFields(fields, inside(decodeTlv(raw), tag), `Template ${tag}`),
});

/** The children of the template with this tag. Throws `emv.malformed` when it is not there. */
export const inside = (list: readonly Tlv[], tag: string): readonly Tlv[] => {
  const found = find(list, tag);
  if (found === undefined) throw malformed('An MPI message', `template ${tag} is missing`);
  return found.children ?? decodeTlv(found.value);
};
