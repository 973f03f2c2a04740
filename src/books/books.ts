/**
 * The till's books: which batch a sale belongs to, what a batch contains, and X reports. All of it is in the journal.
 */
import { dateTime } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import type { Mode } from '../base/mode.ts';
import { terminalsLeft } from '../folder/till-machine.ts';
import { modeOf } from '../folder/till-mode.ts';
import type { Journal } from '../journal/journal.ts';
import type { Sql } from '../journal/sql.ts';
import type { FullLedger } from '../ledger/ledger.ts';
import {
  type Batch,
  type BatchEvent,
  batchesOf,
  lastDay,
  nextBatch,
  nextX,
  openBatch,
  SUBJECT,
  subjectOf,
  withEntry,
} from '../reconciliation/batches.ts';
import { type DayRule, type Moment, nextDay } from '../reconciliation/business-day.ts';
import type { UnpaidMoney } from '../reconciliation/open-money.ts';
import { type BookLine, type LineSum, type Report, reportOfSums, type XReport } from '../reconciliation/report.ts';
import { countsAtParent } from '../reconciliation/whereabouts.ts';
import { hashOf } from '../reconciliation/z-report.ts';
import { replay, type Sale } from '../till/machine/sale.ts';
import { type BatchLines, batchLines } from './lines/line-index.ts';
import { bookLine, type LineContext } from './lines/lines.ts';

export type BooksParts = {
  journal: Journal;
  terminalId: string;
  rule: DayRule;
  /** The best time available, and whether it can be trusted. */
  now(): Moment;
  /** Whether the gateway has been asked since the last start what it knows. Yes if absent. */
  isCompared?(): boolean;
};

export interface Books {
  readonly rule: DayRule;
  readonly terminalId: string;
  /** The mode of the journal that the books are in. */
  mode(): Mode;
  /** Whether the gateway has been asked since the last start what it knows about this till. */
  isCompared(): boolean;
  /** A close covers this terminal's batches only. If absent, those of other terminals follow once it has none left. */
  readonly ownOnly?: true;
  batches(): readonly Batch[];
  /** A batch of this terminal, or of one that this till had before. Throws `books.notFound`. */
  batch(number: number, terminalId?: string): Batch;
  /** The batch that takes this terminal's next sale. If there is none, opens one in the journal. */
  takeBatch(terminalId: string): Batch;
  /** Writes an event of a batch in a durable step. */
  note(event: BatchEvent): void;
  /**
   * Ids of the batch's sales in the order in which they began. Sales taken over from another till belong to no batch.
   */
  sales(batch: Batch): string[];
  /** The stored lines: finished sales are not replayed to read them. */
  readonly lines: BatchLines;
  now(): Moment;
}

/** Reads the batches once; afterwards it tracks what this till writes. */
export const openBooks = ({ journal, terminalId, rule, now, isCompared = () => true }: BooksParts): Books => {
  const { sql } = journal;
  /** Undefined after a failed write, whose result is unknown: the journal is then read again. */
  let known: readonly Batch[] | undefined = ownBatches(sql);
  const allBatches = (): readonly Batch[] => {
    known ??= ownBatches(sql);
    return known;
  };

  const note = (event: BatchEvent): void => {
    const before = allBatches();
    known = undefined;
    journal.write([{ subject: subjectOf(event), kind: event.on, body: JSON.stringify(event) }]);
    known = withEntry(before, { entry: journal.length, event });
  };

  return {
    rule,
    terminalId,
    mode: () => modeOf(journal),
    isCompared,
    now,
    batches: allBatches,
    batch(number, of = terminalId) {
      const batch = allBatches().find((one) => one.terminalId === of && one.batch === number);
      if (batch === undefined) throw new Fault('books.notFound', { batch: number });
      return batch;
    },
    lines: batchLines(sql),
    takeBatch(id) {
      const open = openBatch(allBatches(), id);
      if (open !== undefined) return open;
      const day = nextDay(now(), rule, lastDay(allBatches(), id));
      const batch = nextBatch(allBatches(), id);
      note({ on: 'batchOpened', terminalId: id, batch, at: now().at, day });
      return openBatch(allBatches(), id) as Batch;
    },
    note,
    sales: (batch) =>
      sql
        .all(
          "SELECT subject, body FROM entry WHERE entry > ? AND entry < ? AND kind = 'intended' ORDER BY entry",
          batch.from,
          batch.until ?? journal.length + 1,
        )
        .filter(({ body }) => terminalIn(String(body)) === batch.terminalId)
        .map(({ subject }) => String(subject)),
  };
};

/** The same books from another terminal of this till. */
export const forTerminal = (books: Books, terminalId: string): Books => ({
  ...books,
  terminalId,
  ownOnly: true,
  batch: (number, of = terminalId) => books.batch(number, of),
});

export const batchesIn = (sql: Sql): readonly Batch[] => {
  const rows = sql.all('SELECT entry, body FROM entry WHERE subject >= ? AND subject < ? ORDER BY entry', ...ofBatches);
  return batchesOf(rows.map(({ entry, body }) => ({ entry: Number(entry), event: JSON.parse(String(body)) })));
};

