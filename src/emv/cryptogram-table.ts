/**
 * The cryptogram versions of the schemes as one table: key, input, answer, secure messaging. Sources: VIS and M/Chip as
 * public libraries and processors' guides describe them, EMV Book 3 for the common core; Interac from pyemv, whose
 * published values are in the tests.
 */
import { Fault, isFault } from '../base/fault.ts';
import { concat } from '../base/hex.ts';
import type { Brand } from './brands.ts';
import { type Iad, parseIad } from './iad.ts';
import { retailMac } from './mac.ts';
import type { PinChangeEncryption } from './script.ts';
import { wantBytes } from './want.ts';

/** One row: all differences between the schemes. */
type Version = {
  /** The key of the cryptogram: the card's master key itself, or a session key. */
  session: 'none' | 'common' | 'mastercard';
  input: (tags: TagValues) => Uint8Array;
  padding: CryptogramPadding;
  /** The ARPC. `arc`: method 1 over the ASCII response code. `code`: method 1 over Mastercard's. `csu`: method 2. */
  answer: 'arc' | 'code' | 'csu';
  /** The key of the issuer's answer: the card's master key or the session key of the cryptogram. */
  answerKey: 'mk' | 'session';
  /** Secure messaging keys: Visa's, or the common session key over the cryptogram. */
  messaging: 'visa' | 'common';
  /** Whether the MAC of a script also covers ATC and cryptogram. */
  scriptCovers: 'command' | 'atcAndCryptogram';
  /** The block of a new PIN. `visWithCurrent`: Visa's only when the current PIN is included, format 2 otherwise. */
  pinBlock: 'vis' | 'visWithCurrent' | 'iso2';
  pinEncryption: PinChangeEncryption;
};

const visa = {
  padding: '80',
  messaging: 'visa',
  scriptCovers: 'atcAndCryptogram',
  /** The block of a new PIN. `visWithCurrent`: Visa's only when the current PIN is included, format 2 otherwise. */
  pinBlock: 'vis',
  pinEncryption: 'visa',
} as const;
const visaOld = { ...visa, session: 'none', padding: '00', answer: 'arc', answerKey: 'mk' } as const;
const visaNew = { ...visa, session: 'common', answer: 'csu', answerKey: 'session' } as const;
const mchip = {
  padding: '80',
  answer: 'code',
  messaging: 'common',
  scriptCovers: 'atcAndCryptogram',
  pinBlock: 'iso2',
  pinEncryption: 'mastercard',
} as const;
const mchipOwn = { ...mchip, session: 'mastercard', answerKey: 'mk' } as const;
const mchipCommon = { ...mchip, session: 'common', answerKey: 'session' } as const;

const withIad = (tags: TagValues): Uint8Array => concat(commonInput(tags), wholeIad(tags));
const withResults = (tags: TagValues): Uint8Array => concat(commonInput(tags), mChipParts(tags).cvr);
const withCounters = (tags: TagValues): Uint8Array => concat(withResults(tags), mChipParts(tags).counters);

/** Visa's short input of quick contactless: amount, unpredictable number, ATC and the second byte of the results. */
const quickInput = (tags: TagValues): Uint8Array =>
  concat(
    wantTag(tags, '9F02', 6),
    wantTag(tags, '9F37', 4),
    wantTag(tags, '9F36', 2),
    visaResults(tags).subarray(1, 2),
  );

/** Named by scheme and number in the scheme's notation: Visa 10, 17, 18 are decimal, Visa 22 and M/Chip hexadecimal. */
export const cryptogramVersions = {
  visa10: { ...visaOld, input: (tags) => concat(commonInput(tags), visaResults(tags)) },
  visa17: { ...visaOld, input: quickInput },
  visa18: { ...visaNew, input: withIad },
  visa22: { ...visaNew, input: withIad, messaging: 'common', pinBlock: 'visWithCurrent' },
  mchip10: { ...mchipOwn, input: withResults },
  mchip11: { ...mchipOwn, input: withCounters },
  mchip14: { ...mchipCommon, input: withResults },
  mchip15: { ...mchipCommon, input: withCounters },
  /** EMV's common core definitions, with Triple DES. */
  ccdA5: {
    ...mchipCommon,
    input: withIad,
    answer: 'csu',
    scriptCovers: 'command',
    pinEncryption: 'ccd',
  },
  /**
   * Interac's 133, 85 hex. Which code its ARPC covers is not published: here it is that of 8A, as in EMV Book 2, 8.2.1.
   */
  interac133: {
    ...mchipCommon,
    session: 'mastercard',
    input: withIad,
    answer: 'arc',
    scriptCovers: 'command',
  },
} as const satisfies Record<string, Version>;

