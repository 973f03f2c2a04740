/** Whether what is kept of lines is what the journal tells: sums by their lines, and lines by the entries of sales. */
import type { Sql } from '../../journal/sql.ts';
import { changesAfter } from '../../ledger/ledger-index.ts';
import type { Batch } from '../../reconciliation/batches.ts';
import { sumOfLine } from '../../reconciliation/report.ts';
import { lineIn, lineNow, lineVersion, saleIn, textOf } from './line-index.ts';
import { type BatchKey, isSameSums, sumsKept } from './line-sums.ts';

/** Whether the sums of a batch are those of its lines. */
export const sumsAreOfLines = (sql: Sql, batch: BatchKey): boolean => {
  const lines = rowsOf(sql, batch).flatMap(({ line }) => (line === '' ? [] : [sumOfLine(lineIn(line))]));
  return isSameSums(sumsKept(sql, batch), lines);
};

/**
 * What is wrong, in words. Lines are held to their entries as long as their batch is not closed: from then on its Z
 * report counts. Nothing of tables that another version made, or that are behind the journal: a start makes them anew.
 */
export const linesOff = (sql: Sql, batches: readonly Batch[]): string[] => {
  if (!isUpToDate(sql)) return [];
  return batches.flatMap((batch) => {
    const { terminalId, batch: number } = batch;
    const sums = sumsAreOfLines(sql, batch)
      ? []
      : [`Batch ${number} of terminal ${terminalId}: its sums are not those of its sales.`];
    const lines = batch.state === 'closed' ? [] : rowsOf(sql, batch).filter((row) => row.line !== writtenNow(sql, row));
    return [
      ...sums,
      ...lines.map(({ receipt }) => `Receipt ${receipt}: the books have it otherwise than the journal.`),
    ];
  });
};

type Row = { receipt: number; sale: string; line: string };

const rowsOf = (sql: Sql, { terminalId, batch }: BatchKey): Row[] =>
  sql
    .all(
      `SELECT l.receipt, l.sale, l.line FROM book_batch b JOIN book_line l ON l.receipt BETWEEN b.first AND b.last
       WHERE b.terminal_id = ? AND b.batch = ? AND l.terminal_id = b.terminal_id AND l.batch = b.batch`,
      ...[terminalId, batch],
    )
    .map(({ receipt, sale, line }) => ({ receipt: Number(receipt), sale: String(sale), line: String(line) }));

const writtenNow = (sql: Sql, { sale: id }: Row): string => {
  const sale = saleIn(sql, id);
  return sale?.at === 'ended' ? textOf(lineNow(sql, sale)) : '';
};

const isUpToDate = (sql: Sql): boolean => {
  if (sql.get("SELECT 1 FROM sqlite_master WHERE name = 'book_line'") === undefined) return false;
  const { versions = '', entry = 0 } = sql.get('SELECT versions, entry FROM ledger_index') ?? {};
  return String(versions).split(' ').includes(lineVersion) && changesAfter(sql, Number(entry)).next().done === true;
};
