/**
 * The data fields of ZVT ("bitmaps"): a one-byte number that determines the length. A pure table with its reader and
 * writer. Source: PA00P015 13.09, summary of bitmaps; lengths confirmed on public captures.
 */
import { Fault, isFault } from '../../../src/base/fault.ts';
import { concat, toHex } from '../../../src/base/hex.ts';
import type { EntryMode } from '../../../src/emv/entry-mode.ts';
import { decodeTlv, encodeTlv, type Tlv } from '../../../src/emv/tlv.ts';
import type { Verification } from '../../terminal.ts';

/** A fixed number of bytes, two or three decimal digits in the low nibbles of Fx Fy (Fz), or a length as in BER-TLV. */
type Size = number | 'LL' | 'LLL' | 'TLV';

const fixed: readonly [size: number, numbers: string][] = [
  [1, '01 02 03 05 19 27 72 73 74 75 8A 8C A0 D0 D2 D3 E0 E9 EA F0 F9 FA FB FC FD'],
  [2, '0D 0E 17 3A 49 87'],
  [3, '0B 0C 37 3D 88 AA'],
  [4, '29 70 71'],
  [5, 'BA'],
  [6, '04'],
  [8, '3B EB'],
  [15, '2A'],
];

/** The length of each bitmap, by its number in hex. */
export const bmpSizes: ReadonlyMap<string, Size> = new Map<string, Size>([
  ...fixed.flatMap(([size, numbers]) => numbers.split(' ').map((number): [string, Size] => [number, size])),
  ...'22 23 2D 4C 8B 92 A7 D1 E1 E2 E3 E4 E5 E6 E7 E8 F1 F2 F3 F4 F5 F6 F7 F8'
    .split(' ')
    .map((number): [string, Size] => [number, 'LL']),
  ...'24 2E 3C 60 9A AF'.split(' ').map((number): [string, Size] => [number, 'LLL']),
  ['06', 'TLV'],
]);

export type Bmp = { number: string; value: Uint8Array };

const malformed = (reason: string, cause?: unknown): Fault =>
  new Fault('emv.malformed', { what: 'A ZVT message', why: reason }, cause);

const UNKNOWN = 'there is no bitmap';

/** Whether this was thrown for an unknown number, not for a damaged field. */
export const isUnknownBmp = (error: unknown): boolean =>
  isFault(error, 'emv.malformed') && String(error.facts['why']).startsWith(UNKNOWN);

/** All bitmaps of a data block, in order. Throws `emv.malformed` for an unknown number or a field that is cut short. */
export const decodeBmps = (data: Uint8Array): Bmp[] => {
  const { list, unknown } = decodeKnownBmps(data);
  if (unknown !== undefined) throw unknown;
  return list;
};

/**
 * The bitmaps up to the first unknown number, whose length is unknown, and the Fault for it. Throws `emv.malformed` for
 * a field that is cut short.
 */
export const decodeKnownBmps = (data: Uint8Array): { list: Bmp[]; unknown: Fault | undefined } => {
  const list: Bmp[] = [];
  let offset = 0;
  while (offset < data.length) {
    const number = toHex(data.subarray(offset, offset + 1));
    if (!bmpSizes.has(number)) return { list, unknown: malformed(`${UNKNOWN} ${number}`) };
    const { start, length } = lengthOf(data, number, offset + 1);
    if (start + length > data.length) throw malformed(`bitmap ${number} is cut short`);
    list.push({ number, value: data.slice(start, start + length) });
    offset = start + length;
  }
  return { list, unknown: undefined };
};

const lengthOf = (data: Uint8Array, number: string, offset: number): { start: number; length: number } => {
  const size = bmpSizes.get(number);
  if (size === undefined) throw malformed(`${UNKNOWN} ${number}`);
  if (typeof size === 'number') return { start: offset, length: size };
  if (size === 'TLV') return berLength(data, offset);
  const digits = [...data.subarray(offset, offset + size.length)].map((byte) => byte ^ 0xf0);
  if (digits.length < size.length || digits.some((digit) => digit > 9)) {
    throw malformed(`the length of bitmap ${number} is none`);
  }
  return { start: offset + size.length, length: digits.reduce((sum, digit) => 10 * sum + digit, 0) };
};

