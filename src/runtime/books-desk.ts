/** The till's books put together: what the manager's commands and screens ask of them. */
import type { IntegratedTerminal } from '../../drivers/integrated-terminal.ts';
import type { Journal } from '../journal/journal.ts';
import type { Batch } from '../reconciliation/batches.ts';
import { dateOf } from '../reconciliation/business-day.ts';
import type { OpenMoney } from '../reconciliation/open-money.ts';
import type { Reconciliation } from '../reconciliation/reconcile.ts';
import { type BookLine, type Report, reportOf } from '../reconciliation/report.ts';
import type { ZReport } from '../reconciliation/z-report.ts';
import type { Host, Kept } from '../till/ports.ts';
import { replay, type Sale } from '../till/sale.ts';
import { audit } from './audit.ts';
import { type Books, bookedLedger, followersOf, linesIn, openBooks, salesIn, type XReport, xReport } from './books.ts';
import type { SaleOff } from './books-check.ts';
import { type ClosingParts, type ClosingWish, closeBatch, openMoney } from './books-close.ts';
import type { Config } from './config.ts';
import { imbalancesOf, sumsAgree } from './conservation-index.ts';
import type { FullLedger } from './ledger.ts';
import type { TillSigner } from './till-signer.ts';
import type { TrustedTime } from './trusted-time.ts';

export interface BooksDesk {
  /** Oldest first, of this terminal and of those that this till had before. */
  batches(): readonly Batch[];
  /** Throws `books.notFound`. */
  batch(number: number): Batch;
  /** The batch as its sales stand now. */
  report(batch: Batch): Report;
  lines(batch: Batch): BookLine[];
  sales(batch: Batch): Sale[];
  /** Numbered, and in the journal. Throws `books.nothingToClose`. */
  x(): XReport;
  /** What would hinder a close, after the queue had its turn. Throws `books.nothingToClose`. */
  open(): Promise<OpenMoney[]>;
  /** Sales of which more was given back than they had: an older program's, or an error. Oldest first. */
  off(): SaleOff[];
  /** Throws what `closeBatch` throws. */
  close(wish?: ClosingWish): Promise<ZReport>;
  /**
   * A settlement file against the sales and the gateway: of one batch, or of all whose business day is in the file.
   * Throws `settlement.unreadable`.
   */
  reconcile(wish: { file: string; out?: string; batch?: Batch }): Promise<Reconciliation>;
}

/** The books of a journal, and the ledger that opens a batch before its first sale. */
export const openTillBooks = (
  { journal, config, time }: { journal: Journal; config: Config; time: TrustedTime },
  ledger: FullLedger,
): { books: Books; ledger: FullLedger } => {
  const { cutOff, timeZone } = config.businessDay ?? {};
  const books = openBooks({
    journal,
    terminalId: config.terminalId,
    rule: { cutOff: cutOff ?? CUT_OFF, ...(timeZone !== undefined && { timeZone }) },
    now: () => {
      const since = time.sinceAnswer();
      return { at: time.now().at, trusted: 'ms' in since && since.byClock !== true };
    },
  });
  return { books, ledger: bookedLedger(ledger, books) };
};

/** Most shops are shut, and their last night's sales are through. */
const CUT_OFF = '04:00';

export type DeskParts = {
  books: Books;
  ledger: FullLedger;
  journal: Journal;
  host: Host;
  signer: TillSigner;
  integrated?: Kept<IntegratedTerminal> | undefined;
  /** The store’s at the gateway. */
  merchantId: string;
  drain(): Promise<void>;
  /** Told of a seal that could not be written after a close: the next entry tries again. */
  report?(error: unknown): void;
};

export const booksDesk = (parts: DeskParts): BooksDesk => {
  const { books, ledger, journal, host, signer, integrated, merchantId, drain } = parts;
  const off = () =>
    imbalancesOf(journal.sql).flatMap((one) => {
      const receipt = replay(ledger.events(one.sale))?.intent.receipt;
      return receipt === undefined ? [] : [{ ...one, receipt }];
    });
  const closing: ClosingParts = {
    books,
    ledger,
    signer,
    drain,
    audit: (sales) => audit({ ...ledger, all: () => sales.values() }, host),
    endOfDay: integrated && (async () => (await integrated.get()).endOfDay()),
    sumsAgree: () => sumsAgree(journal.sql),
    off,
  };
  return {
    batches: books.batches,
    batch: books.batch,
    lines: (batch) => linesIn(books, ledger, batch),
    sales: (batch) => salesIn(books, ledger, batch),
    report: (batch) => reportOf(linesIn(books, ledger, batch)),
    x: () => xReport(books, ledger),
    open: () => openMoney(closing),
    off,
    async close(wish) {
      const z = await closeBatch(closing, wish);
      try {
        journal.seal();
      } catch (error) {
        // It is closed all the same: thrown, it would be closed again, and that is the next batch.
        parts.report?.(error);
      }
      return z;
    },
    async reconcile({ batch, ...wish }) {
      // What reads and writes such files is five megabytes that a till that sells can do without.
      const { daysOf, expectedOf, otherOf, reconcileFile } = await import('./books-reconcile.ts');
      const now = books.now();
      const today = now.trusted ? dateOf(now.at, { cutOff: '00:00', timeZone: 'UTC' }) : undefined;
      const reconciling = { ...wish, merchantId, ...(today !== undefined && { today }) };
      const days = batch === undefined ? await daysOf(reconciling) : undefined;
      const isIn = (one: Batch): boolean =>
        batch === undefined
          ? days !== undefined && days.first <= one.day.date && one.day.date <= days.last
          : one === batch;
      const all = books.batches();
      const sales = all.filter(isIn).flatMap((one) => salesIn(books, ledger, one));
      const others = all.filter((one) => !isIn(one)).flatMap((one) => salesIn(books, ledger, one).map(otherOf));
      const expected = await expectedOf(closing.audit(sales), (sale) => followersOf(ledger, sale));
      return reconcileFile(reconciling, { expected, others });
    },
  };
};
