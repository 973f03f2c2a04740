/** What a manager does with the day: figures, batches, closing, reconciling, open items, limits. */
import type { LocalizedMessage } from '../../base/localized-message.ts';
import type { Batch } from '../../reconciliation/batches.ts';
import type { OpenMoney } from '../../reconciliation/open-money.ts';
import type { CurrencyReport, XReport } from '../../reconciliation/report.ts';
import type { Operation } from '../../till/machine/facts.ts';
import type { LimitsReport } from './limits.ts';
import type { SendResult } from './recovery.ts';
import type { BatchLine, ReportWish } from './reports.ts';
import type { SaleRow, State } from './selling.ts';
import type { Actor } from './session.ts';
import type { Amount } from './wire.ts';

export type Today = {
  day: string;
  taken: Amount;
  refunded: Amount;
  offline: { exposure: Amount; most?: Amount };
  openItems: number;
  /** Charges that were approved, and everything that was begun, whatever became of it. */
  sales: number;
  begun?: number;
  /**
   * Of this business day and of the same day a week before, by hours since the cut-off, 0 first: 23 or 25 of them where
   * the clock changes. `at` is when today's hour begins, for the words under the chart.
   */
  byHour: { hour: number; at?: number; taken: string; lastWeek: string }[];
  byBrand: { brand: string; count: number; taken: string }[];
  byTerminal: { counter: string; count: number; taken: string }[];
  /** The last business days, oldest first. */
  byDay: { day: string; taken: string }[];
};

export type BatchRow = {
  /** Each terminal counts its own. */
  batch: number;
  terminalId: string;
  /** `T2`: absent for a terminal that this till has no more. */
  counter?: string;
  state: 'open' | 'closing' | 'closed';
  day: string;
  openedAt: number;
  closedAt?: number;
  z?: number;
  /** Begun, whatever became of them. */
  sales: number;
  /** Charges that came about. */
  made?: number;
  net: Amount[];
  override?: { by: string; reason: string };
  /** All that the journal has of it, with its Z report. */
  record?: Batch;
};

export type BatchReport = BatchRow & {
  currencies: CurrencyReport[];
  receipts?: { first: number; last: number };
  /** The Z report as it is printed, of a closed batch. */
  paper?: string[];
  /** Of a batch that is not closed, with its record. */
  lines?: BatchLine[];
};

/** One line of the list that has to be green before a batch is closed. */
export type ClosingCheck = {
  what:
    | 'nothingUnknown'
    | 'nothingUnsent'
    | 'nothingUnpaid'
    | 'gatewayAgrees'
    | 'sumsAgree'
    | 'terminalDay'
    | 'timeTrusted';
  ok: boolean;
  /** Why not, and its cure; one for each open amount. */
  open: (Omit<OpenMoney, 'place'> & {
    place: OpenMoney['place'] | 'unpaid';
    told?: { why: LocalizedMessage; next: LocalizedMessage };
  })[];
  why?: LocalizedMessage;
  /**
   * Of `gatewayAgrees`, wall time, ms: it was so then, and the gateway is still being asked for the rest. The event
   * `changed` `closing` tells that it has answered.
   */
  asOf?: number;
};

/** A sale that a close waits for. `startedAt`: wall time, ms. */
export type SaleInProgress = {
  receipt: number;
  operation: Operation;
  amount: Amount;
  counter?: string;
  startedAt: number;
};

/** A close that waits for sales in progress at its terminal, five minutes at most. */
export type ClosingWait = { terminalId: string; sales: SaleInProgress[] };

export type ClosingState = {
  batch?: BatchRow;
  /** Sales in progress at its terminal: a close waits for them, and they hinder none. */
  inProgress?: SaleInProgress[];
  /** Every batch that a close may be about, this one too: one of each terminal. */
  standing?: BatchRow[];
  checks: ClosingCheck[];
  mayClose: boolean;
};

export type OpenItem = {
  receipt: number;
  sale: SaleRow;
  /** `task`: unpaid. The goods have left with a sale that was taken offline, and its money did not come. */
  kind: 'waiting' | 'overdue' | 'behind' | 'parked' | 'terminal' | 'person' | 'task' | 'unknown' | 'differs';
  state: State;
  known: string;
  next: string;
  person: string;
  why: string;
  tries: number;
  nextAt?: number;
  evidence: { at: number; entry: number; words: string; told?: LocalizedMessage }[];
  /** The same, told in the reader's language. */
  told?: { known: LocalizedMessage; next: LocalizedMessage; person: LocalizedMessage; why?: LocalizedMessage };
  /** Of an unpaid sale: what has not been paid, and the receipts of the sales that asked for it once more. */
  missing?: Amount;
  again?: number[];
  /** What can be done now. `chargeAgain` is done by a sale with `chargesAgain`. */
  actions: (
    | 'askNow'
    | 'sendNow'
    | 'retry'
    | 'sayCharged'
    | 'sayNotCharged'
    | 'chargeAgain'
    | 'settleOtherwise'
    | 'writeOff'
  )[];
};

