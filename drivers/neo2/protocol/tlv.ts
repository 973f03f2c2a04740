/**
 * TLV as NEO 2 readers write it. A length byte of A1 or C1 is no BER long form: it says that the value is masked (A1)
 * or encrypted (C1), and the length follows. Which tags contain others is a list, because the readers' own tags do not
 * follow BER. The command table's fields are such TLVs, or plain numbers. Source: public answers of readers, decrypted
 * with the public test key; Encrypted Data Output 80000502-001.
 */
import { Fault } from '../../../src/base/fault.ts';
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';
import { tagEnd } from '../../../src/emv/tlv.ts';
import { type Codec, digits, amount as fullAmount, malformed } from '../../codec.ts';

export type Neo2Tlv = {
  readonly tag: string;
  readonly value: Uint8Array;
  readonly mark?: 'masked' | 'encrypted';
  readonly children?: readonly Neo2Tlv[];
};

const marks = { masked: 0xa1, encrypted: 0xc1 } as const;
const templates: ReadonlySet<string> = new Set(['FFEE01', 'FF8105', 'FF8106', '70', '77', 'E1']);
const depthMax = 4;

const malformedTlv = (offset: number, reason: string): Fault => new Fault('tlv.malformed', { offset, why: reason });

/** All objects; zero bytes between them are padding. Throws `tlv.malformed`. */
export const decodeNeo2Tlv = (bytes: Uint8Array, depth = 0): Neo2Tlv[] => {
  const list: Neo2Tlv[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    if (bytes[offset] === 0) {
      offset += 1;
      continue;
    }
    // E300 is a tag of two bytes, which BER would read as E3 with a length of zero.
    const lengthAt =
      bytes[offset] === 0xe3 && bytes[offset + 1] === 0 ? offset + 2 : tagEnd(bytes, offset, bytes.length);
    const tag = toHex(bytes.subarray(offset, lengthAt));
    const { mark, length, valueAt, odd } = lengthIn(bytes, lengthAt);
    const end = valueAt + length;
    if (end > bytes.length)
      throw malformedTlv(offset, `tag ${tag} claims ${length} bytes, ${bytes.length - valueAt} are left`);
    // A view of the input, not a copy: overwriting one overwrites the other.
    const value = new Uint8Array(bytes.buffer, bytes.byteOffset + valueAt, length);
    const inner = mark === undefined && templates.has(tag);
    if (inner && depth === depthMax) throw malformedTlv(offset, `more than ${depthMax} templates in one another`);
    const twin = odd ? list.findIndex((each) => each.tag === tag && each.mark === undefined) : -1;
    // The Augusta family sends each sensitive tag twice with a two-byte length: first masked, then encrypted.
    if (twin >= 0) list[twin] = { tag, value: list[twin]?.value ?? value, mark: 'masked' };
    const marked = twin >= 0 ? 'encrypted' : mark;
    list.push({ tag, value, mark: marked, children: inner ? decodeNeo2Tlv(value, depth + 1) : undefined });
    offset = end;
  }
  return list;
};

/** `odd`: a long form where one byte is enough. */
const lengthIn = (bytes: Uint8Array, offset: number) => {
  const [first, second, third] = bytes.subarray(offset, offset + 3);
  if (first === undefined) throw malformedTlv(offset, 'a tag has no length');
  if (first < 0x80) return { length: first, valueAt: offset + 1, odd: false };
  const mark = first === marks.masked ? 'masked' : first === marks.encrypted ? 'encrypted' : undefined;
  if (mark === undefined && first !== 0x81 && first !== 0x82) throw malformedTlv(offset, 'a length of an unknown form');
  if (second === undefined) throw malformedTlv(offset, 'the length is cut short');
  if (mark !== undefined) return { mark, length: second, valueAt: offset + 2, odd: false } as const;
  if (first === 0x81) return { length: second, valueAt: offset + 2, odd: second < 0x80 };
  if (third === undefined) throw malformedTlv(offset, 'the length is cut short');
  return { length: (second << 8) | third, valueAt: offset + 3, odd: false };
};

/**
 * The objects one after the other; `children` take precedence over `value`. `long`: marks are encoded as a two-byte
 * length, as in the Augusta family. Throws `emv.malformed` for too long a value.
 */
export const encodeNeo2Tlv = (list: readonly Neo2Tlv[], how: 'marks' | 'long' = 'marks'): Uint8Array =>
  concat(
    ...list.map(({ tag, mark, value, children }) => {
      const content = children === undefined ? value : encodeNeo2Tlv(children, how);
      const first = mark === undefined ? undefined : how === 'long' ? 0x81 : marks[mark];
      return concat(fromHex(tag), lengthBytes(tag, content.length, first), content);
    }),
  );

