/** Closes a batch from the screens: the checks before it, row by row, and one close shared by everybody who asks. */
import type { BatchReport, BatchRow, ClosingCheck, ClosingState } from '../../api/contract/books.ts';
import type { BooksPort } from '../../api/ports/books.ts';
import type { Actor } from '../../api/ports/session.ts';
import { errorText, Fault, isFault } from '../../base/fault.ts';
import type { LocalizedMessage } from '../../base/localized-message.ts';
import { printMoney } from '../../base/money.ts';
import { OVERDUE_MINUTES } from '../../base/open-messages.ts';
import { localizedEnding } from '../../ledger/outcome.ts';
import { tellClosing, tellItem } from '../../locales/messages/en/books.ts';
import type { Batch } from '../../reconciliation/batches.ts';
import type { OpenMoney, UnpaidMoney } from '../../reconciliation/open-money.ts';
import type { ExtraPayment, ZReport } from '../../reconciliation/z-report.ts';
import type { AuditRow } from '../../recovery/audit.ts';
import { unpaidWhy } from '../../recovery/queue-view.ts';
import { isUnread, type Sale } from '../../till/machine/sale.ts';
import { type BatchReportContext, batchReport, batchRow, booksFor, layoutOf, paperIn } from '../batch-rows.ts';
import type { BooksTill, ManagerParts } from '../port.ts';
import { zLines } from '../reports/print.ts';
import type { TerminalBooks } from '../till-books.ts';
import { type GatewayComparisons, type GatewayFound, openGatewayComparisons } from './gateway.ts';
import { type ClosingWaitTracker, openClosingWait, saleInProgressFor as shownInProgress } from './wait.ts';

type CloseRequest = Parameters<BooksPort['close']>[0];

type OpenSaleRow = ClosingCheck['open'][number];

export type ClosingService = {
  state(terminalId?: string): Promise<ClosingState>;
  close(request: CloseRequest, actor: Actor, signal?: AbortSignal): Promise<BatchReport>;
  wait: Pick<ClosingWaitTracker, 'now' | 'cancel'>;
};

type ClosingParts = BatchReportContext & Pick<ManagerParts, 'events' | 'clock' | 'report'>;

export const openClosingService = (till: ClosingParts): ClosingService => {
  const { running, events } = till;
  const { books, config } = running;
  const statesInProgress = new Map<string | undefined, Promise<ClosingState>>();
  const waitTracker = openClosingWait(events, running);
  const comparisons = openGatewayComparisons(till);
  let closing: Promise<ZReport> | undefined;

  const closeNow = async ({ override, terminalId }: CloseRequest, actor: Actor): Promise<ZReport> => {
    const of = booksOf(running, terminalId);
    const at = of.batchToClose().terminalId;
    const signal = waitTracker.begin();
    const z = await of
      .close({
        override: override === undefined ? undefined : signedBy(actor, override),
        by: actor.name,
        signal,
        onWaiting: (sales) => waitTracker.setSales(at, sales),
      })
      .finally(() => waitTracker.setSales(at, []));
    events.tell({ on: 'changed', what: 'batches' });
    return z;
  };

  const printedReport = async (z: ZReport, request: CloseRequest): Promise<BatchReport> => {
    const layout = await layoutOf(request, till);
    const report = batchReport(till, books.batch(z.batch, z.terminalId), layout);
    return { ...report, paper: zLines(z, config, paperIn(layout, till)) };
  };

  return {
    /** Simultaneous requests share one check. */
    state(terminalId) {
      const before = statesInProgress.get(terminalId);
      if (before !== undefined) return before;
      const current = stateOf(running, comparisons, terminalId).finally(() => statesInProgress.delete(terminalId));
      statesInProgress.set(terminalId, current);
      return current;
    },
    /** Whoever asks during a close gets its report: closing again would close the next batch. */
    async close(request, actor, signal) {
      const isMeant = ({ terminalId }: ZReport): boolean => [undefined, terminalId].includes(request.terminalId);
      const leaveWait = waitTracker.join(signal);
      try {
        while (closing !== undefined) {
          // When the other person's close failed, this one may still succeed, for instance with an override.
          const z = await closing.catch(rethrowCancelled);
          if (z !== undefined && isMeant(z)) return await printedReport(z, request);
        }
        closing = closeNow(request, actor).finally(() => {
          closing = undefined;
        });
        return await printedReport(await closing, request);
      } finally {
        leaveWait();
      }
    },
    wait: waitTracker,
  };
};

/** A cancellation applies to everybody who asked for the close. */
const rethrowCancelled = (error: unknown): undefined => {
  if (isFault(error, 'books.closeCancelled')) throw error;
};

const REASON_MOST = 200;

