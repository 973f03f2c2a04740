/** What can be taken out as a table: sales, the audit list, a batch, a reconciliation. Amounts are signed decimals. */
import type { ReconciliationDetail } from '../../api/ports/books.ts';
import type { Batch } from '../../reconciliation/batches.ts';
import { decimal } from '../../reconciliation/report.ts';
import { wallTimes } from '../../reconciliation/wall-times.ts';
import { openAudit } from '../../staff/audit/audit.ts';
import { replay } from '../../till/machine/sale.ts';
import { chainOf } from '../books.ts';
import { cellsIn } from '../lines/line-index.ts';
import { cellNames, type SaleCells, saleCells } from '../lines/sale-cells.ts';
import type { ManagerParts } from '../port.ts';
import type { CsvCell, CsvTable } from './csv.ts';

type Span = { from?: number | undefined; to?: number | undefined };
type Parts = Pick<ManagerParts, 'running'>;

/** So many rows are read at once: nothing could be written while a query is under way. */
const PAGE = 500;

const wallOf = ({ running }: Parts): ((at: number) => string) => wallTimes(running.books.rule.timeZone);
const utc = (at: number): string => new Date(at).toISOString();

/** Oldest first, of the time from `from` on and before `to`, ms. */
export const salesTable = (parts: Parts, span: Span): CsvTable => ({
  columns: ['receipt', 'time', 'utc', ...cellNames.before, 'counter', ...cellNames.after],
  rows: saleRows(parts, span),
});

function* saleRows(parts: Parts, { from = 0, to = Number.MAX_SAFE_INTEGER }: Span): Generator<readonly CsvCell[]> {
  const { journal, counters } = parts.running;
  const wall = wallOf(parts);
  const nameOf = new Map(counters.map(({ terminalId, name }) => [terminalId, name]));
  for (let last = { at: from, receipt: 0 }; ; ) {
    const page = journal.sql.all(
      `SELECT s.at, l.receipt, l.sale, l.terminal_id, l.cells
       FROM sale_search s INDEXED BY sale_search_at JOIN book_line l ON l.receipt = s.receipt
       WHERE (s.at, s.receipt) > (?, ?) AND s.at < ? ORDER BY s.at, s.receipt LIMIT ${PAGE}`,
      ...[last.at, last.receipt, to],
    );
    for (const row of page) {
      last = { at: Number(row['at']), receipt: Number(row['receipt']) };
      const { before, after } = cellsOf(parts, { sale: String(row['sale']), cells: String(row['cells']) });
      yield [last.receipt, wall(last.at), utc(last.at), ...before, nameOf.get(String(row['terminal_id'])), ...after];
    }
    if (page.length < PAGE) return;
  }
}

/** Of a sale that is under way nothing is kept yet. */
const cellsOf = ({ running: { ledger } }: Parts, { sale: id, cells }: { sale: string; cells: string }): SaleCells => {
  const sale = cells === '' ? replay(ledger.events(id)) : undefined;
  return sale === undefined ? cellsIn(cells) : saleCells(sale, chainOf(ledger, sale).origin);
};

/** Newest first, as the list on the screen. */
export const auditTable = (parts: Parts, span: Span): CsvTable => ({
  columns: ['entry', 'time', 'utc', 'by', 'kind', 'receipt', 'words'],
  rows: auditRows(parts, { ...span, last: parts.running.journal.length + 1 }),
});

const AUDIT_PAGE = 500;

/** `last`: what is written from this entry on stands before the first page, and what was read is passed over. */
function* auditRows(
  parts: Parts,
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

/** The sales of a batch as they stand now. */
export const batchTable = (parts: Parts, batch: Batch): CsvTable => {
  const wall = wallOf(parts);
  return {
    columns: [
      ...['receipt', 'time', 'utc', 'operation', 'asked', 'moved', 'tip', 'currency', 'brand', 'entryMode', 'cashier'],
      ...['ending', 'offline', 'open', 'keyMadeBy', 'keyApprovedBy'],
    ],
    rows: parts.running.books
      .eachLine(batch)
      .map((line) => [
        ...[line.receipt, wall(line.at), utc(line.at), line.operation, decimal(line.asked, line.currency)],
        ...[decimal(line.moved, line.currency), decimal(line.tip, line.currency), line.currency, line.brand],
        ...[line.entryMode, line.cashier, line.ending, line.offline ? 'yes' : 'no', line.open?.why],
        ...[line.program?.madeBy, line.program?.approvedBy],
      ]),
  };
};

/** Its differences, and after them the lines of the file that could not be read. */
export const reconciliationTable = (parts: Parts, { findings, refused }: ReconciliationDetail): CsvTable => {
  const wall = wallOf(parts);
  return {
    columns: [
      ...['difference', 'receipt', 'merchantTransactionId', 'paymentId', 'lines', 'till', 'gateway', 'settled'],
      ...['currency', 'reasons', 'toDo', 'settledAs', 'note', 'by', 'at'],
    ],
    rows: [
      ...findings.map((one) => [
        ...[one.n, one.receipt, one.sale, one.payment, one.lines.join(' '), one.till.amount, one.gateway?.amount],
        ...[one.settled.amount, one.till.currency, one.reasons.map(({ says }) => says).join('; ')],
        one.reasons.flatMap(({ toDo }) => toDo ?? []).join(' '),
        ...[one.resolution?.choice, one.resolution?.note, one.resolution?.by],
        one.resolution && wall(one.resolution.at),
      ]),
      ...refused.map(({ line, why, says = why }) => [
        ...['', '', '', '', line, '', '', '', '', `not read: ${says}`, 'Ask for the file again.'],
        ...['', '', '', ''],
      ]),
    ],
  };
};