const berLength = (data: Uint8Array, offset: number): { start: number; length: number } => {
  const first = data[offset];
  if (first === undefined) throw malformed('the container has no length');
  if (first < 0x80) return { start: offset + 1, length: first };
  const size = first & 0x7f;
  const bytes = data.subarray(offset + 1, offset + 1 + size);
  if (size === 0 || size > 2 || bytes.length < size) throw malformed('the length of the container is none');
  return { start: offset + 1 + size, length: bytes.reduce((sum, byte) => 0x100 * sum + byte, 0) };
};

/** The bytes of these bitmaps, in their order. Throws `emv.malformed` when a value does not fit its field. */
export const encodeBmps = (list: readonly Bmp[]): Uint8Array =>
  concat(
    ...list.map(({ number, value }) => concat(Uint8Array.of(Number.parseInt(number, 16)), encodeSized(number, value))),
  );

const encodeSized = (number: string, value: Uint8Array): Uint8Array => {
  const size = bmpSizes.get(number);
  const { length } = value;
  if (size === undefined) throw malformed(`there is no bitmap ${number}`);
  if (typeof size === 'number') {
    if (length !== size) throw malformed(`bitmap ${number} has ${size} bytes, not ${length}`);
    return value;
  }
  if (size === 'TLV') {
    if (length > 0xffff) throw malformed('the container is too long');
    const bytes = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
    return concat(Uint8Array.from(bytes), value);
  }
  const digits = length.toString().padStart(size.length, '0');
  if (digits.length > size.length) throw malformed(`bitmap ${number} is too long`);
  return concat(Uint8Array.from([...digits].map((digit) => 0xf0 + Number(digit))), value);
};

export const bmp = (list: readonly Bmp[], number: string): Uint8Array | undefined =>
  list.find((each) => each.number === number)?.value;

/** The content of the TLV container (bitmap 06); empty without one. Throws `tlv.malformed`. */
export const containerOf = (list: readonly Bmp[]): Tlv[] => {
  const value = bmp(list, '06');
  return value === undefined ? [] : decodeTlv(value);
};

export const container = (list: readonly Tlv[]): Bmp => ({ number: '06', value: encodeTlv(list) });

// The objects in ZVT's TLV container that are read or written here, and the meaning of their values. Source: PA00P015
// 13.09, tags of the TLV container; 1F10 and 1F12 confirmed on public captures.

export const tags = {
  textLines: '07',
  attribute: '09',
  zvtCommand: '0A',
  characterSet: '14',
  characterSets: '27',
  aid: '43',
  preferredName: '44',
  receiptType: '1F07',
  verification: '1F10',
  technology: '1F12',
  deviceName: '1F40',
  softwareVersion: '1F41',
  serialNumber: '1F42',
  printTexts: '25',
  permittedCommands: '26',
  paymentType: '2F',
  application: '60',
  deviceInformation: 'E4',
} as const;

/** Card technology, tag 1F12. */
export const entryModes: Readonly<Record<string, EntryMode>> = { '00': 'MAGSTRIPE', '01': 'ICC', '02': 'NFC_ICC' };

/** Cardholder authentication, tag 1F10. FF and unknown values mean nothing. */
export const verifications: Readonly<Record<string, Verification>> = {
  '00': 'none',
  '01': 'signature',
  '02': 'onlinePin',
  '03': 'offlinePin',
  '04': 'offlinePin',
  '05': 'offlinePin',
  '06': 'offlinePin',
  '07': 'onlinePin',
};

/** Receipt type, tag 1F07. */
export const receiptTypes: Readonly<Record<string, 'merchant' | 'customer' | 'administration'>> = {
  '01': 'merchant',
  '02': 'customer',
  '03': 'administration',
};

/** Tag 09 of a text block's last object, bit 8: the receipt is complete. */
export const lastLine = 0x80;

// Converts ZVT's texts to Unicode and back: code page 437 by default, another set where the terminal names one (tag
// 14), and two that terminals use without naming them. Source: PA00P015 13.08, 9.4.2, tags 14 and 27, and 15.1; values
// as in github wirelane/ecrterm.

/** The characters of the codes 80 to FF. Source: the public table of code page 437. */
const upper =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
  '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■ ';