/** Throws `books.overrideMalformed` when nobody is signed in: an override names the person who answers for it. */
const signedBy = ({ name }: Actor, reason: string): { by: string; reason: string } => {
  if (name === undefined) throw new Fault('books.overrideMalformed', { why: 'nobody is signed in who answers for it' });
  if (reason.trim() === '') throw new Fault('books.overrideMalformed', { why: 'no reason is given' });
  return { by: name, reason: reason.trim().slice(0, REASON_MOST) };
};

/** The books of this terminal. Throws `books.nothingToClose` when another terminal's batch would be closed instead. */
const booksOf = (running: BooksTill, terminalId: string | undefined): TerminalBooks => {
  const books = booksFor(running, terminalId);
  if (terminalId === undefined || books.batchToClose().terminalId === terminalId) return books;
  throw new Fault('books.nothingToClose');
};

/** One row for each terminal that has an open batch; of former terminals, only the batch that is closed next. */
const currentBatchRows = (running: BooksTill): BatchRow[] => {
  const services = [running.books, ...running.counters.map(({ books }) => books)];
  const batches = services.flatMap((service) => {
    try {
      return [service.batchToClose()];
    } catch (error) {
      if (isFault(error, 'books.nothingToClose')) return [];
      throw error;
    }
  });
  return [...new Set(batches)].map((batch) => batchRow(running, batch));
};

const stateOf = async (
  running: BooksTill,
  comparisons: GatewayComparisons,
  terminalId: string | undefined,
): Promise<ClosingState> => {
  try {
    const books = booksOf(running, terminalId);
    const gateway = await comparisons.of(books);
    const all = books.openNow();
    const batch = books.batchToClose();
    const { terminalId: at } = batch;
    const inBatch = new Set(all.map(({ sale }) => sale));
    const underWay = running.gate.salesInProgress(at).filter(({ sale }) => inBatch.has(sale));
    const salesWaitedFor = new Set(underWay.map(({ sale }) => sale));
    const open = all.filter(({ sale }) => !salesWaitedFor.has(sale)).map((one) => toOpenSaleRow(running, one));
    const names = new Set(all.map(({ receipt }) => receipt));
    const sums = sumsCheck(running);
    const checks = [
      openCheck(
        'nothingUnknown',
        open.filter(({ place }) => place === 'unknown'),
      ),
      openCheck(
        'nothingUnsent',
        open.filter(({ place }) => place === 'notSent'),
      ),
      unpaidCheck(running, books.unpaid(batch.terminalId)),
      gatewayCheck(running, batch, { ...gateway, receipts: names }),
      sums.check,
      await terminalCheck(running, batch),
      timeCheck(running, batch),
    ];
    const mayClose = open.length === 0 && gateway.found.silentCount === 0 && sums.agree;
    const inProgress = underWay.map(shownInProgress(running.counters, at));
    const of = { batch: batchRow(running, batch), standing: currentBatchRows(running), checks, mayClose };
    return { ...of, inProgress: inProgress.length > 0 ? inProgress : undefined };
  } catch (error) {
    if (isFault(error, 'books.nothingToClose'))
      return { standing: currentBatchRows(running), checks: [], mayClose: false };
    throw error;
  }
};

/** What the person at the screen can do about it: the wording in the books is for the command line. */
const toOpenSaleRow = ({ till, resolver }: BooksTill, open: OpenMoney): OpenSaleRow => {
  const sale = till.findSale(open.sale);
  const next = tellClosing(isUnread(sale) ? 'newer' : open.place === 'notSent' ? 'send' : 'ask');
  const isLate = resolver.of(sale).state === 'overdue';
  const reason = isLate ? tellClosing('overdue', { minutes: OVERDUE_MINUTES }) : openReason(sale, open.place);
  return { ...open, next: next.says, told: { why: reason, next } };
};

const openReason = (sale: Sale, place: 'unknown' | 'notSent'): LocalizedMessage => {
  if (sale.at !== 'ended') return tellClosing('notFinished');
  if (place === 'notSent') return tellClosing('offlineNotSent');
  return sale.reversal === 'due' && sale.ending !== 'unknown' ? tellClosing('toGiveBack') : localizedEnding(sale).says;
};

const openCheck = (what: 'nothingUnknown' | 'nothingUnsent', open: OpenSaleRow[]): ClosingCheck => ({
  what,
  ok: open.length === 0,
  open,
});

