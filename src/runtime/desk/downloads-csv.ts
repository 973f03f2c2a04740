/** Tables as CSV (RFC 4180) that a spreadsheet opens as it is, and runs nothing of. */
import type { ShownMode } from '../../base/mode.ts';
import { isFormula } from '../../reconciliation/settlement-record.ts';

export type Cell = string | number | undefined;
export type Table = { columns: readonly string[]; rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]> };

/**
 * The same with the till's mode at the end of each row: a row taken out of the file still says whether money moved, and
 * who reads the others by their place finds them where they were.
 */
export const inMode = ({ columns, rows }: Table, mode: ShownMode): Table => ({
  columns: [...columns, 'mode'],
  rows: modeRows(rows, mode),
});

async function* modeRows(rows: Table['rows'], mode: ShownMode): AsyncGenerator<readonly Cell[]> {
  for await (const row of rows) yield [...row, mode];
}

/** A number with at most one sign and one dot: what an amount is. No spreadsheet takes it for more than that. */
const NUMBER = /^-?\d{1,30}(?:\.\d{1,6})?$/;

/**
 * What a spreadsheet would take for a formula begins with an apostrophe: one that begins with = + - @, also behind
 * blanks and in full width, or with a tab or line end (OWASP, CSV injection). Numbers stay numbers.
 */
export const harmless = (text: string): string =>
  !NUMBER.test(text) && (isFormula(text) || /^\s*[＝＋－＠]/u.test(text)) ? `'${text}` : text;

/** By this sign spreadsheets know UTF-8. */
const MARK = '\uFEFF';

/** The file's bytes: UTF-8 with its mark, commas, CRLF, and a header line. */
export const csvOf = async ({ columns, rows }: Table): Promise<Uint8Array> => {
  const { stringify } = await import('csv-stringify/sync');
  const parts = [MARK, stringify([[...columns]], { record_delimiter: 'windows' })];
  for await (const row of rows) {
    const cells = row.map((cell) => (typeof cell === 'string' ? harmless(cell) : (cell ?? '')));
    parts.push(stringify([cells], { record_delimiter: 'windows' }));
  }
  return Buffer.from(parts.join(''), 'utf8');
};
