/**
 * The characters of ZVT's texts, to Unicode and back: code page 437 by default, another set where the terminal names
 * one (tag 14), and two that terminals use without a word. Source: PA00P015 13.08, 9.4.2, tags 14 and 27, and 15.1;
 * values as in github wirelane/ecrterm.
 */
import { concat } from '../../../src/base/hex.ts';

/** Codes 80 to FF. Source: the public table of code page 437. */
const upper =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
  '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■ ';

/** Text of these bytes. Control characters become spaces, so that no printer or screen obeys a terminal's receipt. */
export const textOf = (bytes: Uint8Array): string =>
  [...bytes]
    .map((byte) =>
      byte >= 0x80 ? upper.charAt(byte - 0x80) : byte < 0x20 || byte === 0x7f ? ' ' : String.fromCharCode(byte),
    )
    .join('');

/** The bytes of this text; a character that the code page lacks becomes a question mark. */
export const bytesOfText = (text: string): Uint8Array =>
  concat(
    ...[...text].map((letter) => {
      const code = letter.charCodeAt(0);
      const at = upper.indexOf(letter);
      return Uint8Array.of(code < 0x80 ? code : at < 0 ? 0x3f : 0x80 + at);
    }),
  );

/** Tag 14, hex: 00 seven bits with umlauts, 01 to 10 a part of ISO 8859, FE UTF-8, FF code page 437. */
export type CharacterSet = string;
const [SEVEN_BITS, LATIN, UTF_8] = ['00', '01', 'FE'];
export const codePage: CharacterSet = 'FF';

/** In seven bits these stand where ASCII has brackets and braces. */
const [braces, umlauts] = ['[\\]{|}~', 'ÄÖÜäöüß'];

/** As it may be printed and shown: without characters that a printer or a screen obeys. */
const harmless = (text: string): string => text.replace(/\p{C}/gu, ' ');

const decoded = (bytes: Uint8Array, name: string): string | undefined => {
  try {
    return harmless(new TextDecoder(name, { fatal: true }).decode(bytes));
  } catch {
    // There is no such set, or these bytes are not of it.
    return undefined;
  }
};

const sevenBits = (text: string): string =>
  text.replace(/[[\\\]{|}~]/g, (sign) => umlauts.charAt(braces.indexOf(sign)));

/** Text in the set that the terminal named; where it named none, or its bytes are not of it, in the likeliest. */
export const readText = (bytes: Uint8Array, set?: CharacterSet): string => {
  if (set === undefined) return likeliest(bytes);
  if (set === codePage) return textOf(bytes);
  if (set === SEVEN_BITS) return sevenBits(textOf(bytes.map((byte) => byte & 0x7f)));
  const name = set === UTF_8 ? 'utf-8' : `iso-8859-${Number.parseInt(set, 16)}`;
  return decoded(bytes, name) ?? likeliest(bytes);
};

/** Letters of ISO 8859-1 in the languages of ZVT's countries; code page 437 has Greek and boxes in their place. */
const latin = /[ÄÖÜäöüßàâçèéêëîïôùû]/;
const besideLetter = /[A-Za-z][ÄÖÜäöüßàâçèéêëîïôùû]|[ÄÖÜäöüßàâçèéêëîïôùû][A-Za-z]/;

/**
 * The set that these bytes give away; undefined where they are the same in each. UTF-8 does, and so does ISO 8859-1: it
 * has no text from 80 to 9F, where code page 437 has umlauts.
 */
export const likeliestSet = (bytes: Uint8Array): CharacterSet | undefined => {
  if (bytes.every((byte) => byte < 0x80)) return undefined;
  if (decoded(bytes, 'utf-8') !== undefined) return UTF_8;
  const text = Buffer.from(bytes).toString('latin1');
  const isLatin = bytes.every((byte) => byte < 0x80 || byte >= 0xa0) && latin.test(text) && besideLetter.test(text);
  return isLatin ? LATIN : codePage;
};

const likeliest = (bytes: Uint8Array): string => {
  const set = likeliestSet(bytes);
  if (set === LATIN) return harmless(Buffer.from(bytes).toString('latin1'));
  return (set === UTF_8 ? decoded(bytes, 'utf-8') : undefined) ?? textOf(bytes);
};

/** The bytes of this text in a set: what the simulated terminal says. */
export const bytesIn = (text: string, set: CharacterSet): Uint8Array => {
  if (set === UTF_8) return Uint8Array.from(Buffer.from(text, 'utf8'));
  if (set === LATIN) return Uint8Array.from(Buffer.from(text, 'latin1'));
  if (set !== SEVEN_BITS) return bytesOfText(text);
  return bytesOfText(text.replace(/[ÄÖÜäöüß]/g, (letter) => braces.charAt(umlauts.indexOf(letter))));
};
