/**
 * Texts from people and other programs: UTF-8 or UTF-16, with or without a byte order mark, and with the line ends of
 * any system. Windows’ editors and shells write all of these.
 */

/** Bytes that are not Unicode text. The message names the line and what to do; it quotes nothing of the text. */
export class NotUnicode extends Error {
  readonly line: number;
  /** The part of the same piece that was read before the error. */
  readonly before: string;

  constructor(line: number, reason: string, before: string) {
    super(`line ${line}: ${reason}; save the file as UTF-8`);
    this.line = line;
    this.before = before;
  }
}

/** The text of a file or a message, without a byte order mark, each line end as `\n`. Throws `NotUnicode`. */
export const textIn = (bytes: Uint8Array): string => {
  const reader = textReader();
  const text = reader.take(bytes);
  return text + reader.end();
};

/** The same for text in pieces; everything before an invalid place is yielded before it throws. */
export async function* textPieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const reader = textReader();
  try {
    for await (const piece of pieces) yield reader.take(piece);
    yield reader.end();
  } catch (error) {
    if (error instanceof NotUnicode) yield error.before;
    throw error;
  }
}

export type TextReader = {
  /** The text of these bytes, up to the last whole character. Throws `NotUnicode`. */
  take(bytes: Uint8Array): string;
  /** The rest that was held back. Throws `NotUnicode` if the text ends inside a character. */
  end(): string;
};

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

export const textReader = (): TextReader => {
  let buffer: Uint8Array = new Uint8Array();
  let encoding: Encoding | undefined;
  let line = 1;
  let isAtStart = true;
  let endsInReturn = false;
  /** Whether the first line end was a bare carriage return; if not, later ones are ordinary characters. */
  let isReturnAlone: boolean | undefined;

  const plainText = (decoded: string): string => {
    let text = isAtStart && decoded.startsWith('\uFEFF') ? decoded.slice(1) : decoded;
    if (decoded !== '') isAtStart = false;
    if (endsInReturn) text = `\r${text}`;
    // The second half of the line end may be in the next piece.
    endsInReturn = text.endsWith('\r');
    if (endsInReturn) text = text.slice(0, -1);
    return count(normaliseLineEnds(text));
  };
  const normaliseLineEnds = (text: string): string => {
    const [first] = isReturnAlone === undefined ? (/\r\n?|\n/.exec(text) ?? []) : [];
    if (first !== undefined) isReturnAlone = first === '\r';
    return text.replace(isReturnAlone === true ? /\r\n?/g : /\r\n/g, '\n');
  };
  const count = (text: string): string => {
    const zero = text.indexOf('\0');
    const valid = zero < 0 ? text : text.slice(0, zero);
    for (let i = valid.indexOf('\n'); i >= 0; i = valid.indexOf('\n', i + 1)) line += 1;
    if (zero >= 0) throw new NotUnicode(line, 'a zero byte, which no text has', valid);
    return text;
  };

  const read = (all: Uint8Array, as: Encoding): string => {
    const whole = all.subarray(0, all.length - unfinishedLength(all, as));
    buffer = all.slice(whole.length);
    const valid = validLength(whole, as);
    const text = plainText(decode(whole.subarray(0, valid), as));
    if (valid < whole.length) throw new NotUnicode(line, wrongByteText(whole[valid], as), text);
    return text;
  };

  return {
    take(bytes) {
      const all = buffer.length === 0 ? bytes : join(buffer, bytes);
      // Two bytes determine the encoding.
      if (encoding === undefined && all.length >= 2) encoding = encodingOf(all);
      if (encoding !== undefined) return read(all, encoding);
      buffer = all;
      return '';
    },
    end() {
      const rest = read(buffer, encoding ?? 'utf-8');
      if (buffer.length > 0) throw new NotUnicode(line, 'it ends inside a character', rest);
      return endsInReturn ? count(rest + normaliseLineEnds('\r')) : rest;
    },
  };
};

/** The encoding, by the byte order mark; else by the zero byte of UTF-16 in the first letter, which is ASCII here. */
const encodingOf = ([first, second]: Uint8Array): Encoding => {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be';
  return 'utf-8';
};

const join = (first: Uint8Array, second: Uint8Array): Uint8Array => {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
};

/** How many bytes at the end are an incomplete character. */
const unfinishedLength = (bytes: Uint8Array, encoding: Encoding): number => {
  if (encoding === 'utf-8') {
    for (let distance = 1; distance <= Math.min(3, bytes.length); distance++) {
      const byte = bytes[bytes.length - distance] ?? 0;
      if (byte < 0x80) return 0;
      if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > distance ? distance : 0;
    }
    return 0;
  }
  const odd = bytes.length % 2;
  const high = bytes[bytes.length - odd - (encoding === 'utf-16le' ? 1 : 2)] ?? 0;
  return odd + ((high & 0xfc) === 0xd8 ? 2 : 0);
};

const decode = (bytes: Uint8Array, encoding: Encoding): string =>
  new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);

/** How many bytes are valid before the first invalid one. */
const validLength = (bytes: Uint8Array, encoding: Encoding): number => {
  const isValid = (length: number): boolean => {
    try {
      new TextDecoder(encoding, { fatal: true }).decode(bytes.subarray(0, length), { stream: true });
      return true;
    } catch {
      return false;
    }
  };
  if (isValid(bytes.length)) return bytes.length;
  let [valid, invalid] = [0, bytes.length];
  while (invalid - valid > 1) {
    const middle = Math.floor((valid + invalid) / 2);
    if (isValid(middle)) valid = middle;
    else invalid = middle;
  }
  return valid - unfinishedLength(bytes.subarray(0, valid), encoding);
};

const wrongByteText = (byte: number | undefined, encoding: Encoding): string =>
  encoding === 'utf-8'
    ? `the byte ${(byte ?? 0).toString(16).toUpperCase().padStart(2, '0')} is not UTF-8`
    : 'half a character of UTF-16';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that is safe between HTML tags and in quoted attributes. */
export const escapeText = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? '');
