/** Tables as CSV (RFC 4180) that a spreadsheet opens as it is, and runs nothing of. */
import { csvLine } from '../../base/csv.ts';
import type { ShownMode } from '../../base/mode.ts';

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

/** By this sign spreadsheets know UTF-8. */
const MARK = '\uFEFF';

/** The file's bytes: UTF-8 with its mark, commas, CRLF, and a header line. */
export const csvOf = async ({ columns, rows }: Table): Promise<Uint8Array> => {
  const parts = [MARK, lineOf(columns)];
  for await (const row of rows) parts.push(lineOf(row));
  return Buffer.from(parts.join(''), 'utf8');
};

const lineOf = (cells: readonly Cell[]): string => `${csvLine(cells, { delimiter: ',', numbers: 'signed' })}\r\n`;
