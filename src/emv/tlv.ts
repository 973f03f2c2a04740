/**
 * BER-TLV as EMV uses it (EMV Book 3 Annex B): read strictly, written with minimal lengths.
 *
 * Reading is one pass. A value is a view of the input, not a copy: a caller that reuses the input's memory must copy
 * first.
 */
import { Fault } from '../base/fault.ts';
import { concat, fromHex } from '../base/hex.ts';

/** One object. `tag` is upper-case hex; a template also has its `children`, in their order, repeats kept. */
export type Tlv = { readonly tag: string; readonly value: Uint8Array; readonly children?: readonly Tlv[] };

export const TLV_DEPTH_MAX = 16;
/** The maximum size of an input or output: every APDU, terminal message and host field is far smaller. */
export const TLV_BYTES_MAX = 65_536;

/**
 * All objects of the input. 00 bytes before, between and after objects are padding; lengths need not be minimal.
 * Throws `tlv.malformed` with the offset of the offending object or length byte: cut short, indefinite or five-byte
 * lengths, lengths past the parent, FF filler, more than four tag bytes, too deep, too big.
 */
export const decodeTlv = (bytes: Uint8Array): Tlv[] => {
  if (bytes.length > TLV_BYTES_MAX) throw malformed(TLV_BYTES_MAX, `more than ${TLV_BYTES_MAX} bytes`);
  return decodeRange(bytes, { start: 0, end: bytes.length }, 0);
};

const decodeRange = (bytes: Uint8Array, { start, end }: { start: number; end: number }, depth: number): Tlv[] => {
  const list: Tlv[] = [];
  let offset = start;
  while (offset < end) {
    const first = bytes[offset] as number;
    if (first === 0) {
      offset += 1;
      continue;
    }
    const lengthAt = tagEnd(bytes, offset, end);
    const tag = tagText(bytes, offset, lengthAt);
    if (lengthAt === end) throw malformed(offset, `tag ${tag} has no length`);

    let length = bytes[lengthAt] as number;
    let valueAt = lengthAt + 1;
    if (length > 0x7f) {
      valueAt += length & 0x7f;
      length = longLength(bytes, lengthAt, end);
    }
    const valueEnd = valueAt + length;
    if (valueEnd > end) throw malformed(lengthAt, `tag ${tag} claims ${length} bytes, ${end - valueAt} are left`);

    const value = new Uint8Array(bytes.buffer, bytes.byteOffset + valueAt, length);
    if (holdsObjects(first)) {
      if (depth === TLV_DEPTH_MAX) throw malformed(offset, `more than ${TLV_DEPTH_MAX} templates in one another`);
      list.push({ tag, value, children: decodeRange(bytes, { start: valueAt, end: valueEnd }, depth + 1) });
    } else {
      list.push({ tag, value });
    }
    offset = valueEnd;
  }
  return list;
};

/** The length in long form, 81 to 84, whose first byte is at `lengthAt`. */
const longLength = (bytes: Uint8Array, lengthAt: number, end: number): number => {
  const size = (bytes[lengthAt] as number) & 0x7f;
  if (size === 0) throw malformed(lengthAt, 'an indefinite length');
  if (size > 4) throw malformed(lengthAt, `a length of ${size} bytes`);
  if (lengthAt + size >= end) throw malformed(lengthAt, 'the length is cut short');
  let length = 0;
  // Multiplied, not shifted: a shift would make 80000000 negative.
  for (let at = lengthAt + 1; at <= lengthAt + size; at += 1) length = length * 0x100 + (bytes[at] as number);
  return length;
};

/**
 * The objects one after the other, with minimal lengths; `children` take precedence over `value`. Throws
 * `emv.malformed` for an invalid tag, children under a primitive tag, or limits that decoding refuses.
 */
export const encodeTlv = (list: readonly Tlv[]): Uint8Array => {
  const bytes = encodeList(list, 0);
  if (bytes.length > TLV_BYTES_MAX) throw unwritable('list', `more than ${TLV_BYTES_MAX} bytes`);
  return bytes;
};

const encodeList = (list: readonly Tlv[], depth: number): Uint8Array => {
  // An object takes at least two bytes; more of them cannot fit, and would be too many arguments below.
  if (list.length > TLV_BYTES_MAX / 2) throw unwritable('list', `more than ${TLV_BYTES_MAX} bytes`);
  return concat(...list.map((object) => encodeOne(object, depth)));
};

const encodeOne = ({ tag, value, children }: Tlv, depth: number): Uint8Array => {
  check(tag, children !== undefined);
  if (children === undefined) return concat(fromHex(tag), lengthBytes(value.length), value);
  if (depth === TLV_DEPTH_MAX) throw unwritable(tag, `more than ${TLV_DEPTH_MAX} templates in one another`);
  const content = encodeList(children, depth + 1);
  return concat(fromHex(tag), lengthBytes(content.length), content);
};

