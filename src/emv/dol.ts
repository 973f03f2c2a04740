/** Data object lists: the data, and its lengths, that one side requests from the other (EMV Book 3, 5.4). */
import { Fault } from '../base/fault.ts';
import { tagRow } from './tags.ts';
import { isConstructed, tagEnd, tagText } from './tlv.ts';

/** A requested tag in upper-case hex, and the number of bytes, 0 to 255. */
export type DolEntry = { readonly tag: string; readonly length: number };

/** A PDOL, CDOL, DDOL or TDOL: at most the 252 bytes a record can hold. */
const DOL_BYTES_MAX = 252;

/** The entries in order, repeats kept. Throws `tlv.malformed` for a tag cut short, `emv.malformed` without a length. */
export const parseDol = (bytes: Uint8Array): DolEntry[] => {
  if (bytes.length > DOL_BYTES_MAX) throw malformedDol(`${bytes.length} bytes, at most ${DOL_BYTES_MAX} are possible`);
  const entries: DolEntry[] = [];
  let at = 0;
  while (at < bytes.length) {
    const lengthAt = tagEnd(bytes, at, bytes.length);
    const tag = tagText(bytes, at, lengthAt);
    const length = bytes[lengthAt];
    if (length === undefined) throw malformedDol(`tag ${tag} at byte ${at} has no length`);
    entries.push({ tag, length });
    at = lengthAt + 1;
  }
  return entries;
};

const malformedDol = (cause: string): Fault => new Fault('emv.malformed', { what: 'The data object list', why: cause });

/** The number of bytes that a list requests. */
export const dolLength = (dol: Uint8Array | readonly DolEntry[]): number =>
  entriesOf(dol).reduce((sum, { length }) => sum + length, 0);

/**
 * The data that a list requests, each value in the requested length by its format. Unknown values and templates become
 * zeros. Throws as `parseDol` does.
 */
export const buildDol = (
  dol: Uint8Array | readonly DolEntry[],
  valueFor: (tag: string) => Uint8Array | undefined,
): Uint8Array => {
  const entries = entriesOf(dol);
  const data = new Uint8Array(dolLength(entries));
  let offset = 0;
  for (const { tag, length } of entries) {
    const value = isConstructed(tag) ? undefined : valueFor(tag);
    if (value !== undefined) fill(data.subarray(offset, offset + length), value, tag);
    offset += length;
  }
  return data;
};

/** Numbers keep their right end, everything else its left; the rest is zeros, or Fs after compressed numbers. */
const fill = (place: Uint8Array, value: Uint8Array, tag: string): void => {
  const format = tagRow(tag)?.format;
  if (format === 'n') {
    const stored = value.subarray(Math.max(0, value.length - place.length));
    place.set(stored, place.length - stored.length);
    return;
  }
  if (format === 'cn') place.fill(0xff);
  place.set(value.subarray(0, place.length));
};

const entriesOf = (dol: Uint8Array | readonly DolEntry[]): readonly DolEntry[] =>
  dol instanceof Uint8Array ? parseDol(dol) : dol;
