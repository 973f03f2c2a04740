/** Tables as CSV (RFC 4180) that a spreadsheet opens as it is, and runs nothing of. */
import { type Clock, pause } from '../../base/clock.ts';
import { csvLine } from '../../base/csv.ts';
import type { DisplayMode } from '../../base/mode.ts';

export type CsvCell = string | number | null | undefined;
export type CsvTable = { columns: readonly string[]; rows: Iterable<readonly CsvCell[]> };

/**
 * The same with the till's mode at the end of each row: a row taken out of the file still says whether money moved, and
 * who reads the others by their place finds them where they were.
 */
export const inMode = ({ columns, rows }: CsvTable, mode: DisplayMode): CsvTable => ({
  columns: [...columns, 'mode'],
  rows: modeRows(rows, mode),
});

function* modeRows(rows: CsvTable['rows'], mode: DisplayMode): Generator<readonly CsvCell[]> {
  for (const row of rows) yield [...row, mode];
}

/** By this sign spreadsheets know UTF-8. */
const MARK = '\uFEFF';

/** So many lines are made before others get a turn: what is made is sent meanwhile. */
const AT_ONCE = 250;

/** The file as it is made: UTF-8 with its mark, commas, CRLF, and a header line. */
export async function* csvOf({ columns, rows }: CsvTable, clock: Clock): AsyncGenerator<Uint8Array> {
  let lines = [MARK, lineOf(columns)];
  for (const row of rows) {
    lines.push(lineOf(row));
    if (lines.length < AT_ONCE) continue;
    yield Buffer.from(lines.join(''), 'utf8');
    lines = [];
    await pause(clock, 0);
  }
  yield Buffer.from(lines.join(''), 'utf8');
}

const lineOf = (cells: readonly CsvCell[]): string => `${csvLine(cells, { delimiter: ',', numbers: 'signed' })}\r\n`;
