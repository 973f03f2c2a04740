/** Calculates the books from the journal entries alone. This is for an auditor, and works without a till. */
import { errorText } from '../base/fault.ts';
import type { Sql } from '../journal/sql.ts';
import { changesAfter } from '../ledger/ledger-index.ts';
import type { Batch } from '../reconciliation/batches.ts';
import { sumOfLine } from '../reconciliation/report.ts';
import { type IntentMoney, intentMoneyOf, offBy } from '../reconciliation/whereabouts.ts';
import { verifyZ } from '../reconciliation/z-report.ts';
import { batchesIn } from './books.ts';
import { currentLine, lineIn, lineVersion, saleIn, textOf } from './lines/line-index.ts';
import { type BatchKey, isSameSums, readSums } from './lines/line-sums.ts';

/** A sale for which more was given back than was charged, and by how much, in minor units. */
export type OverRefund = {
  readonly sale: string;
  readonly receipt: number;
  readonly currency: string;
  readonly minor: bigint;
};

export type BooksCheck = {
  /** In receipt order. Empty when every cent is in exactly one place. */
  readonly overRefunded: readonly OverRefund[];
  /** The number of Z reports of all terminals. */
  readonly zReports: number;
  /** For each terminal, the first Z report that is missing or was changed, as text. */
  readonly zBroken: readonly string[];
  /** Stored batch and sale data that does not match the journal, as text. */
  readonly staleLines: readonly string[];
};

export const checkBooks = (sql: Sql): BooksCheck => {
  const all = batchesIn(sql);
  const batches = Map.groupBy(all, ({ terminalId }) => terminalId);
  const chains = [...batches.values()].map((batchGroup) => batchGroup.flatMap(({ z }) => z ?? []));
  const zBroken = chains.flatMap((chain) => {
    try {
      verifyZ(chain);
      return [];
    } catch (error) {
      return [errorText(error)];
    }
  });
  return {
    overRefunded: findOverRefunds(sql),
    zReports: chains.flat().length,
    zBroken,
    staleLines: staleLines(sql, all),
  };
};

const findOverRefunds = (sql: Sql): OverRefund[] => {
  const sales = new Map<string, { own: IntentMoney; receipt: number }>();
  const followers = new Map<string, Set<string>>();
  for (const { after } of changesAfter(sql, 0)) {
    const { sale, receipt, follows } = after.intent;
    sales.set(sale, { own: intentMoneyOf(after), receipt });
    if (follows !== undefined) followers.set(follows.sale, (followers.get(follows.sale) ?? new Set()).add(sale));
  }
  return [...sales]
    .flatMap(([sale, { own, receipt }]) => {
      const ownFollowers = [...(followers.get(sale) ?? [])].flatMap((id) => sales.get(id)?.own ?? []);
      const minor = offBy(own, ownFollowers);
      return minor === 0n ? [] : [{ sale, receipt, currency: own.currency, minor }];
    })
    .sort((left, right) => left.receipt - right.receipt);
};

// Checks the stored data: sums against their lines, and lines against the entries of their sales.

/** Whether the sums of a batch are the sums of its lines. */
export const sumsAreOfLines = (sql: Sql, batch: BatchKey): boolean => {
  const lines = rowsOf(sql, batch).flatMap(({ line }) => (line === '' ? [] : [sumOfLine(lineIn(line))]));
  return isSameSums(readSums(sql, batch), lines);
};

/**
 * Describes what is wrong. Lines are checked against entries until their batch is closed; from then on its Z report
 * counts. Tables of another version, or behind the journal, are not checked: the next start rebuilds them.
 */
export const staleLines = (sql: Sql, batches: readonly Batch[]): string[] => {
  if (!isUpToDate(sql)) return [];
  return batches.flatMap((batch) => {
    const { terminalId, batch: number } = batch;
    const sums = sumsAreOfLines(sql, batch)
      ? []
      : [`Batch ${number} of terminal ${terminalId}: its sums are not those of its sales.`];
    const lines =
      batch.state === 'closed' ? [] : rowsOf(sql, batch).filter((row) => row.line !== currentText(sql, row));
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
      terminalId,
      batch,
    )
    .map(({ receipt, sale, line }) => ({ receipt: Number(receipt), sale: String(sale), line: String(line) }));

const currentText = (sql: Sql, { sale: id }: Row): string => {
  const sale = saleIn(sql, id);
  return sale?.at === 'ended' ? textOf(currentLine(sql, sale)) : '';
};

const isUpToDate = (sql: Sql): boolean => {
  if (sql.get("SELECT 1 FROM sqlite_master WHERE name = 'book_line'") === undefined) return false;
  const { versions = '', entry = 0 } = sql.get('SELECT versions, entry FROM ledger_index') ?? {};
  return String(versions).split(' ').includes(lineVersion) && changesAfter(sql, Number(entry)).next().done === true;
};
