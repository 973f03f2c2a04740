/** Puts the till's books together for the manager's commands and screens. */
import type { IntegratedTerminal } from '../../drivers/integrated-terminal.ts';
import type { Clock } from '../base/clock.ts';
import type { Config } from '../folder/config.ts';
import type { TillSigner } from '../folder/keys/till-signer.ts';
import { comparedIn } from '../folder/till-machine.ts';
import type { Journal } from '../journal/journal.ts';
import { imbalancesOf, sumsAgree } from '../ledger/conservation-index.ts';
import type { FullLedger } from '../ledger/ledger.ts';
import type { TrustedTime } from '../offline/trusted-time.ts';
import type { Batch } from '../reconciliation/batches.ts';
import { type DayRule, dateOf, type Moment } from '../reconciliation/business-day.ts';
import type { OpenMoney, UnpaidMoney } from '../reconciliation/open-money.ts';
import type { Reconciliation } from '../reconciliation/reconcile.ts';
import type { BookLine, LineSum, Report, XReport } from '../reconciliation/report.ts';
import type { ExpectedSale } from '../reconciliation/settlement-match.ts';
import type { ExtraPayment, ZReport } from '../reconciliation/z-report.ts';
import { type AuditRow, audit } from '../recovery/audit.ts';
import type { Agreement, ListedSince } from '../recovery/gateway-agreement.ts';
import { replay, type Sale } from '../till/machine/sale.ts';
import type { Host, KeptTerminal } from '../till/ports.ts';
import { type Books, followersOf, linesIn, openBooks, reportIn, salesIn, xReport } from './books.ts';
import { type OverRefund, sumsAreOfLines } from './check.ts';
import { batchToClose, type CloseOptions, type ClosingParts, closeBatch, openIn, openMoney } from './closing/close.ts';
import type { ClosingGate } from './closing/gate.ts';
import { openHoldsBefore, unreportedPayments } from './compare.ts';
import type { LineTotal } from './lines/line-sums.ts';
import type { MatchedSink } from './reconcile.ts';
import { openUnpaidOfTerminal, unpaidOfTerminal } from './unpaid.ts';

export interface TerminalBooks {
  /** Oldest first, of this terminal and of those that this till had before. */
  batches(): readonly Batch[];
  readonly rule: DayRule;
  /** A batch of this terminal, or of one that this till had before. Throws `books.notFound`. */
  batch(number: number, terminalId?: string): Batch;
  /** The report with the batch's sales in their present state. */
  report(batch: Batch): Report;
  /** The batch's lines added up. */
  sums(batch: Batch): LineSum[];
  /** The same by currency only. */
  totals(batch: Batch): LineTotal[];
  /** The lines calculated from the entries of the sales: takes longer the larger the batch is. */
  lines(batch: Batch): BookLine[];
  /** The stored lines, read a page at a time. */
  eachLine(batch: Batch): Generator<BookLine>;
  sales(batch: Batch): Sale[];
  /**
   * Gets its number and is in the journal, with who asked for it, before it is shown. Throws `books.nothingToClose`.
   */
  x(by?: string): XReport;
  /** What would block a close, after trying to send the queue. Throws `books.nothingToClose`. */
  open(): Promise<OpenMoney[]>;
  /** The same without asking or sending anything. */
  openNow(): OpenMoney[];
  /** Unpaid offline sales of this terminal's batches: they do not block a close, which lists them. */
  unpaid(terminalId: string): UnpaidMoney[];
  /** Sales for which more was given back than was charged, by an older version or by an error. Oldest first. */
  overRefunds(): OverRefund[];
  /** The batch that would be closed. Throws `books.nothingToClose`. */
  batchToClose(): Batch;
  now(): Moment;
  /** Whether the running sums match all sales: otherwise a close is refused. */
  sumsAgree(): boolean;
  /** Lists the gateway's payments since the last listing. Never rejects. */
  list(): Promise<ListedSince>;
  /** The batch's sales to compare: all except those that the gateway has confirmed since they changed. */
  rest(batch: Batch, since: ListedSince): readonly Sale[];
  /** The same for pre-authorisations of this terminal's earlier batches that still hold something. */
  openHolds(batch: Batch): readonly Sale[];
  /** Compares these sales with the list, and asks the gateway about those that are not in it. */
  compare(sales: readonly Sale[], since: ListedSince): AsyncIterable<AuditRow>;
  /** Payments of the batch's terminal that are unknown to this till, may be money, and are in no earlier Z report. */
  unknownHere(batch: Batch): ExtraPayment[];
  /** Throws as `closeBatch` does. */
  close(request?: CloseOptions): Promise<ZReport>;
  /**
   * Compares a settlement file with the sales and the gateway: of one batch, or of all batches whose day is in the
   * file, including sales that another file put off. Throws `settlement.unreadable`.
   */
  reconcile(request: ReconcileOptions): Promise<Reconciliation & FileReceipts & { days?: Days }>;
}