/** An unpaid sale does not block a close: a decision about it can take time, and the Z report lists it. */
const unpaidCheck = ({ till, unpaid }: BooksTill, found: readonly UnpaidMoney[]): ClosingCheck => {
  const open = found.map(({ sale, receipt, amount }): OpenSaleRow => {
    const one = unpaid.of(till.findSale(sale));
    const reason = one === undefined ? tellItem('task') : unpaidWhy(one);
    return { sale, receipt, amount, place: 'unpaid', ...toTexts(reason, tellItem('task')) };
  });
  return { what: 'nothingUnpaid', ok: open.length === 0, open };
};

type Compared = { found: GatewayFound; isOlder: boolean; receipts: ReadonlySet<number> };

const gatewayCheck = ({ books }: BooksTill, batch: Batch, { found, isOlder, receipts }: Compared): ClosingCheck => {
  const { differing, silentCount: silent, lostHolds, at } = found;
  const reason =
    silent > 0
      ? tellClosing('silent', { count: silent, of: salesIn(books, batch) })
      : unknownPaymentsMessage(batch, books.unknownHere(batch));
  // Open sales have their own row, and cannot agree before they have ended.
  const open = [...differing.filter(({ sale }) => !receipts.has(sale.intent.receipt)), ...lostHolds].map(toOpenRow);
  return {
    what: 'gatewayAgrees',
    ok: open.length === 0 && reason === undefined,
    open,
    why: reason,
    asOf: isOlder ? at : undefined,
  };
};

const salesIn = (books: TerminalBooks, batch: Batch): number =>
  books.sums(batch).reduce((all, { count }) => all + count, 0);

/** Payments of this terminal that are not in this till's journal. */
const unknownPaymentsMessage = (
  { terminalId }: Batch,
  found: readonly ExtraPayment[],
): LocalizedMessage | undefined => {
  if (found.length === 0) return undefined;
  const list = found.flatMap(({ amount }) => (amount === '' ? [] : [amount]));
  return tellClosing('unknownHere', { count: found.length, terminal: terminalId, amounts: { list } });
};

const toOpenRow = ({ sale: { intent }, till, gateway, lostHold, why }: AuditRow): OpenSaleRow => {
  if (lostHold !== undefined)
    return {
      sale: intent.sale,
      receipt: intent.receipt,
      amount: printMoney(lostHold),
      place: 'unknown',
      ...toTexts(tellClosing('holdGone'), tellClosing('holdAgain')),
    };
  const amounts = { till: printMoney(till), gateway: gateway === undefined ? '' : printMoney(gateway) };
  return {
    sale: intent.sale,
    receipt: intent.receipt,
    amount: printMoney(till),
    place: 'unknown',
    ...(gateway === undefined
      ? toTexts(tellClosing('gatewaySilent', { why }), tellClosing('checkAgain'))
      : toTexts(tellClosing('gatewayDiffers', { why, ...amounts }), tellClosing('compare'))),
  };
};

const toTexts = (reason: LocalizedMessage, next: LocalizedMessage): Pick<OpenSaleRow, 'why' | 'next' | 'told'> => ({
  why: reason.says,
  next: next.says,
  told: { why: reason, next },
});

const sumsCheck = ({ books }: BooksTill): { check: ClosingCheck; agree: boolean } => {
  const agree = books.sumsAgree();
  const overRefunds = books.overRefunds().map(
    ({ sale, receipt, currency, minor }): OpenSaleRow => ({
      sale,
      receipt,
      amount: printMoney({ minor, currency }),
      place: 'unknown',
      ...toTexts(tellClosing('gaveTooMuch'), tellClosing('support')),
    }),
  );
  const check: ClosingCheck = { what: 'sumsAgree', ok: agree && overRefunds.length === 0, open: overRefunds };
  return { check: agree ? check : { ...check, why: tellClosing('sums') }, agree };
};

/** A terminal that authorises by itself closes its own day with the batch, so it must be connected. */
const terminalCheck = async ({ books, counters }: BooksTill, batch: Batch): Promise<ClosingCheck> => {
  const what = 'terminalDay';
  const { terminalId } = batch;
  if (!books.sums(batch).some(({ byTerminal }) => byTerminal)) return { what, ok: true, open: [] };
  try {
    // Sales under a terminal id that is no longer in use are closed at the first terminal.
    await (counters.find((one) => one.terminalId === terminalId) ?? counters[0]).ready();
    return { what, ok: true, open: [] };
  } catch (error) {
    return { what, ok: false, open: [], why: tellClosing('away', { why: errorText(error) }) };
  }
};

/** A day that was dated by an uncertain clock is corrected at the close, if the time is certain by then. */
const timeCheck = ({ books }: BooksTill, { day }: Batch): ClosingCheck => {
  const what = 'timeTrusted';
  if (day.trusted || books.now().trusted) return { what, ok: true, open: [] };
  return { what, ok: false, open: [], why: tellClosing('clock', { day: day.date }) };
};
