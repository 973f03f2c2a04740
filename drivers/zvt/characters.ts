/** The characters of ZVT's texts: code page 437, the protocol's default, to Unicode and back. */
import { concat } from '../../src/base/hex.ts';

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
