/** Batches and their reports for the screens, and both as printed on paper. */
import type { BatchReport, BatchRow, ReportOptions } from '../api/contract/books.ts';
import type { BatchLine } from '../api/contract/records.ts';
import type { BooksPort } from '../api/ports/books.ts';
import type { ReportLanguage } from '../locales/reports.ts';
import type { Batch } from '../reconciliation/batches.ts';
import { momentOf } from '../reconciliation/business-day.ts';
import { type BookLine, decimal, type Report } from '../reconciliation/report.ts';
import type { LineTotal } from './lines/line-sums.ts';
import type { BooksTill, ManagerParts } from './port.ts';
import { languageFor, xLines, zCopyLines } from './reports/print.ts';
import type { TerminalBooks } from './till-books.ts';

const columns = { 58: 32, 80: 42 } as const;

/** A running till and the mode that its reports show. */
export type BatchReportContext = Pick<ManagerParts, 'running' | 'mode'>;

/** The requested layout of a report, with the words of its language. */
export type ReportLayout = Omit<ReportOptions, 'languages'> & { language: ReportLanguage };

export const layoutOf = async (
  { languages, ...rest }: ReportOptions,
  { running }: Pick<BatchReportContext, 'running'>,
): Promise<ReportLayout> => ({ ...rest, language: await languageFor(languages, running.config) });

/** How a report looks on a screen: as a printer of this width prints it. */
export const paperIn = ({ language, paper = 80 }: ReportLayout, { mode }: Pick<BatchReportContext, 'mode'>) =>
  ({ width: columns[paper], language, mode }) as const;

/** Newest first. The counts of an open batch come from the index tables, so no sale is read. */
export const batchRows = (running: BooksTill, { record }: Pick<ReportOptions, 'record'> = {}): BatchRow[] =>
  running.books
    .batches()
    .map((batch) => ({ ...batchRow(running, batch), record: record === true ? batch : undefined }))
    .reverse();

export const batchRow = ({ books, counters }: BooksTill, batch: Batch): BatchRow => {
  const { terminalId, state, day, openedAt, z, override } = batch;
  const counter = counters.find((one) => one.terminalId === terminalId)?.name;
  return {
    batch: batch.batch,
    terminalId,
    counter,
    state,
    day: day.date,
    openedAt,
    closedAt: z && momentOf(z.closedAt),
    z: z?.number,
    ...(z ? closedSums(z.report) : openBatchSums(books.totals(batch))),
    override: override && { by: override.by, reason: override.reason },
  };
};

type Sums = Pick<BatchRow, 'sales' | 'made' | 'net'>;

const charging: readonly string[] = ['sale', 'completion'];

const closedSums = ({ sales, currencies }: Report): Sums => ({
  sales,
  made: currencies
    .flatMap(({ operations }) => operations)
    .reduce((sum, { name, count }) => (charging.includes(name) ? sum + count : sum), 0),
  net: currencies.map(({ currency, net }) => ({ amount: net, currency })),
});

const openBatchSums = (sums: readonly LineTotal[]): Sums => {
  const total = (group: readonly LineTotal[], value: (sum: LineTotal) => bigint): bigint =>
    group.reduce((all, one) => all + value(one), 0n);
  const byCurrency = [...Map.groupBy(sums, ({ currency }) => currency)].sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return {
    sales: sums.reduce((all, { count }) => all + count, 0),
    made: sums.reduce((all, { taking }) => all + taking, 0),
    net: byCurrency.map(([currency, group]) => ({
      amount: decimal(
        total(group, ({ moved }) => moved),
        currency,
      ),
      currency,
    })),
  };
};

/** The report with the totals of its sales and, once the batch is closed, the printed report marked as a copy. */
export const batchReport = (context: BatchReportContext, batch: Batch, layout: ReportLayout): BatchReport => {
  const { books, config } = context.running;
  const report = batch.z?.report ?? books.report(batch);
  return {
    ...batchRow(context.running, batch),
    ...reportFigures(report),
    paper: batch.z && zCopyLines(batch.z, config, paperIn(layout, context)),
    ...(layout.record === true && {
      record: batch,
      lines: batch.z === undefined ? books.lines(batch).map(lineOf) : undefined,
    }),
  };
};

const lineOf = ({ sale, receipt, operation, asked: minor, currency, ending, brand, open }: BookLine): BatchLine => ({
  ...{ sale, receipt, operation, ending, brand, open },
  amount: { amount: decimal(minor, currency), currency },
});

const reportFigures = ({ currencies, receipts }: Report): Pick<BatchReport, 'currencies' | 'receipts'> => ({
  currencies: [...currencies],
  receipts: receipts && { ...receipts },
});

/** The books of this terminal, or without a terminal those of the batch that is closed next. */
export const booksFor = ({ books, counters }: BooksTill, terminalId: string | undefined): TerminalBooks =>
  counters.find((one) => one.terminalId === terminalId)?.books ?? books;

/** An X report. It gets its number and is in the journal before it is shown. Throws `books.nothingToClose`. */
export const createXReport = (
  context: BatchReportContext,
  {
    by,
    terminalId = context.running.books.batchToClose().terminalId,
    layout,
  }: { by?: string | undefined; terminalId?: string | undefined; layout: ReportLayout },
): Awaited<ReturnType<BooksPort['xReport']>> => {
  const { books, config } = context.running;
  const x = booksFor(context.running, terminalId).x(by);
  return {
    ...batchRow(context.running, books.batch(x.batch, x.terminalId)),
    ...reportFigures(x.report),
    number: x.number,
    paper: xLines(x, config, paperIn(layout, context)),
    x: layout.record === true ? x : undefined,
  };
};