export type CvnName = keyof typeof cryptogramVersions;

export const versionOf = (cvn: CvnName): Version => cryptogramVersions[cvn];

const visaNumbers: ReadonlyMap<number, CvnName> = new Map([
  [0x0a, 'visa10'],
  [0x11, 'visa17'],
  [0x12, 'visa18'],
]);

const mchipNumbers: ReadonlyMap<number, CvnName> = new Map([
  [0x10, 'mchip10'],
  [0x11, 'mchip11'],
  [0x14, 'mchip14'],
  [0x15, 'mchip15'],
]);

/**
 * The version that a card of this brand names in its issuer application data (9F10); undefined for an unknown version,
 * another scheme's form, or malformed data.
 */
export const cvnOfIad = (brand: Brand, iad: Uint8Array): CvnName | undefined => {
  const parts = undefinedIfMalformed(iad);
  switch (parts?.format) {
    case 'CCD':
      return parts.cci[0] === 0xa5 ? 'ccdA5' : undefined;
    case 'VIS 0/1/3':
      return brand === 'VISA' ? visaNumbers.get(parts.cvn[0] ?? 0) : undefined;
    case 'VIS 2/4':
      return brand === 'VISA' && parts.cvn[0] === 0x22 ? 'visa22' : undefined;
    case 'Interac':
      return brand === 'INTERAC' ? 'interac133' : undefined;
    case 'M/Chip':
      return brand === 'MASTER' || brand === 'MAESTRO' ? mchipNumbers.get(parts.cvn[0] ?? 0) : undefined;
    default:
      return undefined;
  }
};

const undefinedIfMalformed = (iad: Uint8Array): Iad | undefined => {
  try {
    return parseIad(iad);
  } catch (error) {
    if (isFault(error, 'emv.malformed')) return undefined;
    throw error;
  }
};

// The application cryptogram of a chip: ARQC, TC or AAC, all computed in the same way (EMV Book 2, 8.1).

/** `80`: a byte 80, then zeros. `00`: only zeros, as in Visa cryptogram versions 10 and 17. */
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

// The input of an application cryptogram: the values of tags as the card received them, one after the other.

/** The value of a tag (upper-case hex) in the message, or undefined. */
export type TagValues = (tag: string) => Uint8Array | undefined;

/** The value of a required tag, of this length. Throws `emv.malformed`. */
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

/** The common beginning of all schemes: EMV Book 2, 8.1.1. No other amount counts as zero. Throws `emv.malformed`. */
export const commonInput = (tags: TagValues): Uint8Array =>
  concat(
    ...commonTags.map(([tag, length]) =>
      tag === '9F03' && tags(tag) === undefined ? new Uint8Array(length) : wantTag(tags, tag, length),
    ),
  );

/** The whole issuer application data. Throws `emv.malformed` if it is missing or longer than 32 bytes. */
const wholeIad = (tags: TagValues): Uint8Array => {
  const iad = tags('9F10');
  if (iad === undefined) throw new Fault('emv.malformed', { what: 'Tag 9F10', why: 'it is missing' });
  parseIad(iad);
  return iad;
};

/** Visa's card verification results: 4 bytes, of which the first is the length. Throws `emv.malformed`. */
const visaResults = (tags: TagValues): Uint8Array => {
  const parts = parseIad(wholeIad(tags));
  if (parts.format !== 'VIS 0/1/3') throw wrongFormFault('VIS 0/1/3');
  return parts.cvr;
};

/** Mastercard's card verification results, 6 bytes, and counters, 8 or 16. Throws `emv.malformed`. */
const mChipParts = (tags: TagValues): { cvr: Uint8Array; counters: Uint8Array } => {
  const parts = parseIad(wholeIad(tags));
  if (parts.format !== 'M/Chip') throw wrongFormFault('M/Chip');
  return parts;
};

const wrongFormFault = (form: string): Fault =>
  new Fault('emv.malformed', { what: 'Tag 9F10', why: `this cryptogram version needs the form ${form}` });
