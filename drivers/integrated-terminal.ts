/**
 * What a terminal that authorises by itself gives the till. The till names the amount, the terminal reads the card,
 * asks its own host and tells what became of it; no card data, PIN or cryptogram ever comes to the till.
 *
 * Each promise ends: with a value, or with a Fault of the link or the device. A Fault after `pay`, `refund` or
 * `reverse` has begun says nothing about the money: `last` is to be asked, on a terminal that was opened anew.
 */
import type { Money } from '../src/base/money.ts';
import type { EntryMode } from '../src/emv/entry-mode.ts';
import type { TerminalEvent, TerminalHealth, TerminalInfo, Verification } from './terminal.ts';

/** What the terminal tells of one payment. All but the first two as far as it says them. */
export type TerminalPayment = {
  amount: Money;
  /** The number by which the terminal knows the payment: what `reverse` wants. */
  receiptNumber: string;
  traceNumber?: string;
  /** Of a reversal: the trace number of the payment that it took back. */
  originalTrace?: string;
  /** The terminal's own id at its acquirer. */
  terminalId?: string;
  authorisationCode?: string;
  entryMode?: EntryMode;
  /** First six at most, stars, last four at most. */
  maskedPan?: string;
  /** Hex. */
  aid?: string;
  cardName?: string;
  verification?: Verification;
  /** The device's own time, as it prints it: YYYY-MM-DD hh:mm:ss, the year as far as the device gives one. */
  time?: string;
  /** When the till heard it from the terminal as it was made, wall time in ms; absent where it was told again later. */
  heardAt?: number;
};

/** What a reversal names of the payment: a terminal that knows another amount under that number refuses. */
export type Reversible = Pick<TerminalPayment, 'receiptNumber' | 'amount'>;

export type IntegratedOutcome =
  /** `customerLines` and `merchantLines` are what the terminal wants printed, masked by the terminal. */
  | { kind: 'approved'; payment: TerminalPayment; customerLines: readonly string[]; merchantLines: readonly string[] }
  /** The terminal or its host said no. `code` is the device's result code, hex; `why` its meaning in words. */
  | {
      kind: 'declined';
      code: string;
      why: string;
      /** Of a reversal: refused because the payment was taken back before. */
      already?: true;
      payment?: TerminalPayment;
      customerLines: readonly string[];
      merchantLines: readonly string[];
    }
  /** Proved by the terminal: it refused to begin, or ended before its host was asked. */
  | { kind: 'notBegun'; code: string; why: string };

export type IntegratedRequest = {
  amount: Money;
  /** How long the customer and the terminal's host may take together. */
  withinMs: number;
  /** The terminal has taken the request: from here on it may charge, though the line is lost. Called once at most. */
  taken?(): void;
};

export interface IntegratedTerminal {
  info(): Promise<TerminalInfo>;
  health(): Promise<TerminalHealth>;
  /** One harmless question and its answer. */
  echo(): Promise<void>;
  pay(request: IntegratedRequest, tell: (event: TerminalEvent) => void): Promise<IntegratedOutcome>;
  /** A refund that names no earlier payment. */
  refund(request: IntegratedRequest, tell: (event: TerminalEvent) => void): Promise<IntegratedOutcome>;
  /**
   * Takes back the payment with this number and amount; the outcome tells which payment went back, as far as the
   * terminal says so. A payment that was taken back before is declined as `already`: asked for again after a fault,
   * that is as good as approved.
   */
  reverse(payment: Reversible, tell: (event: TerminalEvent) => void): Promise<IntegratedOutcome>;
  /**
   * What became of the last payment the terminal knows; `none` when it knows of none. Throws while the terminal is
   * still at a payment, one that a lost connection left running too: the answer must be the last word.
   */
  last(): Promise<IntegratedOutcome | { kind: 'none' }>;
  /**
   * The number of the newest payment in its turnover, from other books than those that `last` looks into; `none` where
   * they are empty, undefined where it does not tell. Prints, closes and changes nothing. Throws while it is at a
   * payment. Absent where `last` cannot lag behind.
   */
  newestBooked?(): Promise<string | undefined>;
  /** Overtakes whatever runs. The running call then ends by itself, perhaps with an approval that was quicker. */
  cancel(): Promise<void>;
  /** Closes the terminal's own day at its host. The lines are what it wants printed. */
  endOfDay(): Promise<{ lines: readonly string[] }>;
  /** Never rejects. A running call ends with `link.lost`. */
  close(): Promise<void>;
}