/** The text of these bytes. Control characters become spaces, so that a receipt cannot control a printer or screen. */
export const textOf = (bytes: Uint8Array): string =>
  [...bytes]
    .map((byte) =>
      byte >= 0x80 ? upper.charAt(byte - 0x80) : byte < 0x20 || byte === 0x7f ? ' ' : String.fromCharCode(byte),
    )
    .join('');

/** The bytes of this text; a character missing from the code page becomes a question mark. */
export const encodeBraces = (text: string): Uint8Array =>
  concat(
    ...[...text].map((letter) => {
      const code = letter.charCodeAt(0);
      const index = upper.indexOf(letter);
      return Uint8Array.of(code < 0x80 ? code : index < 0 ? 0x3f : 0x80 + index);
    }),
  );

/** Tag 14, hex: 00 seven bits with umlauts, 01 to 10 a part of ISO 8859, FE UTF-8, FF code page 437. */
export type CharacterSet = string;
const [SEVEN_BITS, LATIN, UTF_8] = ['00', '01', 'FE'];
export const codePage: CharacterSet = 'FF';

/** In seven bits these replace ASCII's brackets and braces. */
const [braces, umlauts] = ['[\\]{|}~', 'ÄÖÜäöüß'];

/** The text without control characters, safe to print and show. */
const replaceControls = (text: string): string => text.replace(/\p{C}/gu, ' ');

const tryDecode = (bytes: Uint8Array, name: string): string | undefined => {
  try {
    return replaceControls(new TextDecoder(name, { fatal: true }).decode(bytes));
  } catch {
    // The named set does not exist, or these bytes are not valid in it.
    return undefined;
  }
};

const decodeSevenBits = (text: string): string =>
  text.replace(/[[\\\]{|}~]/g, (sign) => umlauts.charAt(braces.indexOf(sign)));

/** Text in the set that the terminal named; without one, or if the bytes are invalid in it, in the likeliest set. */
export const readText = (bytes: Uint8Array, set?: CharacterSet): string => {
  if (set === undefined) return decodeLikeliest(bytes);
  if (set === codePage) return textOf(bytes);
  if (set === SEVEN_BITS) return decodeSevenBits(textOf(bytes.map((byte) => byte & 0x7f)));
  const name = set === UTF_8 ? 'utf-8' : `iso-8859-${Number.parseInt(set, 16)}`;
  return tryDecode(bytes, name) ?? decodeLikeliest(bytes);
};

/** Letters of ISO 8859-1 in the languages of ZVT's countries; code page 437 has Greek and box drawing there. */
const latin = /[ÄÖÜäöüßàâçèéêëîïôùû]/;
const besideLetter = /[A-Za-z][ÄÖÜäöüßàâçèéêëîïôùû]|[ÄÖÜäöüßàâçèéêëîïôùû][A-Za-z]/;

/**
 * The set that these bytes reveal; undefined if they read the same in every set. UTF-8 is recognisable, and so is ISO
 * 8859-1: it has no text from 80 to 9F, where code page 437 has umlauts.
 */
export const likeliestSet = (bytes: Uint8Array): CharacterSet | undefined => {
  if (bytes.every((byte) => byte < 0x80)) return undefined;
  if (tryDecode(bytes, 'utf-8') !== undefined) return UTF_8;
  const text = Buffer.from(bytes).toString('latin1');
  const isLatin = bytes.every((byte) => byte < 0x80 || byte >= 0xa0) && latin.test(text) && besideLetter.test(text);
  return isLatin ? LATIN : codePage;
};

const decodeLikeliest = (bytes: Uint8Array): string => {
  const set = likeliestSet(bytes);
  if (set === LATIN) return replaceControls(Buffer.from(bytes).toString('latin1'));
  return (set === UTF_8 ? tryDecode(bytes, 'utf-8') : undefined) ?? textOf(bytes);
};

/** The bytes of this text in a set, for the simulated terminal. */
export const encodeText = (text: string, set: CharacterSet): Uint8Array => {
  if (set === UTF_8) return Uint8Array.from(Buffer.from(text, 'utf8'));
  if (set === LATIN) return Uint8Array.from(Buffer.from(text, 'latin1'));
  if (set !== SEVEN_BITS) return encodeBraces(text);
  return encodeBraces(text.replace(/[ÄÖÜäöüß]/g, (letter) => braces.charAt(umlauts.indexOf(letter))));
};
