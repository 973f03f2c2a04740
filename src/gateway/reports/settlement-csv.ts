/**
 * Lines of a settlement file (spec 2.36): separated by semicolons, without anything that a spreadsheet would execute.
 */
import { parse } from 'csv-parse/sync';
import { type CsvForm, csvLine } from '../../base/csv.ts';
import { settlementColumns } from '../spec/settlement-columns.ts';

/**
 * The merchant's memo has no column in the interface. It is an extra last column in files that contain a payment with a
 * memo: any other file has the interface's columns, and a reader that goes by position still finds all of them.
 */
export const MEMO = 'MerchantMemo';

export type SettlementRow = Readonly<Record<string, string | undefined>>;

/** Amounts have no sign: Cashflow gives the direction. The till's reader refuses a cell that begins with a sign. */
const form: CsvForm = { delimiter: ';', numbers: 'unsigned' };

type WithMemos = { withMemos: boolean };

/** Without a line break. */
export const settlementHeader = ({ withMemos }: WithMemos): string =>
  csvLine([...settlementColumns, ...(withMemos ? [MEMO] : [])], form);

/** One record, without a line break. Without a memo it has no cell for one. */
export const settlementLine = (row: SettlementRow): string => {
  const columns = row[MEMO] ? [...settlementColumns, MEMO] : settlementColumns;
  return csvLine(
    columns.map((column) => toOneLine(row[column] ?? '')),
    form,
  );
};

/** Most lines have as many semicolons as expected: cells are counted only for the others. */
export const hasMemo = (line: string): boolean =>
  line.split(';').length > settlementColumns.length && parseCells([line])[0]?.length !== settlementColumns.length;

/** The line for a file of either kind. */
export const lineFor = ({ withMemos }: WithMemos, line: string): string =>
  `${withMemos && !hasMemo(line) ? `${line};` : line}\n`;

export const settlementCsv = (rows: readonly SettlementRow[]): string =>
  [settlementHeader({ withMemos: false }), ...rows.map((row) => settlementLine({ ...row, [MEMO]: '' }))]
    .map((line) => `${line}\n`)
    .join('');

/** The records of such lines, by their columns. */
export const parseRows = (lines: readonly string[]): SettlementRow[] =>
  parseCells(lines).map((cells) =>
    Object.fromEntries([...settlementColumns, MEMO].map((column, i) => [column, cells[i] ?? ''])),
  );

const parseCells = (lines: readonly string[]): string[][] =>
  parse(lines.join('\n'), { delimiter: ';', relax_column_count: true }) as string[][];

/** Makes one trimmed line: a line break in a text would be taken for the end of the record. */
const toOneLine = (text: string): string =>
  PLAIN.test(text) ? text : text.replace(/[\p{C}\u2028\u2029]/gu, ' ').trim();

/** Matches most cells: they need no replacement. */
const PLAIN = /^(?:[A-Za-z0-9][\x20-\x7e]*[A-Za-z0-9.])?$/;
