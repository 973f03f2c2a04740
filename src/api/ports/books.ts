/** The manager's service: figures, batches, closing, reconciliation, open items, limits. */
import type {
  BatchReport,
  BatchRow,
  ClosingState,
  ClosingWait,
  Download,
  NumberedReport,
  OpenItem,
  ReportOptions,
  SendResult,
  Today,
} from '../contract/books.ts';
import type { LimitsReplay, LimitsReport, LimitsState } from '../contract/limits.ts';
import type {
  ComparedPortion,
  ComparisonRequest,
  ReconciliationDetail,
  ReconciliationRow,
  SettlementComparison,
} from '../contract/reconciliations.ts';
import type { Actor } from './session.ts';

export interface BooksPort {
  today(): Today;
  batches(request?: Pick<ReportOptions, 'record'>): BatchRow[];
  batch(number: number, terminalId?: string, request?: ReportOptions): Promise<BatchReport>;
  /** For this terminal's batch, or for the next batch to close. Throws `books.nothingToClose`. */
  xReport(actor: Actor, terminalId?: string, request?: ReportOptions): Promise<NumberedReport>;
  closing(terminalId?: string): Promise<ClosingState>;
  /**
   * Waits for sales in progress at the terminal; later sales go to the next batch. Stops waiting once nobody
   * waits for the answer (`gone`). Throws as `closeBatch`.
   */
  close(
    request: ReportOptions & { override?: string; terminalId?: string },
    actor: Actor,
    signal?: AbortSignal,
  ): Promise<BatchReport>;
  /** What a close is waiting for. */
  closingWait(): { waits?: ClosingWait };
  /** Cancels a waiting close, for everyone who requested it; a close that no longer waits continues. */
  cancelClosing(): { waits?: ClosingWait };
  /**
   * The file is on the till's disk only while it is read. Throws `settlement.unreadable`, and the reason of `gone`
   * once nobody waits for the answer; nothing is stored then.
   */
  reconcile(
    file: { name: string; bytes: Uint8Array | AsyncIterable<Uint8Array> },
    actor: Actor,
    signal?: AbortSignal,
  ): Promise<ReconciliationDetail>;
  /**
   * The same comparison without storing anything. `tell` receives the file with its matches, if `matched` is set.
   * Throws `settlement.unreadable` and `books.notFound`, and the reason of `gone`.
   */
  compareSettlement(
    file: { name: string; bytes: Uint8Array | AsyncIterable<Uint8Array> },
    request: ComparisonRequest & { tell(portion: ComparedPortion): Promise<void> },
    signal?: AbortSignal,
  ): Promise<SettlementComparison>;
  reconciliations(): ReconciliationRow[];
  /** Throws `settlement.notFound`. */
  reconciliation(id: string): ReconciliationDetail;
  /** Throws `settlement.notFound`. */
  resolveDifference(
    id: string,
    n: number,
    chosen: { choice: string; note: string },
    actor: Actor,
  ): ReconciliationDetail;
  openItems(): OpenItem[];
  act(
    receipt: number,
    action: OpenItem['actions'][number],
    actor: Actor,
    statement?: { reason: string; evidence?: string | undefined },
  ): Promise<OpenItem | undefined>;
  /** Asks terminals and sends all waiting messages, including those of other tills. */
  sendAll(actor: Actor): Promise<SendResult>;
  limits(): LimitsState;
  /** Asks the gateway first: an answer resets the time without it. */
  limitsReport(): Promise<LimitsReport>;
  setLimits(changes: Record<string, string>, actor: Actor): LimitsState;
  replayLimits(changes: Record<string, string>): LimitsReplay;
  /**
   * A table as PDF, or as CSV that is generated while it is sent; cells that a spreadsheet would take for formulas are
   * escaped.
   */
  download(
    download: Download,
    actor?: Actor,
    languages?: readonly string[],
  ): Promise<{ name: string; type: string; bytes: Uint8Array | AsyncIterable<Uint8Array> }>;
}
