/** The settlement file of one day: records of spec 2.36 as CSV with semicolons, safe to open in a spreadsheet. */
import { stringify } from 'csv-stringify/sync';
import type { Payment, Store } from '../store/store.ts';
import {
  type FeeSchedule,
  type SettlementRow,
  settlementColumns,
  settlementRows,
  usualFees,
} from './settlement-record.ts';

export type SettlementOptions = {
  entityId: string;
  /** `YYYY-MM-DD`, UTC: payments of this day are settled. */
  date: string;
  fees?: FeeSchedule;
  acquirer?: { name: string; merchantId: string };
};

/** The file's text: its header, and a line for each payment of the day that is paid out or taken back. */
export const settlementFileOf = async (store: Pick<Store, 'search'>, options: SettlementOptions): Promise<string> => {
  const { entityId, date, fees = usualFees, acquirer = simulatedAcquirer } = options;
  const from = Date.parse(`${date}T00:00:00Z`);
  const payments: Payment[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const page = await store.search({ entityId, from, to: from + DAY_MS - 1, limit: PAGE, offset });
    payments.push(...page.payments);
    if (page.payments.length < PAGE) break;
  }
  return settlementCsv(settlementRows(payments, { date, fees, acquirer }));
};

export const settlementCsv = (rows: readonly SettlementRow[]): string =>
  stringify(
    rows.map((row) => settlementColumns.map((column) => harmless(row[column] ?? ''))),
    { header: true, columns: [...settlementColumns], delimiter: ';', record_delimiter: 'unix' },
  );

/** A spreadsheet runs a cell that begins so; a text that does is led by an apostrophe. */
const harmless = (text: string): string => {
  const line = text.replace(/[\p{C}]/gu, ' ').trim();
  return /^[=+\-@]/.test(line) ? `'${line}` : line;
};

const simulatedAcquirer = { name: 'Simulated acquirer', merchantId: '000000012345678' };
const PAGE = 500;
const DAY_MS = 86_400_000;
