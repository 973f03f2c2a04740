/** The application cryptogram of a chip: ARQC, TC or AAC, all made in the same way (EMV Book 2, 8.1). */
import { Fault } from '../base/fault.ts';
import { concat } from '../base/hex.ts';
import { parseIad } from './iad.ts';
import { retailMac } from './mac.ts';
import { wantBytes } from './want.ts';

/** `80`: a byte 80, then zeros. `00`: zeros only, as Visa cryptogram versions 10 and 17 have it. */
export type CryptogramPadding = '80' | '00';

/**
 * The cryptogram, 8 bytes, under a key of 16 bytes: the session key, or the card's master key where the version has no
 * session key. Throws `key.malformed`.
 */
export const applicationCryptogram = (o: {
  key: Uint8Array;
  data: Uint8Array;
  padding: CryptogramPadding;
}): Uint8Array => retailMac({ key: o.key, data: o.data, padding: o.padding === '80' ? 2 : 1 });

// What an application cryptogram is made over: the values of tags as the card got them, one after the other.

/** The value of a tag (upper-case hex) as it stands in the message, or undefined. */
export type TagValues = (tag: string) => Uint8Array | undefined;

/** The value of a tag that must be there with this length. Throws `emv.malformed`. */
export const wantTag = (tags: TagValues, tag: string, length: number): Uint8Array => {
  const value = tags(tag);
  if (value === undefined) throw new Fault('emv.malformed', { what: `Tag ${tag}`, why: 'it is missing' });
  wantBytes(`Tag ${tag}`, value, [length]);
  return value;
};

/** Amount, other amount, country, TVR, currency, date, type, unpredictable number, AIP, ATC: with lengths in bytes. */
const commonTags = [
  ['9F02', 6],
  ['9F03', 6],
  ['9F1A', 2],
  ['95', 5],
  ['5F2A', 2],
  ['9A', 3],
  ['9C', 1],
  ['9F37', 4],
  ['82', 2],
  ['9F36', 2],
] as const;

/** What all schemes have in front: EMV Book 2, 8.1.1. An absent other amount counts as zero. Throws `emv.malformed`. */
export const commonInput = (tags: TagValues): Uint8Array =>
  concat(
    ...commonTags.map(([tag, length]) =>
      tag === '9F03' && tags(tag) === undefined ? new Uint8Array(length) : wantTag(tags, tag, length),
    ),
  );

/** The whole issuer application data. Throws `emv.malformed` if it is absent or longer than 32 bytes. */
export const wholeIad = (tags: TagValues): Uint8Array => {
  const iad = tags('9F10');
  if (iad === undefined) throw new Fault('emv.malformed', { what: 'Tag 9F10', why: 'it is missing' });
  parseIad(iad);
  return iad;
};

/** Visa's card verification results: 4 bytes, the first their length. Throws `emv.malformed`. */
export const visaResults = (tags: TagValues): Uint8Array => {
  const parts = parseIad(wholeIad(tags));
  if (parts.format !== 'VIS 0/1/3') throw wrongForm('VIS 0/1/3');
  return parts.cvr;
};

/** Mastercard's card verification results, 6 bytes, and counters, 8 or 16. Throws `emv.malformed`. */
export const mChipParts = (tags: TagValues): { cvr: Uint8Array; counters: Uint8Array } => {
  const parts = parseIad(wholeIad(tags));
  if (parts.format !== 'M/Chip') throw wrongForm('M/Chip');
  return parts;
};

const wrongForm = (form: string): Fault =>
  new Fault('emv.malformed', { what: 'Tag 9F10', why: `this cryptogram version needs the form ${form}` });
