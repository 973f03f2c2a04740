/** The till's books put together: what the manager's commands and screens ask of them. */
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
import type { BookLine, LineSum, Report } from '../reconciliation/report.ts';
import type { Expected } from '../reconciliation/settlement-match.ts';
import type { UnknownHere, ZReport } from '../reconciliation/z-report.ts';
import { type AuditRow, audit } from '../recovery/audit.ts';
import type { Agreement, Since } from '../recovery/gateway-agreement.ts';
import { replay, type Sale } from '../till/machine/sale.ts';
import type { Host, Kept } from '../till/ports.ts';
import { type Books, followersOf, linesIn, openBooks, reportIn, salesIn, type XReport, xReport } from './books.ts';
import { type SaleOff, sumsAreOfLines } from './check.ts';
import { type ClosingParts, type ClosingWish, closeBatch, openIn, openMoney, toClose } from './closing/close.ts';
import type { ClosingGate } from './closing/gate.ts';
import { openHoldsBefore, unreportedPayments } from './compare.ts';
import type { LineTotal } from './lines/line-sums.ts';
import { openUnpaidOfTerminal, unpaidOfTerminal } from './unpaid.ts';

export interface TerminalBooks {
  /** Oldest first, of this terminal and of those that this till had before. */
  batches(): readonly Batch[];
  readonly rule: DayRule;
  /** Of this terminal, or of another one that this till had before. Throws `books.notFound`. */
  batch(number: number, terminalId?: string): Batch;
  /** The batch as its sales stand now. */
  report(batch: Batch): Report;
  /** Its lines added up. */
  sums(batch: Batch): LineSum[];
  /** The same by currency alone. */
  totals(batch: Batch): LineTotal[];
  /** By the entries of its sales: the longer the batch, the longer it takes. */
  lines(batch: Batch): BookLine[];
  /** The same as they were kept, read a page at a time. */
  eachLine(batch: Batch): Generator<BookLine>;
  sales(batch: Batch): Sale[];
  /** Numbered, and in the journal with who asked for it. Throws `books.nothingToClose`. */
  x(by?: string): XReport;
  /** What would hinder a close, after the queue had its turn. Throws `books.nothingToClose`. */
  open(): Promise<OpenMoney[]>;
  /** The same as it stands now: nobody is asked. */
  openNow(): OpenMoney[];
  /** What was taken offline and is not paid, of this terminal's batches: it hinders no close, and is named by it. */
  unpaid(terminalId: string): UnpaidMoney[];
  /** Sales of which more was given back than they had: an older program's, or an error. Oldest first. */
  off(): SaleOff[];
  /** The batch that a close is about. Throws `books.nothingToClose`. */
  standing(): Batch;
  now(): Moment;
  /** Whether the running sums are those of all sales: a close is refused while they are not. */
  sumsAgree(): boolean;
  /** Lists what the gateway has since it was listed last. Never rejects. */
  list(): Promise<Since>;
  /** Sales of the batch to ask the gateway about: all but those of which it told the same since they changed. */
  rest(batch: Batch, since: Since): readonly Sale[];
  /** The same of pre-authorisations of earlier batches of this terminal on which something is held. */
  openHolds(batch: Batch): readonly Sale[];
  /** Compares these sales with the list, and asks the gateway about those that do not stand there. */
  compare(sales: readonly Sale[], since: Since): AsyncIterable<AuditRow>;
  /** Payments of the batch's terminal that are not in this till, may be money, and are in no earlier Z report. */
  unknownHere(batch: Batch): UnknownHere[];
  /** Throws what `closeBatch` throws. */
  close(wish?: ClosingWish): Promise<ZReport>;
  /**
   * A settlement file against the sales and the gateway: of one batch, or of all whose day is in the file, with those
   * that another file put off. Throws `settlement.unreadable`.
   */
  reconcile(wish: ReconcileWish): Promise<Reconciliation & FileReceipts & { days?: Days }>;
}

export type ReconcileWish = {
  file: string;
  out?: string;
  batch?: Batch;
  before?: (days: Days) => EarlierFiles;
  /** Aborted when nobody waits for the outcome any more: the work ends at its next step, with its reason. */
  gone?: AbortSignal;
};

/** By receipt: what files of other days were about, and what they left to the next one. */
export type EarlierFiles = { told(receipt: number): boolean; putOff(receipt: number): boolean };

/** Receipts of the sales that no other file told of, and of those of them that the next file may still have. */
export type FileReceipts = { told: number[]; putOff: number[] };

/** The first and the last day that a settlement file is of, `YYYY-MM-DD`. */
export type Days = { first: string; last: string };

