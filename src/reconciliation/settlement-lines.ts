/**
 * The lines of a text file, each with its number and its cells. Lines are what they look like: a quotation mark that is
 * never closed spoils its own line, and no line behind it; one without an end is passed over, not held.
 */
import { parse } from 'csv-parse/sync';

/** `cells` is missing where the line cannot be taken apart. */
export type FileLine =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly why: 'tooLong' | 'openQuote' };

/** More characters than any record has: what is longer is not read. */
export const LINE_MOST = 64 * 1024;

type Held = { line: number; text: string; isTooLong: boolean };

/** Why the whole file cannot be read, in words that begin with the line where that shows. */
export class Unreadable extends Error {}

/** Cells are parted by semicolons. Empty lines are passed over. Throws `Unreadable` for what is no UTF-8 text. */
export async function* linesIn(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<FileLine> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const held: Held = { line: 1, text: '', isTooLong: false };
  let isFirst = true;
  for await (const chunk of bytes) {
    if (isFirst) refuseOtherEncoding(chunk);
    const text = decoded(decoder, chunk, held.line);
    if (text.includes('\u0000')) throw new Unreadable(`line ${held.line + endsBefore(text, '\u0000')}: a zero byte`);
    yield* taken(held, isFirst && text.startsWith('\uFEFF') ? text.slice(1) : text);
    if (text.length > 0) isFirst = false;
  }
  try {
    decoder.decode();
  } catch {
    throw new Unreadable(`line ${held.line}: it ends inside a character`);
  }
  yield* ended(held);
}

/** The lines that end in this piece; what is left of it is held. */
function* taken(held: Held, text: string): Generator<FileLine> {
  for (let from = 0; from <= text.length; ) {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end;
    if (held.text.length + to - from > LINE_MOST) {
      held.isTooLong = true;
      held.text = '';
    }
    if (!held.isTooLong) held.text += text.slice(from, to);
    if (end < 0) return;
    yield* ended(held);
    held.line += 1;
    held.text = '';
    held.isTooLong = false;
    from = end + 1;
  }
}

function* ended({ line, text, isTooLong }: Held): Generator<FileLine> {
  if (isTooLong) return yield { line, why: 'tooLong' };
  const row = text.endsWith('\r') ? text.slice(0, -1) : text;
  if (row === '') return;
  const cells = row.includes('"') ? quoted(row) : row.split(';');
  yield cells === undefined ? { line, why: 'openQuote' } : { line, cells };
}

/** A stray quotation mark inside a cell is a sign like any other. */
const quoted = (row: string): readonly string[] | undefined => {
  try {
    const rows = parse(row, { delimiter: ';', relax_quotes: true, record_delimiter: '\n' });
    return rows[0];
  } catch {
    return undefined;
  }
};

const decoded = (decoder: InstanceType<typeof TextDecoder>, chunk: Uint8Array, line: number): string => {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch {
    const text = new TextDecoder('utf-8').decode(chunk);
    throw new Unreadable(`line ${line + endsBefore(text, '\uFFFD')}: it is not UTF-8`);
  }
};

/** How many lines end before this sign. */
const endsBefore = (text: string, sign: string): number => {
  const at = text.indexOf(sign);
  return (at < 0 ? text : text.slice(0, at)).split('\n').length - 1;
};

const refuseOtherEncoding = ([first, second]: Uint8Array): void => {
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new Unreadable('line 1: it is UTF-16, and must be UTF-8');
};
