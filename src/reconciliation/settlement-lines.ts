/**
 * The lines of a text file, each with its number and its cells. Lines are what they look like: a quotation mark that is
 * never closed spoils its own line, and no line behind it; one without an end is passed over, not held.
 */
import { parse } from 'csv-parse/sync';
import { NotUnicode, textPieces } from '../base/text.ts';

/** `cells` is missing where the line cannot be taken apart. */
export type FileLine =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly why: 'tooLong' | 'openQuote' };

/** More characters than any record has: what is longer is not read. */
export const LINE_MOST = 64 * 1024;

type Held = { line: number; text: string; isTooLong: boolean };

/** Why the whole file cannot be read, in words that begin with the line where that shows. */
export class Unreadable extends Error {}

/** Cells are parted by semicolons. Empty lines are passed over. Throws `Unreadable` for what is no Unicode text. */
export async function* linesIn(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<FileLine> {
  const held: Held = { line: 1, text: '', isTooLong: false };
  try {
    for await (const text of textPieces(bytes)) yield* taken(held, text);
  } catch (error) {
    throw error instanceof NotUnicode ? new Unreadable(error.message, { cause: error }) : error;
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
  if (text === '') return;
  const cells = text.includes('"') ? quoted(text) : text.split(';');
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
