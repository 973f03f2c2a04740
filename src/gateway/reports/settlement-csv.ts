/** Lines of a settlement file (spec 2.36): semicolons between, and nothing in them that a spreadsheet would run. */
import { parse } from 'csv-parse/sync';

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

/** Ends no line. */
export const settlementHeader = settlementColumns.join(';');

/** One record, without the end of its line. */
export const settlementLine = (row: SettlementRow): string =>
  settlementColumns.map((column) => cell(row[column] ?? '')).join(';');

export const settlementCsv = (rows: readonly SettlementRow[]): string =>
  [settlementHeader, ...rows.map(settlementLine)].map((line) => `${line}\n`).join('');

/** The records of such lines, by their columns. */
export const rowsIn = (lines: readonly string[]): SettlementRow[] =>
  (parse(lines.join('\n'), { delimiter: ';' }) as string[][]).map((cells) =>
    Object.fromEntries(settlementColumns.map((column, at) => [column, cells[at] ?? ''])),
  );

const cell = (text: string): string => {
  const safe = PLAIN.test(text) ? text : harmless(text);
  return /[;"]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Most cells: nothing to look at twice. */
const PLAIN = /^(?:[A-Za-z0-9][\x20-\x7e]*[A-Za-z0-9.])?$/;

/**
 * A spreadsheet runs a cell that begins so; a text that does is led by an apostrophe. Amounts never do: the direction
 * stands in Cashflow, and each number is without a sign.
 */
const harmless = (text: string): string => {
  const line = text.replace(/[\p{C}\u2028\u2029]/gu, ' ').trim();
  return /^[=+\-@]/.test(line) ? `'${line}` : line;
};
