/**
 * The interface of a terminal that authorises by itself. The till gives the amount; the terminal reads the card, asks
 * its own host and reports the outcome. No card data, PIN or cryptogram ever reaches the till.
 *
 * Each promise ends: with a value, or with a Fault of the link or the device. A Fault after `pay`, `refund` or
 * `reverse` has begun says nothing about the money: the terminal must be opened again and asked with `lastOutcome`.
 */
import type { Money } from '../src/base/money.ts';
import type { EntryMode } from '../src/emv/entry-mode.ts';
import type { TerminalEvent, TerminalHealth, TerminalInfo, Verification } from './terminal.ts';

/** What the terminal reports about one payment. Not every terminal sends more than the first two fields. */
export type TerminalPayment = {
  amount: Money;
  /** The number by which the terminal knows the payment; `reverse` needs it. */
  receiptNumber: string;
  traceNumber?: string;
  /** For a reversal: the trace number of the payment that it reversed. */
  originalTrace?: string;
  /** The terminal's own id at its acquirer. */
  terminalId?: string;
  authorisationCode?: string;
  entryMode?: EntryMode;
  /** The card number: at most the first six digits, stars, at most the last four. */
  maskedPan?: string;
  /** Hex. */
  aid?: string;
  cardName?: string;
  verification?: Verification;
  /** The device's own time as it prints it: YYYY-MM-DD hh:mm:ss; the year only where the device sends one. */
  time?: string;
  /**
   * When the till received the outcome as it happened, wall time in ms; absent where the terminal repeated it later.
   */
  heardAt?: number;
};

/** Identifies the payment to reverse: a terminal that has another amount under that number refuses. */
export type Reversible = Pick<TerminalPayment, 'receiptNumber' | 'amount'>;

export type IntegratedOutcome =
  /** `customerLines` and `merchantLines` are what the terminal wants printed; the terminal has already masked them. */
  | { kind: 'approved'; payment: TerminalPayment; customerLines: readonly string[]; merchantLines: readonly string[] }
  /** The terminal or its host declined. `code` is the device's result code in hex; `why` is its meaning in words. */
  | {
      kind: 'declined';
      code: string;
      why: string;
      /** For a reversal: refused because the payment had already been reversed. */
      already?: true;
      payment?: TerminalPayment;
      customerLines: readonly string[];
      merchantLines: readonly string[];
    }
  /** The terminal proves that nothing began: it refused to start, or ended before its host was asked. */
  | { kind: 'notBegun'; code: string; why: string };

export type IntegratedRequest = {
  amount: Money;
  /** How long the customer and the terminal's host may take together. */
  withinMs: number;
  /**
   * Called at most once, when the terminal has accepted the request: from here on it may charge, even if the connection
   * is lost.
   */
  onAccepted?(): void;
};

export interface IntegratedTerminal {
  info(): Promise<TerminalInfo>;
  health(): Promise<TerminalHealth>;
  /** Sends one harmless question and waits for its answer. */
  echo(): Promise<void>;
  pay(request: IntegratedRequest, notify: (event: TerminalEvent) => void): Promise<IntegratedOutcome>;
  /** A refund that names no earlier payment. */
  refund(request: IntegratedRequest, notify: (event: TerminalEvent) => void): Promise<IntegratedOutcome>;
  /**
   * Reverses the payment with this number and amount; the outcome names the reversed payment, as far as the terminal
   * reports it. A payment that had already been reversed is declined with `already`: when the call repeats a reversal
   * after a fault, that is as good as an approval.
   */
  reverse(payment: Reversible, notify: (event: TerminalEvent) => void): Promise<IntegratedOutcome>;
  /**
   * The outcome of the last payment that the terminal knows; `none` when it knows of none. Throws while the terminal is
   * still busy with a payment, including one that a lost connection left running: the answer must be final.
   */
  lastOutcome(): Promise<IntegratedOutcome | { kind: 'none' }>;
  /**
   * The receipt number of the newest payment in the terminal's turnover records, which `lastOutcome` does not read;
   * `none` where they are empty, undefined where the terminal does not report it. Prints, closes and changes nothing.
   * Throws while the terminal is at a payment. Absent where `lastOutcome` cannot lag behind.
   */
  newestBooked?(): Promise<string | undefined>;
  /** Overtakes any running call. That call then ends by itself, possibly with an approval that came first. */
  cancel(): Promise<void>;
  /** Closes the terminal's own business day at its host. The lines are what the terminal wants printed. */
  endOfDay(): Promise<{ lines: readonly string[] }>;
  /** Never rejects. A running call ends with `link.lost`. */
  close(): Promise<void>;
}