export type ReconciliationRow = {
  id: string;
  file: string;
  at: number;
  by?: string;
  days: { first: string; last: string };
  records: number;
  agreeing: number;
  differences: number;
  resolved: number;
};

export type DifferenceRow = {
  /** Its place in the reconciliation. */
  n: number;
  receipt?: number;
  sale?: string;
  payment?: string;
  lines: number[];
  till: Amount;
  gateway?: Amount;
  settled: Amount;
  /** The smallest explanation first. */
  reasons: {
    name: string;
    says: string;
    told?: LocalizedMessage;
    toDo?: string;
    toldToDo?: LocalizedMessage;
    amount?: Amount;
  }[];
  resolution?: { choice: string; note: string; by?: string; at: number };
};

export type ReconciliationDetail = ReconciliationRow & {
  statuses: Record<'MATCHED' | 'MULTIPLE_MATCHES' | 'NOT_MATCHED', number>;
  payout: Amount[];
  findings: DifferenceRow[];
  /** What explains the payout and needs nobody: fees, rates. By reason and currency. */
  fine?: { name: string; says: string; told?: LocalizedMessage; count: number; amount: Amount }[];
  /** Sales of terminals that authorise by themselves: their own acquirers settle them, and the file names none. */
  atTerminals?: { terminalId: string; count: number; amount: Amount }[];
  /** Differences beyond those that are listed. */
  more?: number;
  /** How often this very file was reconciled: 1 the first time. Resolutions stay with what did not change since. */
  times?: number;
  /** Lines that could not be taken, by their number in the file. */
  refused: { line: number; why: string; says?: string }[];
  refusedCount: number;
};

/** Dotted name of a limit as in `limits set`, what is set, and how the slider runs. */
export type LimitSetting = {
  key: string;
  kind: 'amount' | 'count' | 'hours' | 'list' | 'switch';
  value: string;
  used?: string;
  left?: string;
};
export type LimitsState = {
  settings: LimitSetting[];
  /** As they are written in till.json. */
  written: Readonly<Record<string, unknown>>;
  /** A card like those of the last weeks would be taken. */
  ready: boolean;
  why?: LocalizedMessage;
  /** Cards that this till's readers read in the last weeks, and how many of them would be taken now. */
  cards?: { seen: number; taken: number; why?: LocalizedMessage; cure?: { key: string; value: string; taken: number } };
};

/** What the sales of a span would have been under other limits. */
export type LimitsReplay = {
  from: number;
  to: number;
  /** Sales that were refused because the line was down, and would have been taken. */
  moreTaken: { count: number; total: Amount };
  /** Of those taken offline: what would have been refused. */
  fewerTaken: { count: number; total: Amount };
  /** Of all that would have been taken: what the bank declined afterwards, or declined the same card for then. */
  wouldHaveFailed: { count: number; total: Amount };
  /** How many sales met a line that was down. */
  asked?: number;
  /** Of all that would have been taken: nobody knows what the bank, or the chip, would have said. */
  notKnown?: { count: number; total: Amount };
  /** What this rests on, and what it cannot tell, in English. */
  says?: string[];
  /** The same, told in the reader's language. */
  told?: LocalizedMessage[];
};

export interface BooksPort {
  today(): Today;
  batches(wish?: Pick<ReportWish, 'record'>): BatchRow[];
  batch(number: number, terminalId?: string, wish?: ReportWish): Promise<BatchReport>;
  /** Of this terminal's batch, or of the one whose turn it is. Throws `books.nothingToClose`. */
  xReport(
    by: Actor,
    terminalId?: string,
    wish?: ReportWish,
  ): Promise<BatchReport & { number: number; paper: string[]; x?: XReport }>;
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

export type Download =
  | { of: 'sales' | 'audit'; as: 'csv'; from?: number; to?: number }
  | { of: 'batch'; batch: number; terminalId?: string; as: 'csv' | 'pdf' }
  | { of: 'reconciliation'; id: string; as: 'csv' | 'pdf' };
