/** Lines of a settlement file (spec 2.36): semicolons between, and nothing in them that a spreadsheet would run. */
import { parse } from 'csv-parse/sync';
import { type CsvForm, csvLine } from '../../base/csv.ts';
import { settlementColumns } from '../spec/settlement-columns.ts';

/**
 * The merchant's memo has no column in the interface. It is a last one, in files in which a payment has one: any other
 * file is the interface's, and a reader that goes by places finds all others where they were.
 */
export const MEMO = 'MerchantMemo';

export type SettlementRow = Readonly<Record<string, string | undefined>>;

/** Amounts have no sign: the direction stands in Cashflow. The till's reader refuses a cell that begins with one. */
const form: CsvForm = { delimiter: ';', numbers: 'unsigned' };

type WithMemos = { withMemos: boolean };

/** Ends no line. */
export const settlementHeader = ({ withMemos }: WithMemos): string =>
  csvLine([...settlementColumns, ...(withMemos ? [MEMO] : [])], form);

/** One record, without the end of its line. Without a memo it has no cell for one. */
export const settlementLine = (row: SettlementRow): string => {
  const columns = row[MEMO] ? [...settlementColumns, MEMO] : settlementColumns;
  return csvLine(
    columns.map((column) => oneLine(row[column] ?? '')),
    form,
  );
};

/** Most lines have as few semicolons as columns: only of others are the cells counted. */
export const hasMemo = (line: string): boolean =>
  line.split(';').length > settlementColumns.length && cellsIn([line])[0]?.length !== settlementColumns.length;

/** A line as it stands in a file of either kind. */
export const lineIn = ({ withMemos }: WithMemos, line: string): string =>
  `${withMemos && !hasMemo(line) ? `${line};` : line}\n`;

export const settlementCsv = (rows: readonly SettlementRow[]): string =>
  [settlementHeader({ withMemos: false }), ...rows.map((row) => settlementLine({ ...row, [MEMO]: '' }))]
    .map((line) => `${line}\n`)
    .join('');

/** The records of such lines, by their columns. */
export const rowsIn = (lines: readonly string[]): SettlementRow[] =>
  cellsIn(lines).map((cells) =>
    Object.fromEntries([...settlementColumns, MEMO].map((column, at) => [column, cells[at] ?? ''])),
  );

const cellsIn = (lines: readonly string[]): string[][] =>
  parse(lines.join('\n'), { delimiter: ';', relax_column_count: true }) as string[][];

/** One line, without blanks at its ends; a line break in a text would be taken for the end of the record. */
const oneLine = (text: string): string => (PLAIN.test(text) ? text : text.replace(/[\p{C}\u2028\u2029]/gu, ' ').trim());

/** Most cells: nothing to look at twice. */
const PLAIN = /^(?:[A-Za-z0-9][\x20-\x7e]*[A-Za-z0-9.])?$/;
