/** Tables and reports that people download from the till. */
import type { Download } from '../../api/contract/books.ts';
import type { ReconciliationDetail } from '../../api/contract/reconciliations.ts';
import type { Actor } from '../../api/ports/session.ts';
import { type Clock, pause } from '../../base/clock.ts';
import { csvLine } from '../../base/csv.ts';
import type { DisplayMode } from '../../base/mode.ts';
import type { Batch } from '../../reconciliation/batches.ts';
import { wallTimes } from '../../reconciliation/business-day.ts';
import { decimal } from '../../reconciliation/report.ts';
import { openAudit } from '../../staff/audit/audit.ts';
import { replay } from '../../till/machine/sale.ts';
import { batchReport } from '../batch-rows.ts';
import { chainOf } from '../books.ts';
import { cellsIn } from '../lines/line-index.ts';
import { cellNames, type SaleCells, saleCells } from '../lines/lines.ts';
import type { ManagerParts } from '../port.ts';
import { batchPaper, type PdfReport, type ReportContext } from './batch-pdf.ts';
import { languageFor } from './print.ts';
import { reconciliationPaper } from './reconciliation-pdf.ts';

export type Downloaded = { name: string; type: string; bytes: Uint8Array | AsyncIterable<Uint8Array> };

type Parts = Pick<ManagerParts, 'running' | 'clock' | 'note' | 'mode'>;

/** Throws `books.notFound` and `settlement.notFound`. Each download is recorded in the audit list. */
export const downloads = (parts: Parts, reconciliation: (id: string) => ReconciliationDetail) => {
  const { running, clock, note, mode } = parts;
  // Files of test and live tills can end up in the same folder.
  const fileName = (name: string): string => (mode === 'live' ? name : `${mode}-${name}`);
  const csv = (name: string, table: CsvTable): Downloaded => ({
    name: `${fileName(name)}.csv`,
    type: 'text/csv; charset=utf-8',
    bytes: csvOf(withModeColumn(table, mode), clock),
  });
  const wall = wallTimes(running.books.rule.timeZone);
  const pdf = async (
    { name, readers }: { name: string; readers: readonly string[] | undefined },
    draw: (reporting: ReportContext) => PdfReport,
  ): Promise<Downloaded> => {
    const store = running.config.merchant.name;
    const language = await languageFor(readers, running.config);
    // The fonts and their parser take megabytes, so they are loaded with the first PDF.
    const [{ paperFonts }, { reportPdf }] = await Promise.all([
      import('../../receipt/fonts.ts'),
      import('./report-pdf.ts'),
    ]);
    const bytes = await reportPdf({
      ...draw({ ...language, at: wall }),
      mode,
      store,
      language,
      at: clock.now(),
      fonts: paperFonts(),
    });
    return { name: `${fileName(name)}.pdf`, type: 'application/pdf', bytes };
  };

  const createDownload = async (what: Download, readers: readonly string[] | undefined): Promise<Downloaded> => {
    switch (what.of) {
      case 'sales':
        return csv('sales', salesTable(parts, what));
      case 'audit':
        return csv('audit', auditTable(parts, what));
      case 'batch': {
        const batch = running.books.batch(what.batch, what.terminalId);
        const name = `batch-${batch.terminalId}-${batch.batch}`;
        if (what.as === 'csv') return csv(name, batchTable(parts, batch));
        return pdf({ name, readers }, (t) => batchPaper(batchReport(parts, batch, { language: t }), batch.z, t));
      }
      default: {
        const detail = reconciliation(what.id);
        const name = `reconciliation-${detail.days.first || detail.id}`;
        return what.as === 'csv'
          ? csv(name, reconciliationTable(parts, detail))
          : pdf({ name, readers }, (t) => reconciliationPaper(detail, t));
      }
    }
  };

  return async (what: Download, by: Actor = { permissions: [] }, readers?: readonly string[]): Promise<Downloaded> => {
    const file = await createDownload(what, readers);
    note({ on: 'downloaded', what: file.name }, by);
    return file;
  };
};

// The tables for download: sales, the audit list, a batch, a reconciliation. Amounts are signed decimals.

// CSV (RFC 4180) that spreadsheets open without conversion, and in which they execute nothing.

type CsvCell = string | number | null | undefined;
type CsvTable = { columns: readonly string[]; rows: Iterable<readonly CsvCell[]> };

/**
 * Adds the till's mode at the end of each row, so that a row copied out of the file still tells whether money moved.
 * Readers that find columns by position are not affected.
 */
export const withModeColumn = ({ columns, rows }: CsvTable, mode: DisplayMode): CsvTable => ({
  columns: [...columns, 'mode'],
  rows: modeRows(rows, mode),
});

function* modeRows(rows: CsvTable['rows'], mode: DisplayMode): Generator<readonly CsvCell[]> {
  for (const row of rows) yield [...row, mode];
}

/** Spreadsheets recognise UTF-8 by this byte order mark. */
const MARK = '\uFEFF';

/** Lines made before other work gets a turn; finished lines are sent meanwhile. */
const AT_ONCE = 250;

/** The CSV file: UTF-8 with a byte order mark, commas, CRLF, and a header line. */
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

type Span = { from?: number | undefined; to?: number | undefined };
type TableParts = Pick<ManagerParts, 'running'>;

