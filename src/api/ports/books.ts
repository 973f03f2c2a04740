/** What a manager does with the day: figures, batches, closing, reconciling, open items, limits. */
import type {
  BatchReport,
  BatchRow,
  ClosingState,
  ClosingWait,
  Download,
  NumberedReport,
  OpenItem,
  ReportWish,
  SendResult,
  Today,
} from '../contract/books.ts';
import type { LimitsReplay, LimitsReport, LimitsState } from '../contract/limits.ts';
import type {
  ComparedPortion,
  ComparisonWish,
  ReconciliationDetail,
  ReconciliationRow,
  SettlementComparison,
} from '../contract/reconciliations.ts';
import type { Actor } from './session.ts';

export interface BooksPort {
  today(): Today;
  batches(wish?: Pick<ReportWish, 'record'>): BatchRow[];
  batch(number: number, terminalId?: string, wish?: ReportWish): Promise<BatchReport>;
  /** Of this terminal's batch, or of the one whose turn it is. Throws `books.nothingToClose`. */
  xReport(by: Actor, terminalId?: string, wish?: ReportWish): Promise<NumberedReport>;
  closing(terminalId?: string): Promise<ClosingState>;
  /**
   * Waits for sales in progress at the terminal; those that are begun after them are in the next batch. Once nobody
   * waits for the answer (`gone`) it waits no longer. Throws what `closeBatch` throws.
   */
  close(
    wish: ReportWish & { override?: string; terminalId?: string },
    by: Actor,
    gone?: AbortSignal,
  ): Promise<BatchReport>;
  /** What a close waits for now. */
  closingWait(): { waits?: ClosingWait };
  /** A close that waits is given up, for all who asked for it; one that waits no longer goes on. */
  cancelClosing(): { waits?: ClosingWait };
  /**
   * The file lies on the till's disk only while it is read. Throws `settlement.unreadable`, and the reason of `gone`
   * once nobody waits for it any more: nothing of it is kept then.
   */
  reconcile(
    file: { name: string; bytes: Uint8Array | AsyncIterable<Uint8Array> },
    by: Actor,
    gone?: AbortSignal,
  ): Promise<ReconciliationDetail>;
  /**
   * The same comparison, but nothing of it is kept. `tell` receives the file again, if `matched` asks for it. Throws
   * `settlement.unreadable` and `books.notFound`, and the reason of `gone`.
   */
  compareSettlement(
    file: { name: string; bytes: Uint8Array | AsyncIterable<Uint8Array> },
    wish: ComparisonWish & { tell(portion: ComparedPortion): Promise<void> },
    gone?: AbortSignal,
  ): Promise<SettlementComparison>;
  reconciliations(): ReconciliationRow[];
  /** Throws `settlement.notFound`. */
  reconciliation(id: string): ReconciliationDetail;
  /** Throws `settlement.notFound`. */
  resolveDifference(id: string, n: number, how: { choice: string; note: string }, by: Actor): ReconciliationDetail;
  openItems(): OpenItem[];
  act(
    receipt: number,
    action: OpenItem['actions'][number],
    by: Actor,
    said?: { reason: string; evidence?: string | undefined },
  ): Promise<OpenItem | undefined>;
  /** Asks terminals and sends what waits, that of other tills too. */
  sendAll(by: Actor): Promise<SendResult>;
  limits(): LimitsState;
  /** Asks the gateway first: its answer begins the time without it anew. */
  limitsReport(): Promise<LimitsReport>;
  setLimits(changes: Record<string, string>, by: Actor): LimitsState;
  replayLimits(changes: Record<string, string>): LimitsReplay;
  /**
   * A table as CSV, which is made while it is sent, or PDF; cells that a spreadsheet would take for a formula are made
   * harmless.
   */
  download(
    what: Download,
    by?: Actor,
    languages?: readonly string[],
  ): Promise<{ name: string; type: string; bytes: Uint8Array | AsyncIterable<Uint8Array> }>;
}