const lengthBytes = (tag: string, length: number, mark: number | undefined): Uint8Array => {
  const most = mark === undefined ? 0xffff : 0xff;
  if (length > most) throw new Fault('emv.malformed', { what: `Tag ${tag}`, why: `more than ${most} bytes` });
  if (mark !== undefined) return Uint8Array.of(mark, length);
  if (length < 0x80) return Uint8Array.of(length);
  return length < 0x100 ? Uint8Array.of(0x81, length) : Uint8Array.of(0x82, length >> 8, length & 0xff);
};

export const neo2Tlv = (tag: string, value: Uint8Array | string, mark?: 'masked' | 'encrypted'): Neo2Tlv => ({
  tag,
  value: typeof value === 'string' ? fromHex(value) : value,
  mark,
});

/** A template that contains these objects. */
export const neo2Template = (tag: string, children: readonly Neo2Tlv[]): Neo2Tlv => ({
  tag,
  value: encodeNeo2Tlv(children),
  children,
});

/** Every object that is not a template, in order. */
export const flattenNeo2Tlvs = (list: readonly Neo2Tlv[]): Neo2Tlv[] =>
  list.flatMap((each) => (each.children === undefined ? [each] : flattenNeo2Tlvs(each.children)));

/** The first object with this tag; with `mark`, that form of a sensitive one. */
export const findNeo2 = (list: readonly Neo2Tlv[], tag: string, mark?: 'masked' | 'encrypted'): Neo2Tlv | undefined =>
  flattenNeo2Tlvs(list).find((each) => each.tag === tag && each.mark === mark);

/** The value in hex; undefined when it is missing or empty. */
export const hexIn = (list: readonly Neo2Tlv[], tag: string): string | undefined => {
  const value = findNeo2(list, tag)?.value;
  return value === undefined || value.length === 0 ? undefined : toHex(value);
};

type Field<T> = Codec<T> & { readonly tag: string };
type Fields = Readonly<Record<string, Field<unknown>>>;
type Values<F extends Fields> = { [K in keyof F]?: ReturnType<F[K]['decode']> };

/** Minor units, tags 9F02 and 9F03. */
export const amount: Codec<bigint> = {
  encode: fullAmount.encode,
  // A public sample sends a single byte.
  decode: (raw) => (raw.length === 0 ? 0n : BigInt(digits(raw.length).decode(raw))),
};

/** A whole number in this many bytes, high byte first. */
export const number = (bytes: number): Codec<number> => ({
  encode: (value) => Uint8Array.from({ length: bytes }, (_, index) => (value >>> (8 * (bytes - 1 - index))) & 0xff),
  decode(raw) {
    if (raw.length < bytes) throw malformed('A number', `it needs ${bytes} bytes`);
    return raw.subarray(0, bytes).reduce((sum, byte) => sum * 0x100 + byte, 0);
  },
});

/** One value after the other, each of a fixed size. */
export const sequence = <V extends Record<string, number>>(sizes: { [K in keyof V]: number }): Codec<V> => ({
  encode: (values) => concat(...Object.entries(sizes).map(([name, size]) => number(size).encode(values[name] ?? 0))),
  decode(raw) {
    let offset = 0;
    const read = Object.entries(sizes).map(([name, size]) => {
      offset += size;
      return [name, number(size).decode(raw.subarray(offset - size))] as const;
    });
    return Object.fromEntries(read) as V;
  },
});

export const field = <T>(tag: string, codec: Codec<T>): Field<T> => ({ ...codec, tag });

/** Writes the given values as TLVs in the table's order; reads them in any order. Unknown tags are ignored. */
export const fields = <F extends Fields>(rows: F): Codec<Values<F>> => ({
  encode(values) {
    const input = values as Record<string, unknown>;
    return encodeNeo2Tlv(
      Object.entries(rows).flatMap(([name, row]) =>
        input[name] === undefined ? [] : [neo2Tlv(row.tag, row.encode(input[name]))],
      ),
    );
  },
  decode(raw) {
    const list = decodeNeo2Tlv(raw);
    const found = Object.entries(rows).flatMap(([name, row]) => {
      const value = findNeo2(list, row.tag)?.value;
      return value === undefined ? [] : [[name, row.decode(value)] as const];
    });
    return Object.fromEntries(found) as Values<F>;
  },
});