/** Rows read at a time: nothing can be written while a query is in progress. */
const PAGE = 500;

const wallOf = ({ running }: TableParts): ((at: number) => string) => wallTimes(running.books.rule.timeZone);
const utc = (at: number): string => new Date(at).toISOString();

/** Oldest first, for times in [from, to), ms. */
const salesTable = (parts: TableParts, span: Span): CsvTable => ({
  columns: ['receipt', 'time', 'utc', ...cellNames.before, 'counter', ...cellNames.after],
  rows: saleRows(parts, span),
});

function* saleRows(parts: TableParts, { from = 0, to = Number.MAX_SAFE_INTEGER }: Span): Generator<readonly CsvCell[]> {
  const { journal, counters } = parts.running;
  const wall = wallOf(parts);
  const nameOf = new Map(counters.map(({ terminalId, name }) => [terminalId, name]));
  for (let last = { at: from, receipt: 0 }; ; ) {
    const values = [last.at, last.receipt, to];
    const page = journal.sql.all(
      `SELECT s.at, l.receipt, l.sale, l.terminal_id, l.cells
       FROM sale_search s INDEXED BY sale_search_at JOIN book_line l ON l.receipt = s.receipt
       WHERE (s.at, s.receipt) > (?, ?) AND s.at < ? ORDER BY s.at, s.receipt LIMIT ${PAGE}`,
      ...values,
    );
    for (const row of page) {
      last = { at: Number(row['at']), receipt: Number(row['receipt']) };
      const { before, after } = cellsOf(parts, { sale: String(row['sale']), cells: String(row['cells']) });
      yield [last.receipt, wall(last.at), utc(last.at), ...before, nameOf.get(String(row['terminal_id'])), ...after];
    }
    if (page.length < PAGE) return;
  }
}

/** A sale in progress has no stored cells yet. */
const cellsOf = (
  { running: { ledger } }: TableParts,
  { sale: id, cells }: { sale: string; cells: string },
): SaleCells => {
  const sale = cells === '' ? replay(ledger.events(id)) : undefined;
  return sale === undefined ? cellsIn(cells) : saleCells(sale, chainOf(ledger, sale).origin);
};

/** Newest first, like the list on the screen. */
const auditTable = (parts: TableParts, span: Span): CsvTable => ({
  columns: ['entry', 'time', 'utc', 'by', 'kind', 'receipt', 'words'],
  rows: auditRows(parts, { ...span, last: parts.running.journal.length + 1 }),
});

const AUDIT_PAGE = 500;

/** `last`: entries written after this one come before the first page, and entries already read are skipped. */
function* auditRows(
  parts: TableParts,
  { from = 0, to = Number.MAX_SAFE_INTEGER, last }: Span & { last: number },
): Generator<CsvCell[]> {
  const wall = wallOf(parts);
  const audit = openAudit(parts.running.journal);
  for (let first = 0; ; first += AUDIT_PAGE) {
    const { rows } = audit.page({ from: first, most: AUDIT_PAGE });
    for (const { entry, at, by, kind, receipt, words } of rows) {
      if (entry < last && at >= from && at < to) yield [entry, wall(at), utc(at), by, kind, receipt, words];
      last = Math.min(last, entry);
    }
    if (rows.length < AUDIT_PAGE) return;
  }
}

/** The sales of a batch in their present state. */
const batchTable = (parts: TableParts, batch: Batch): CsvTable => {
  const wall = wallOf(parts);
  return {
    columns: (
      'receipt time utc operation asked moved tip currency brand entryMode cashier ' +
      'ending offline open keyMadeBy keyApprovedBy'
    ).split(' '),
    rows: parts.running.books
      .eachLine(batch)
      .map((line) => [
        line.receipt,
        wall(line.at),
        utc(line.at),
        line.operation,
        decimal(line.asked, line.currency),
        decimal(line.moved, line.currency),
        decimal(line.tip, line.currency),
        line.currency,
        line.brand,
        line.entryMode,
        line.cashier,
        line.ending,
        line.offline ? 'yes' : 'no',
        line.open?.why,
        line.program?.madeBy,
        line.program?.approvedBy,
      ]),
  };
};

/** The differences, followed by the lines of the file that could not be read. */
const reconciliationTable = (parts: TableParts, { findings, refused }: ReconciliationDetail): CsvTable => {
  const wall = wallOf(parts);
  return {
    columns: (
      'difference receipt merchantTransactionId paymentId lines till gateway settled ' +
      'currency reasons toDo settledAs note by at'
    ).split(' '),
    rows: [
      ...findings.map((one) => [
        one.n,
        one.receipt,
        one.sale,
        one.payment,
        one.lines.join(' '),
        one.till.amount,
        one.gateway?.amount,
        one.settled.amount,
        one.till.currency,
        one.reasons.map(({ says }) => says).join('; '),
        one.reasons.flatMap(({ toDo }) => toDo ?? []).join(' '),
        one.resolution?.choice,
        one.resolution?.note,
        one.resolution?.by,
        one.resolution && wall(one.resolution.at),
      ]),
      ...refused.map(({ line, why, says = why }) => [
        '',
        '',
        '',
        '',
        line,
        '',
        '',
        '',
        '',
        `not read: ${says}`,
        'Ask for the file again.',
        '',
        '',
        '',
        '',
      ]),
    ],
  };
};
