/** BER-TLV tags: how long one is, its text, and its class bits (EMV Book 3 Annex B1, ISO/IEC 7816-4). */
import { Fault } from '../base/fault.ts';

/** EMV itself uses up to three bytes; four leave room for vendors. Longer ones are noise. */
export const TAG_BYTES_MAX = 4;

const CONSTRUCTED = 0x20;
const MORE_BYTES = 0x1f;
const CONTINUES = 0x80;

/** The fault of malformed TLV data: `offset` is a byte of the whole input, `why` never quotes its content. */
export const malformed = (offset: number, why: string): Fault => new Fault('tlv.malformed', { offset, why });

/** The offset behind the tag that starts at `at`. Throws `tlv.malformed` if it does not end before `end`. */
export const tagEnd = (bytes: Uint8Array, at: number, end: number): number => {
  const first = bytes[at] as number;
  if ((first & MORE_BYTES) !== MORE_BYTES) return at + 1;
  // ISO 7816 lets FF fill gaps; EMV does not, and skipping it would hide damaged data.
  if (first === 0xff && bytes[at + 1] === 0xff) throw malformed(at, 'FF filler between objects');
  for (let next = at + 1; next < end; next += 1) {
    if (next - at === TAG_BYTES_MAX) throw malformed(at, `a tag of more than ${TAG_BYTES_MAX} bytes`);
    if (((bytes[next] as number) & CONTINUES) === 0) return next + 1;
  }
  throw malformed(at, 'the tag is cut short');
};

/** Texts of one- and two-byte tags, by number. Longer tags are rare and stay out, so that no input can grow it. */
const knownTexts: (string | undefined)[] = new Array(0x10000);

/** The tag between the two offsets as upper-case hex. */
export const tagText = (bytes: Uint8Array, start: number, end: number): string => {
  let value = 0;
  for (let at = start; at < end; at += 1) value = value * 0x100 + (bytes[at] as number);
  return knownTexts[value] ?? newText(value, 2 * (end - start));
};

const newText = (value: number, digits: number): string => {
  const text = value.toString(16).toUpperCase().padStart(digits, '0');
  if (value < knownTexts.length) knownTexts[value] = text;
  return text;
};

/** Whether an object with this first tag byte holds other objects rather than plain data. */
export const holdsObjects = (firstByte: number): boolean => (firstByte & CONSTRUCTED) !== 0;

/** Whether an object with this tag, as hex text, holds other objects. */
export const isConstructed = (tag: string): boolean => holdsObjects(Number.parseInt(tag.slice(0, 2), 16));

/** Whether the text is one whole tag in hex, and none that reads as padding or filler. */
export const isTag = (text: string): boolean => {
  if (!/^(?:[0-9A-F]{2}){1,4}$/.test(text) || text.startsWith('00') || text.startsWith('FFFF')) return false;
  const bytes = Buffer.from(text, 'hex');
  const more = (bytes[0] as number) & MORE_BYTES;
  if (more !== MORE_BYTES) return bytes.length === 1;
  return bytes.length > 1 && bytes.subarray(1).every((byte, at) => byte >= CONTINUES === at < bytes.length - 2);
};
