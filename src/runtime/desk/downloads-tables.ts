/** What can be taken out as a table: sales, the audit list, a batch, a reconciliation. Amounts are signed decimals. */
import type { ReconciliationDetail } from '../../api/ports/books.ts';
import { pause } from '../../base/clock.ts';
import type { Batch } from '../../reconciliation/batches.ts';
import { decimal } from '../../reconciliation/report.ts';
import { replay, type Sale } from '../../till/sale.ts';
import { wallTimes } from '../wall-times.ts';
import { openAudit } from './audit.ts';
import type { Cell, Table } from './downloads-csv.ts';
import type { DeskParts } from './parts.ts';
import { rowOf } from './sale-rows.ts';

type Span = { from?: number | undefined; to?: number | undefined };
type Parts = Pick<DeskParts, 'running' | 'clock'>;

/** So many sales are read before others get a turn. */
const AT_ONCE = 100;

const wallOf = ({ running }: Parts): ((at: number) => string) => wallTimes(running.books.rule.timeZone);
const utc = (at: number): string => new Date(at).toISOString();

/** Oldest first, of the time from `from` on and before `to`, ms. */
export const salesTable = (parts: Parts, span: Span): Table => ({
  columns: [
    ...['receipt', 'time', 'utc', 'operation', 'amount', 'tip', 'approved', 'currency', 'ending', 'reason', 'offline'],
    ...['last4', 'brand', 'entryMode', 'cashier', 'counter', 'terminalId', 'sequence', 'authorisationCode'],
    ...['paymentId', 'merchantTransactionId', 'followsReceipt', 'keyMadeBy', 'keyApprovedBy'],
  ],
  rows: saleRows(parts, span),
});

async function* saleRows(parts: Parts, { from = 0, to = Number.MAX_SAFE_INTEGER }: Span): AsyncGenerator<Cell[]> {
  const { sql } = parts.running.journal;
  const wall = wallOf(parts);
  const ids = sql.all('SELECT sale FROM sale_search WHERE at >= ? AND at < ? ORDER BY at, receipt', from, to);
  for (const [at, { sale: id }] of ids.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await pause(parts.clock, 0);
    const sale = replay(parts.running.ledger.events(String(id)));
    if (sale !== undefined) yield saleCells(parts, sale, wall);
  }
}

const saleCells = ({ running }: Parts, sale: Sale, wall: (at: number) => string): Cell[] => {
  const { intent, answer, terminal } = sale;
  const { currency } = intent.amount;
  const row = rowOf(running, sale);
  const approved = terminal?.payment?.amount ?? answer?.approved ?? intent.amount;
  const isApproved = sale.at === 'ended' && sale.ending === 'approved';
  const offline = sale.at === 'ended' ? sale.offline : undefined;
  return [
    ...[intent.receipt, wall(intent.at), utc(intent.at), intent.operation, decimal(intent.amount.minor, currency)],
    ...[intent.tip && decimal(intent.tip.minor, currency), isApproved ? decimal(approved.minor, currency) : ''],
    ...[currency, row.ending, row.reason, offline === undefined ? '' : row.waiting ? `${offline}, not sent` : offline],
    ...[row.last4, row.brand, row.entryMode, intent.cashier, row.counter, intent.terminalId, intent.sequence],
    ...[answer?.authorisationCode ?? terminal?.payment?.authorisationCode, answer?.payment, intent.sale],
    ...[row.followsReceipt, intent.program?.madeBy, intent.program?.approvedBy],
  ];
};

/** Newest first, as the list on the screen. */
export const auditTable = (parts: Parts, span: Span): Table => ({
  columns: ['entry', 'time', 'utc', 'by', 'kind', 'receipt', 'words'],
  rows: auditRows(parts, span),
});

const AUDIT_PAGE = 500;

async function* auditRows(parts: Parts, { from = 0, to = Number.MAX_SAFE_INTEGER }: Span): AsyncGenerator<Cell[]> {
  const wall = wallOf(parts);
  const audit = openAudit(parts.running.journal);
  // What is written meanwhile stands before the first page: what was read already is passed over.
  let last = Number.MAX_SAFE_INTEGER;
  for (let first = 0; ; first += AUDIT_PAGE) {
    const { rows } = audit.page({ from: first, most: AUDIT_PAGE });
    for (const { entry, at, by, kind, receipt, words } of rows) {
      if (entry < last && at >= from && at < to) yield [entry, wall(at), utc(at), by, kind, receipt, words];
      last = Math.min(last, entry);
    }
    if (rows.length < AUDIT_PAGE) return;
    await pause(parts.clock, 0);
  }
}

/** The sales of a batch as they stand now. */
export const batchTable = (parts: Parts, batch: Batch): Table => {
  const wall = wallOf(parts);
  return {
    columns: [
      ...['receipt', 'time', 'utc', 'operation', 'asked', 'moved', 'tip', 'currency', 'brand', 'entryMode', 'cashier'],
      ...['ending', 'offline', 'open', 'keyMadeBy', 'keyApprovedBy'],
    ],
    rows: parts.running.books
      .lines(batch)
      .map((line) => [
        ...[line.receipt, wall(line.at), utc(line.at), line.operation, decimal(line.asked, line.currency)],
        ...[decimal(line.moved, line.currency), decimal(line.tip, line.currency), line.currency, line.brand],
        ...[line.entryMode, line.cashier, line.ending, line.offline ? 'yes' : 'no', line.open?.why],
        ...[line.program?.madeBy, line.program?.approvedBy],
      ]),
  };
};

/** Its differences, and after them the lines of the file that could not be read. */
export const reconciliationTable = (parts: Parts, { findings, refused }: ReconciliationDetail): Table => {
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