type BooksFiles = {
  journal: Journal;
  config: Config;
  time: TrustedTime;
  /** The gateway is asked after each start what it knows of this till. */
  compares?: boolean;
};

/** The books of a journal. */
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

/** Most shops are shut, and their last night's sales are through. */
const CUT_OFF = '04:00';

export type TillBooksParts = {
  books: Books;
  ledger: FullLedger;
  journal: Journal;
  host: Host;
  agreement: Agreement;
  signer: TillSigner;
  integrated?: Kept<IntegratedTerminal> | undefined;
  /** Where there are several: the terminal that has this number, if it authorises by itself. */
  integratedOf?(terminalId: string): Kept<IntegratedTerminal> | undefined;
  /** The store’s at the gateway. */
  merchantId: string;
  drain: ClosingParts['drain'];
  clock: Clock;
  /** The sales in progress, which a close waits for. */
  gate: ClosingGate;
  /** Told of a seal that could not be written after a close: the next entry tries again. */
  report?(error: unknown): void;
};

const fileReceiptsOf = (expected: readonly Expected[], { findings }: Reconciliation): FileReceipts => {
  const next = findings.filter(({ reasons }) => reasons.some(({ name }) => name === 'settledTomorrow'));
  const putOff = new Set(next.flatMap(({ receipt }) => receipt ?? []));
  const told = expected.filter(({ receipt, toldBefore }) => !putOff.has(receipt) && toldBefore !== true);
  return { told: told.map(({ receipt }) => receipt), putOff: [...putOff] };
};

const unclosedBatches = ({ batches }: Books): Batch[] => batches().filter(({ state }) => state !== 'closed');

/** Undefined where no terminal has a day of its own. */
const endOfDayAt = (kept: Kept<IntegratedTerminal> | undefined) => kept && (async () => (await kept.get()).endOfDay());

export const openTerminalBooks = (parts: TillBooksParts): TerminalBooks => {
  const { books, ledger, journal, agreement, signer, drain, integratedOf = () => parts.integrated } = parts;
  const { clock, gate } = parts;
  const off = () =>
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
    off,
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
    off,
    unpaid: unpaidOf,
    standing: () => toClose(books),
    now: books.now,
    sumsAgree: () => sumsAgree(journal.sql),
    list: () => agreement.list('look'),
    rest: agreement.rest,
    compare: agreement.compare,
    openHolds: (batch) => openHoldsBefore(closing, batch),
    unknownHere: (batch) => unreportedPayments(books, batch, agreement.unknownHere(batch.terminalId)),
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
    reconcile: reconciling(parts),
  };
};

/** A settlement file against the sales of its days, or of one batch. */
const reconciling =
  ({ books, ledger, host, merchantId }: TillBooksParts): TerminalBooks['reconcile'] =>
  async ({ batch, before, ...wish }) => {
    // What reads and writes such files is five megabytes that a till that sells can do without.
    const { daysOf, expectedOf, otherOf, reconcileFile, whileWanted } = await import('./reconcile.ts');
    const now = books.now();
    const today = now.trusted ? dateOf(now.at, { cutOff: '00:00', timeZone: 'UTC' }) : undefined;
    const reconciling = { ...wish, mode: books.mode(), merchantId, today };
    const days = batch === undefined ? await daysOf(reconciling) : undefined;
    const known = days && before?.(days);
    // A file has the days of the calendar in UTC; a business day ends in the night. What was sold behind midnight is
    // in the next day's file: it is looked for there, by its own day, whatever batch it is in.
    const isIn = (one: Batch, { intent: { at, receipt } }: Sale): boolean => {
      if (batch !== undefined) return one === batch;
      const day = dateOf(at, { cutOff: '00:00', timeZone: 'UTC' });
      if (days === undefined || day > days.last) return false;
      return days.first <= day || (known?.putOff(receipt) === true && !known.told(receipt));
    };
    const all = books.batches().flatMap((one) => salesIn(books, ledger, one).map((sale) => ({ one, sale })));
    const sales = all.filter(({ one, sale }) => isIn(one, sale)).map(({ sale }) => sale);
    const others = all.filter(({ one, sale }) => !isIn(one, sale)).map(({ sale }) => otherOf(sale));
    const rows = whileWanted(audit({ ...ledger, all: () => sales.values() }, host), wish.gone);
    const asked = await expectedOf(rows, (sale) => followersOf(ledger, sale));
    const expected = asked.map((one): Expected => (known?.told(one.receipt) ? { ...one, toldBefore: true } : one));
    const result = await reconcileFile(reconciling, { expected, others });
    return { ...result, ...fileReceiptsOf(expected, result), days };
  };
