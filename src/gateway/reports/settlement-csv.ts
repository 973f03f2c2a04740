/** Lines of a settlement file (spec 2.36): semicolons between, and nothing in them that a spreadsheet would run. */
import { parse } from 'csv-parse/sync';
import { type CsvForm, csvLine } from '../../base/csv.ts';

/** The header in the specification's order; TransactionId and InvoiceId stand in its table, after ConnectorTxId3. */
export const settlementColumns = [
  ...['ReconciliationType', 'PaymentType', 'Cashflow', 'ClearingInstituteMerchantId', 'MerchantAccountId'],
  ...['MerchantAccountName', 'PspId', 'DivisionId', 'MerchantId', 'SettlementTxId', 'UniqueID', 'ShortId'],
  ...['ConnectorTxId1', 'ConnectorTxId2', 'ConnectorTxId3', 'TransactionId', 'InvoiceId', 'Amount', 'Currency'],
  ...['Brand', 'TxRequestTime', 'SettlementAmount', 'SettlementCurrency', 'SettlementFee', 'SettlementFxRate'],
  ...['SettlementDate', 'SettlementStatus', 'Descriptor', 'AccountNumberLast4', 'BankCode', 'AccountHolder'],
  ...['ReasonCode', 'ReasonDesc', 'SettlementFileFormat', 'ClearingInsitituteName', 'MatchingStatus'],
  ...['MatchedTransactions', 'ChargebackId'],
] as const;

export type SettlementRow = Readonly<Record<string, string>>;

/** Amounts have no sign: the direction stands in Cashflow. The till's reader refuses a cell that begins with one. */
const form: CsvForm = { delimiter: ';', numbers: 'unsigned' };

/** Ends no line. */
export const settlementHeader = csvLine(settlementColumns, form);

/** One record, without the end of its line. */
export const settlementLine = (row: SettlementRow): string =>
  csvLine(
    settlementColumns.map((column) => oneLine(row[column] ?? '')),
    form,
  );

export const settlementCsv = (rows: readonly SettlementRow[]): string =>
  [settlementHeader, ...rows.map(settlementLine)].map((line) => `${line}\n`).join('');

/** The records of such lines, by their columns. */
export const rowsIn = (lines: readonly string[]): SettlementRow[] =>
  (parse(lines.join('\n'), { delimiter: ';' }) as string[][]).map((cells) =>
    Object.fromEntries(settlementColumns.map((column, at) => [column, cells[at] ?? ''])),
  );

/** One line, without blanks at its ends; a line break in a text would be taken for the end of the record. */
const oneLine = (text: string): string => (PLAIN.test(text) ? text : text.replace(/[\p{C}\u2028\u2029]/gu, ' ').trim());

/** Most cells: nothing to look at twice. */
const PLAIN = /^(?:[A-Za-z0-9][\x20-\x7e]*[A-Za-z0-9.])?$/;