const lengthBytes = (length: number): Uint8Array => {
  if (length < 0x80) return Uint8Array.of(length);
  const digits = length.toString(16);
  const bytes = fromHex(digits.length % 2 === 0 ? digits : `0${digits}`);
  return concat(Uint8Array.of(0x80 + bytes.length), bytes);
};

/**
 * One object of a tag in hex and its value: bytes, hex text, or a template's children.
 * Bytes under a constructed tag are decoded, so that its children can be found. Throws `emv.malformed`,
 * `tlv.malformed` or `hex.malformed`.
 */
export const tlv = (tag: string, value: Uint8Array | string | readonly Tlv[]): Tlv => {
  const name = tag.toUpperCase();
  const isList = typeof value !== 'string' && !(value instanceof Uint8Array);
  check(name, isList);
  if (isList) return { tag: name, value: encodeTlv(value), children: [...value] };
  const bytes = typeof value === 'string' ? fromHex(value) : value;
  return isConstructed(name) ? { tag: name, value: bytes, children: decodeTlv(bytes) } : { tag: name, value: bytes };
};

const check = (tag: string, hasChildren: boolean): void => {
  if (!isTag(tag)) throw unwritable(tag.slice(0, 10), 'that is no tag');
  if (hasChildren && !isConstructed(tag)) throw unwritable(tag, 'a primitive tag cannot have children');
};

const unwritable = (tag: string, why: string): Fault => new Fault('emv.malformed', { what: `TLV object ${tag}`, why });

export const find = (list: readonly Tlv[], tag: string): Tlv | undefined => list.find((object) => object.tag === tag);

export const findAll = (list: readonly Tlv[], tag: string): Tlv[] => list.filter((object) => object.tag === tag);

/** The first object with the tag at any level, a template before its content. */
export const findDeep = (list: readonly Tlv[], tag: string): Tlv | undefined => {
  for (const object of list) {
    if (object.tag === tag) return object;
    const inner = object.children === undefined ? undefined : findDeep(object.children, tag);
    if (inner !== undefined) return inner;
  }
  return undefined;
};

// BER-TLV tags: how long one is, its text, and its class bits (EMV Book 3 Annex B1, ISO/IEC 7816-4).

/** EMV itself uses up to three bytes; four leave room for vendors. Longer ones are noise. */
export const TAG_BYTES_MAX = 4;

const CONSTRUCTED = 0x20;
const MORE_BYTES = 0x1f;
const CONTINUES = 0x80;

/** The fault for malformed TLV data: `offset` is a byte of the whole input, `why` never quotes its content. */
const malformed = (offset: number, reason: string): Fault => new Fault('tlv.malformed', { offset, why: reason });

/** The offset after the tag that starts at `at`. Throws `tlv.malformed` if it does not end before `end`. */
export const tagEnd = (bytes: Uint8Array, offset: number, end: number): number => {
  const first = bytes[offset] as number;
  if ((first & MORE_BYTES) !== MORE_BYTES) return offset + 1;
  // ISO 7816 allows FF between objects; EMV does not, and skipping it would hide damaged data.
  if (first === 0xff && bytes[offset + 1] === 0xff) throw malformed(offset, 'FF filler between objects');
  for (let next = offset + 1; next < end; next += 1) {
    if (next - offset === TAG_BYTES_MAX) throw malformed(offset, `a tag of more than ${TAG_BYTES_MAX} bytes`);
    if (((bytes[next] as number) & CONTINUES) === 0) return next + 1;
  }
  throw malformed(offset, 'the tag is cut short');
};

/** Texts of one- and two-byte tags, by number. Longer tags are rare and left out, so that no input can enlarge it. */
const knownTexts: (string | undefined)[] = new Array(0x10000);

/** The tag between the two offsets as upper-case hex. */
export const tagText = (bytes: Uint8Array, start: number, end: number): string => {
  let value = 0;
  for (let offset = start; offset < end; offset += 1) value = value * 0x100 + (bytes[offset] as number);
  return knownTexts[value] ?? newText(value, 2 * (end - start));
};

const newText = (value: number, digits: number): string => {
  const text = value.toString(16).toUpperCase().padStart(digits, '0');
  if (value < knownTexts.length) knownTexts[value] = text;
  return text;
};

/** Whether an object with this first tag byte contains other objects rather than plain data. */
const holdsObjects = (firstByte: number): boolean => (firstByte & CONSTRUCTED) !== 0;

/** Whether an object with this tag, as hex text, contains other objects. */
export const isConstructed = (tag: string): boolean => holdsObjects(Number.parseInt(tag.slice(0, 2), 16));

/** Whether the text is one whole tag in hex that does not read as padding or filler. */
export const isTag = (text: string): boolean => {
  if (!/^(?:[0-9A-F]{2}){1,4}$/.test(text) || text.startsWith('00') || text.startsWith('FFFF')) return false;
  const bytes = Buffer.from(text, 'hex');
  const more = (bytes[0] as number) & MORE_BYTES;
  if (more !== MORE_BYTES) return bytes.length === 1;
  return bytes.length > 1 && bytes.subarray(1).every((byte, i) => byte >= CONTINUES === i < bytes.length - 2);
};
