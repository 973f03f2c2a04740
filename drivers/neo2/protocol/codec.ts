/** What NEO 2 adds to the vocabulary of the command table: numbers in a row, its own TLVs, and transaction results. */
import { concat } from '../../../src/base/hex.ts';
import { type Codec, digits, amount as fullAmount, malformed } from '../../codec.ts';
import { decodeNeo2Tlv, encodeNeo2Tlv, findNeo2, type Neo2Tlv, neo2Tlv } from './tlv.ts';

type Field<T> = Codec<T> & { readonly tag: string };
type Fields = Readonly<Record<string, Field<unknown>>>;
type Values<F extends Fields> = { [K in keyof F]?: ReturnType<F[K]['decode']> };

/** Minor units, tags 9F02 and 9F03. */
export const amount: Codec<bigint> = {
  encode: fullAmount.encode,
  // A public sample sends a single byte.
  decode: (raw) => (raw.length === 0 ? 0n : BigInt(digits(raw.length).decode(raw))),
};

/** A whole number of so many bytes, high byte first. */
export const number = (bytes: number): Codec<number> => ({
  encode: (value) => Uint8Array.from({ length: bytes }, (_, at) => (value >>> (8 * (bytes - 1 - at))) & 0xff),
  decode(raw) {
    if (raw.length < bytes) throw malformed('A number', `it needs ${bytes} bytes`);
    return raw.subarray(0, bytes).reduce((sum, byte) => sum * 0x100 + byte, 0);
  },
});

/** One value after the other, each of a fixed size. */
export const sequence = <V extends Record<string, number>>(sizes: { [K in keyof V]: number }): Codec<V> => ({
  encode: (values) => concat(...Object.entries(sizes).map(([name, size]) => number(size).encode(values[name] ?? 0))),
  decode(raw) {
    let at = 0;
    const read = Object.entries(sizes).map(([name, size]) => {
      at += size;
      return [name, number(size).decode(raw.subarray(at - size))] as const;
    });
    return Object.fromEntries(read) as V;
  },
});

export const field = <T>(tag: string, codec: Codec<T>): Field<T> => ({ ...codec, tag });

/** TLVs in the table's order, those that are given; in any order when read. Unknown tags are overlooked. */
export const fields = <F extends Fields>(rows: F): Codec<Values<F>> => ({
  encode(values) {
    const given = values as Record<string, unknown>;
    return encodeNeo2Tlv(
      Object.entries(rows).flatMap(([name, row]) =>
        given[name] === undefined ? [] : [neo2Tlv(row.tag, row.encode(given[name]))],
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

/** What a transaction step says: the attribution byte where there is one, and its objects. */
export type Neo2Result = { attribution?: number; tlvs: readonly Neo2Tlv[] };

/** Without one of these no answer says anything about a card. */
const telling = [
  'DFEE25',
  'DFEE12',
  'FFEE12',
  'FFEE1F',
  'DFEE02',
  'DFEE26',
  'DFEE23',
  'DFEF61',
  '9F39',
  '9F26',
  '9F27',
  '9F02',
];

/**
 * The attribution byte is there in some answers and missing in others of the same family, and looks like a tag: it is
 * taken for one when its bits name an interface and what follows reads well. Throws `tlv.malformed`.
 */
export const resultCodec: Codec<Neo2Result> = {
  encode: ({ attribution, tlvs }) =>
    concat(attribution === undefined ? new Uint8Array(0) : Uint8Array.of(attribution), encodeNeo2Tlv(tlvs)),
  decode(raw) {
    const [first] = raw;
    if (first === undefined) return { tlvs: [] };
    const behind = attributionOf(first) === undefined ? undefined : objectsIn(raw.subarray(1));
    if (behind !== undefined) return { attribution: first, tlvs: behind };
    return { tlvs: decodeNeo2Tlv(raw) };
  },
};

const objectsIn = (raw: Uint8Array): Neo2Tlv[] | undefined => {
  try {
    const list = decodeNeo2Tlv(raw);
    return telling.some((tag) => list.some((each) => each.tag === tag)) ? list : undefined;
  } catch {
    return undefined;
  }
};

// The attribution byte, first in an answer with card data: which interface, which cipher, and whether it was used.
// Source: NEO 2 IDG 80139403-002, p233 and p238; VP3350 Integration Manual. With bits 2 and 1 as 10 the cipher is in
// DFEE26; in the vendor's public test scripts it is TransArmor then (E4, E5, EC, F5).

export type CardWay = 'contact' | 'tap' | 'tapStripe' | 'swipe';

export type Attribution = { way: CardWay; cipher: 'tdes' | 'aes' | 'extended'; encrypted: boolean };

const bits = { aes: 0x02, extended: 0x04, encrypted: 0xc0 } as const;
const cipherMask = 0x06;
const interfaceMask = 0x19;
/** Bits 4, 3 and 0. */
const ways: Readonly<Record<number, CardWay>> = { 0: 'contact', 1: 'tap', 17: 'tapStripe', 8: 'swipe', 9: 'swipe' };
const codes: Readonly<Record<CardWay, number>> = { contact: 0x00, tap: 0x01, tapStripe: 0x11, swipe: 0x08 };

/** Undefined when no interface has these bits: the byte is something else. */
export const attributionOf = (byte: number): Attribution | undefined => {
  const way = ways[byte & interfaceMask];
  const found = byte & cipherMask;
  const cipher = found === bits.aes ? 'aes' : found === bits.extended ? 'extended' : 'tdes';
  return way === undefined ? undefined : { way, cipher, encrypted: (byte & bits.encrypted) !== 0 };
};

export const attributionByte = ({ way, cipher, encrypted }: Attribution): number =>
  codes[way] | (cipher === 'tdes' ? 0 : bits[cipher]) | (encrypted ? bits.encrypted : 0);