export type ReconcileOptions = {
  file: string;
  /** Receives each record again, with its match, as portions of a CSV file. */
  matched?: MatchedSink;
  batch?: Batch;
  before?: (days: Days) => EarlierFiles;
  /** Aborted when nobody waits for the result any more: the work stops at its next step with that reason. */
  signal?: AbortSignal;
};

/** The receipts that files of other days covered, and those that they left to the next file. */
export type EarlierFiles = { told(receipt: number): boolean; putOff(receipt: number): boolean };

/** Receipts of sales that no other file covered, and those of them that the next file may still contain. */
export type FileReceipts = { told: number[]; putOff: number[] };

/** The first and last day of a settlement file, `YYYY-MM-DD`. */
export type Days = { first: string; last: string };

type BooksFiles = {
  journal: Journal;
  config: Config;
  time: TrustedTime;
  /** Whether the gateway is asked after each start what it knows about this till. */
  compares?: boolean;
};

export const openTillBooks = ({ journal, config, time, compares = false }: BooksFiles): Books => {
  const { cutOff, timeZone } = config.businessDay ?? {};
  return openBooks({
    journal,
    terminalId: config.terminalId,
    rule: { cutOff: cutOff ?? CUT_OFF, timeZone },
    now: () => {
      const since = time.sinceAnswer();
      return { at: time.now().at, trusted: 'ms' in since && since.byClock !== true };
    },
    isCompared: () => !compares || comparedIn(journal).uncomparedSince === undefined,
  });
};

/** Most shops are closed by then, and their last night's sales have ended. */
const CUT_OFF = '04:00';

export type TillBooksParts = {
  books: Books;
  ledger: FullLedger;
  journal: Journal;
  host: Host;
  agreement: Agreement;
  signer: TillSigner;
  integrated?: KeptTerminal<IntegratedTerminal> | undefined;
  /** With several terminals: the one with this id, if it authorises by itself. */
  integratedOf?(terminalId: string): KeptTerminal<IntegratedTerminal> | undefined;
  /** The store's id at the gateway. */
  merchantId: string;
  drain: ClosingParts['drain'];
  clock: Clock;
  /** Tracks the sales in progress that a close waits for. */
  gate: ClosingGate;
  /** Called when a seal could not be written after a close: the next entry tries again. */
  report?(error: unknown): void;
};

const fileReceiptsOf = (expected: readonly ExpectedSale[], { findings }: Reconciliation): FileReceipts => {
  const next = findings.filter(({ reasons }) => reasons.some(({ name }) => name === 'settledTomorrow'));
  const putOff = new Set(next.flatMap(({ receipt }) => receipt ?? []));
  const reports = expected.filter(({ receipt, toldBefore }) => !putOff.has(receipt) && toldBefore !== true);
  return { told: reports.map(({ receipt }) => receipt), putOff: [...putOff] };
};

const unclosedBatches = ({ batches }: Books): Batch[] => batches().filter(({ state }) => state !== 'closed');

/** Undefined when no terminal has its own day. */
const endOfDayAt = (stored: KeptTerminal<IntegratedTerminal> | undefined) =>
  stored && (async () => (await stored.get()).endOfDay());