/** Leaves out the batches that another till continues and closes: a copy of its folder writes no Z report for them. */
const ownBatches = (sql: Sql): readonly Batch[] => {
  const leftIds = terminalsLeft(sql);
  return batchesIn(sql).filter(({ terminalId, state }) => state === 'closed' || !leftIds.has(terminalId));
};

/** Subjects that begin with `batch `. The upper bound is the character after the space. */
const ofBatches = [SUBJECT, `${SUBJECT.slice(0, -1)}!`];

const terminalIn = (body: string): string | undefined =>
  (JSON.parse(body) as { intent?: { terminalId?: string } }).intent?.terminalId;

/** Sales belong to the batch that is open when they begin, so the batch is in the journal before them. */
export const ledgerWithBatches = (ledger: FullLedger, books: Pick<Books, 'takeBatch'>): FullLedger => ({
  ...ledger,
  record(sale, event, message) {
    if (event.on === 'intended') books.takeBatch(event.intent.terminalId);
    ledger.record(sale, event, message);
  },
  recordAll(entries) {
    for (const { event } of entries) if (event.on === 'intended') books.takeBatch(event.intent.terminalId);
    ledger.recordAll(entries);
  },
});

/** The sales of a batch in their present state. */
export const salesIn = (books: Books, ledger: FullLedger, batch: Batch): Sale[] =>
  books.sales(batch).flatMap((id) => replay(ledger.events(id)) ?? []);

/** The report of a batch with its sales in their present state. */
export const reportIn = (books: Pick<Books, 'lines'>, batch: Batch): Report => reportOn(books, batch).report;

/** The same, with the sums that it is built from. */
export const reportOn = ({ lines }: Pick<Books, 'lines'>, batch: Batch): { report: Report; sums: LineSum[] } => {
  const sums = lines.sums(batch);
  return { report: reportOfSums(sums, lines.receipts(batch)), sums };
};

/** The statements of a report about where its sums come from. */
export const provenance = (books: Books, sums: readonly LineSum[]) => {
  const learnedCount = sums.reduce((allBatches, sum) => (sum.learned ? allBatches + sum.count : allBatches), 0);
  return { learned: learnedCount || undefined, notCompared: !books.isCompared() || undefined };
};

/**
 * The lines of a batch, calculated from the entries of its sales, to check the stored lines against. Increments count
 * at a pre-authorisation of the same batch.
 */
export const linesIn = (books: Books, ledger: FullLedger, batch: Batch): BookLine[] => {
  const sales = salesIn(books, ledger, batch);
  const saleIds = new Set(sales.map(({ intent }) => intent.sale));
  const isIncrement = ({ intent }: Sale): boolean => countsAtParent(intent.operation);
  return sales.map((sale) =>
    bookLine(sale, {
      ...chainOf(ledger, sale),
      followers: followersOf(ledger, sale).filter((one) => !isIncrement(one) || saleIds.has(one.intent.sale)),
      isCountedThere: isIncrement(sale) && saleIds.has(sale.intent.follows?.sale ?? ''),
    }),
  );
};

/** The sale that this one follows, and the first sale of that chain. */
export const chainOf = (ledger: FullLedger, { intent }: Sale): Pick<LineContext, 'parent' | 'origin'> => {
  if (intent.follows === undefined) return {};
  const parent = ledger.sale(intent.follows.sale);
  return parent === undefined ? {} : { parent, origin: chainOf(ledger, parent).origin ?? parent };
};

export const followersOf = (ledger: FullLedger, { intent }: Sale): Sale[] =>
  ledger.followersOf(intent.sale).flatMap((id) => replay(ledger.events(id)) ?? []);

/** Throws `books.newer` for a batch that only a newer version understands fully. */
export const refuseNewer = (batch: Batch): Batch => {
  const { batch: number, newer } = batch;
  if (newer !== undefined) throw new Fault('books.newer', { batch: number, what: newer });
  return batch;
};

/** The batch that is open or being closed. Throws `books.nothingToClose`, `books.newer`. */
export const currentBatch = ({ batches, terminalId }: Books): Batch => {
  const batch = batches().findLast((one) => one.terminalId === terminalId && one.state !== 'closed');
  if (batch === undefined) throw new Fault('books.nothingToClose');
  return refuseNewer(batch);
};

export type XReportOptions = { by?: string | undefined; unpaidOf(terminalId: string): UnpaidMoney[] };

/**
 * An X report of the current batch. It gets its number and is in the journal before it is shown. Throws as
 * `currentBatch`.
 */
export const xReport = (books: Books, { by, unpaidOf }: XReportOptions): XReport => {
  const batch = currentBatch(books);
  const unpaid = unpaidOf(batch.terminalId);
  const { at } = books.now();
  const { report, sums } = reportOn(books, batch);
  const body = {
    mode: books.mode(),
    number: nextX(books.batches(), batch.terminalId),
    terminalId: batch.terminalId,
    batch: batch.batch,
    day: batch.day,
    openedAt: dateTime(batch.openedAt),
    at: dateTime(at),
    report,
    unpaid: unpaid.length > 0 ? unpaid : undefined,
    ...provenance(books, sums),
  };
  const hash = hashOf(body);
  const { terminalId, batch: number } = batch;
  books.note({ on: 'xReport', terminalId, batch: number, at, number: body.number, hash, by });
  return { ...body, hash };
};
