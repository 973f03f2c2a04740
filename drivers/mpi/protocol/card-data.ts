/** What the till may learn about a card from an MPI device: encrypted data, masks, and harmless tags. */
import { toHex } from '../../../src/base/hex.ts';
import { hidden } from '../../../src/base/mask.ts';
import type { EntryMode } from '../../../src/emv/entry-mode.ts';
import { encodeTlv, find, type Tlv } from '../../../src/emv/tlv.ts';
import {
  type ClearValueLookup,
  chipFacts,
  hexOf,
  normaliseMask,
  selectTags,
  serviceCodeOf,
  travels,
} from '../../card-facts.ts';
import type { CardData, Encrypted } from '../../terminal.ts';

/** Every object that is not a template, in order. */
export const flattenTlvs = (tlvs: readonly Tlv[]): Tlv[] =>
  tlvs.flatMap((each) => (each.children === undefined ? [each] : flattenTlvs(each.children)));

/** TLV hex of the tags that may travel, each once, in the device's order; undefined when there are none. */
export const printHarmless = (tlvs: readonly Tlv[]): string | undefined => {
  const stored = selectTags(flattenTlvs(tlvs), ({ tag }) => travels.has(tag));
  return stored.length === 0 ? undefined : toHex(encodeTlv(stored));
};

/**
 * Tags DFAE02 and DFAE03: all ciphertexts, each with the key serial number that follows it, the longest first. Public
 * captures decrypt to whole objects with zero padding: 24 bytes hold tag 57 and 112 both tracks, with number and
 * expiry; a number alone (5A) fits into 16. Of equally long ciphertexts the first is taken, as in the vendor's SDK;
 * those of the captured tap have the same plain text.
 */
export const sredOf = (tlvs: readonly Tlv[]): Encrypted[] => {
  const all = flattenTlvs(tlvs);
  const pairs = all.flatMap(({ tag, value }, index) => {
    const ksn = all.slice(index + 1).find((laterTlv) => laterTlv.tag === 'DFAE02' || laterTlv.tag === 'DFAE03');
    return tag === 'DFAE02' && ksn?.tag === 'DFAE03' ? [{ data: value.slice(), ksn: toHex(ksn.value) }] : [];
  });
  return pairs.sort((one, other) => other.data.length - one.data.length);
};

export const clearIn =
  (tlvs: readonly Tlv[]): ClearValueLookup =>
  (tag) =>
    find(tlvs, tag)?.value;

/** The masked track 2 that the device sends for a chip (DFAE57), a tap (that or DFAE6B) or a stripe (DFAE22). */
export const maskedTrackOf = (tlvs: readonly Tlv[]): MpiMaskedTrack2 | undefined => {
  const chip = find(tlvs, 'DFAE57') ?? find(tlvs, 'DFAE6B') ?? find(tlvs, '57') ?? find(tlvs, '9F6B');
  if (chip !== undefined) return maskOfTag57(chip.value);
  const stripe = find(tlvs, 'DFAE22');
  return stripe === undefined ? undefined : maskOfText(Buffer.from(stripe.value).toString('latin1'));
};

/** The masked number: of a typed card (DFA208), on its own (DFAE5A), or from the track. */
export const maskedNumberOf = (tlvs: readonly Tlv[]): string | undefined => {
  const typed = find(tlvs, 'DFA208');
  if (typed !== undefined) return maskOfTyped(typed.value);
  const number = find(tlvs, 'DFAE5A') ?? find(tlvs, '5A');
  return number === undefined ? maskedTrackOf(tlvs)?.maskedPan : maskOfDigits(number.value);
};

/** What the till learns about a chip, a tap or a typed number. `input`: the children of the answer's template. */
export const cardDataOf = (inputs: readonly Tlv[], entryMode: EntryMode): CardData => {
  const tlvs = flattenTlvs(inputs);
  return {
    entryMode,
    maskedPan: maskedNumberOf(tlvs) ?? hidden,
    sred: sredOf(tlvs),
    ...chipFacts(clearIn(tlvs), entryMode),
    icc: find(tlvs, '9F26') && printHarmless(tlvs),
  };
};

/** Whether a tap gave chip or stripe data: by tag 9F39, else by the mode in DF30, else by a cryptogram. */
export const tapMode = (inputs: readonly Tlv[]): EntryMode => {
  const tlvs = flattenTlvs(inputs);
  const entry = hexOf(find(tlvs, '9F39')?.value);
  if (entry === '07' || entry === '91') return entry === '07' ? 'NFC_ICC' : 'NFC_MAGSTRIPE';
  const mode = find(tlvs, 'DF30')?.value[1];
  const chip = mode === undefined ? find(tlvs, '9F26') !== undefined : mode === 1;
  return chip ? 'NFC_ICC' : 'NFC_MAGSTRIPE';
};

// The masked card numbers and tracks of an MPI device in one form: it masks with F nibbles in bytes, stars in text.

export type MpiMaskedTrack2 = {
  /** First six, stars, last four. */
  maskedPan: string;
  /** Undefined where the device masks it too. */
  serviceCode?: string;
  /** The form that PIN entry expects: `;476173******0010=1512201*********?`, the card number never readable. */
  text: string;
};

/** Tag DFAE5A or 5A: two digits per byte, F for a masked digit. A number of odd length ends with one padding F. */
export const maskOfDigits = (bytes: Uint8Array): string => {
  const text = Buffer.from(bytes).toString('hex').toUpperCase().replace(/F$/, '');
  return normaliseMask(text.replaceAll('F', '*'));
};

/** Tag DFA208: the typed number as text, grouped or not; any character that is not a digit is a hidden one. */
const maskOfTyped = (bytes: Uint8Array): string =>
  normaliseMask(Buffer.from(bytes).toString('latin1').replace(/\s/g, '').replace(/\D/g, '*'));

/** Tag DFAE57 or 57: number, D, expiry, service code, the rest. Undefined when there is no separator. */
export const maskOfTag57 = (bytes: Uint8Array): MpiMaskedTrack2 | undefined => {
  const [number, rest] = Buffer.from(bytes).toString('hex').toUpperCase().replace(/F$/, '').split('D');
  return number === undefined || rest === undefined ? undefined : maskedTrackFrom(number, rest);
};

/** Tag DFAE22: one or more tracks as text, with their sentinels. Returns track 2, or undefined. */
export const maskOfText = (text: string): MpiMaskedTrack2 | undefined => {
  const match = /;([\d*]{12,19})=([\d*]{4,20})/.exec(text);
  if (match === null) return undefined;
  const track = maskedTrackFrom(match[1] ?? '', match[2] ?? '');
  // The device compares it with its own text, so that text is sent back, if it is masked at all.
  return /\d{11}/.test(text) ? track : { ...track, text };
};

const maskedTrackFrom = (number: string, rest: string): MpiMaskedTrack2 => {
  const maskedPan = normaliseMask(number.replaceAll('F', '*'));
  const text = `${rest.slice(0, 7).replaceAll('F', '*')}${'*'.repeat(Math.max(rest.length - 7, 0))}`;
  return { maskedPan, text: `;${maskedPan}=${text}?`, serviceCode: serviceCodeOf(rest) };
};