export const openTerminalBooks = (parts: TillBooksParts): TerminalBooks => {
  const { books, ledger, journal, agreement, signer, drain, integratedOf = () => parts.integrated } = parts;
  const { clock, gate } = parts;
  const overRefunds = () =>
    imbalancesOf(journal.sql).flatMap((one) => {
      const receipt = replay(ledger.events(one.sale))?.intent.receipt;
      return receipt === undefined ? [] : [{ ...one, receipt }];
    });
  const unpaidSource = { books, ledger, sql: journal.sql };
  const closing: ClosingParts = {
    books,
    ledger,
    signer,
    drain,
    agreement,
    clock,
    gate,
    endOfDay: (terminalId) => endOfDayAt(integratedOf(terminalId)),
    sumsAgree: () => sumsAgree(journal.sql) && unclosedBatches(books).every((one) => sumsAreOfLines(journal.sql, one)),
    overRefunds,
    unpaid: (terminalId) => unpaidOfTerminal(unpaidSource, terminalId),
  };
  const unpaidOf = (terminalId: string): UnpaidMoney[] => openUnpaidOfTerminal(unpaidSource, terminalId);
  return {
    batches: books.batches,
    rule: books.rule,
    batch: books.batch,
    lines: (batch) => linesIn(books, ledger, batch),
    sales: (batch) => salesIn(books, ledger, batch),
    report: (batch) => reportIn(books, batch),
    sums: books.lines.sums,
    totals: books.lines.totals,
    eachLine: books.lines.each,
    x: (by) => xReport(books, { by, unpaidOf }),
    open: () => openMoney(closing),
    openNow: () => openIn(books),
    overRefunds,
    unpaid: unpaidOf,
    batchToClose: () => batchToClose(books),
    now: books.now,
    sumsAgree: () => sumsAgree(journal.sql),
    list: () => agreement.list('look'),
    rest: agreement.salesToCompare,
    compare: agreement.compare,
    openHolds: (batch) => openHoldsBefore(closing, batch),
    unknownHere: (batch) => unreportedPayments(books, batch, agreement.unknownHere(batch.terminalId)),
    async close(request) {
      const z = await closeBatch(closing, request);
      try {
        journal.seal();
      } catch (error) {
        // The batch is closed all the same. If this threw, the user would close again, and that would be the next
        // batch.
        parts.report?.(error);
      }
      return z;
    },
    reconcile: reconciling(parts),
  };
};

/** Compares a settlement file with the sales of its days, or of one batch. */
const reconciling =
  ({ books, ledger, host, merchantId }: TillBooksParts): TerminalBooks['reconcile'] =>
  async ({ batch, before, ...reconcileOptions }) => {
    // The code for these files takes five megabytes that a selling till can do without.
    const { daysOf, expectedOf, otherOf, reconcileFile, untilAborted: whileWanted } = await import('./reconcile.ts');
    const now = books.now();
    const today = now.trusted ? dateOf(now.at, { cutOff: '00:00', timeZone: 'UTC' }) : undefined;
    const reconciling = { ...reconcileOptions, mode: books.mode(), merchantId, today };
    const days = batch === undefined ? await daysOf(reconciling) : undefined;
    const known = days && before?.(days);
    // The days of a file are UTC calendar days, while a business day ends during the night. A sale after midnight is in
    // the next day's file, so it is looked up by its own date, whatever batch it belongs to.
    const isIn = (one: Batch, { intent: { at, receipt } }: Sale): boolean => {
      if (batch !== undefined) return one === batch;
      const day = dateOf(at, { cutOff: '00:00', timeZone: 'UTC' });
      if (days === undefined || day > days.last) return false;
      return days.first <= day || (known?.putOff(receipt) === true && !known.told(receipt));
    };
    const all = books.batches().flatMap((one) => salesIn(books, ledger, one).map((sale) => ({ one, sale })));
    const sales = all.filter(({ one, sale }) => isIn(one, sale)).map(({ sale }) => sale);
    const others = all.filter(({ one, sale }) => !isIn(one, sale)).map(({ sale }) => otherOf(sale));
    const rows = whileWanted(audit({ ...ledger, all: () => sales.values() }, host), reconcileOptions.signal);
    const expectedSales = await expectedOf(rows, (sale) => followersOf(ledger, sale));
    const expected = expectedSales.map(
      (one): ExpectedSale => (known?.told(one.receipt) ? { ...one, toldBefore: true } : one),
    );
    const result = await reconcileFile(reconciling, { expected, others });
    return { ...result, ...fileReceiptsOf(expected, result), days };
  };
