/**
 * The outcome of a payment command. Approved only with result 00 followed by a completion; declined and not begun only
 * with a code that is known to mean so. Everything else is a Fault: the till then asks for the terminal's last payment.
 */
import { Fault } from '../../../src/base/fault.ts';
import type { Money } from '../../../src/base/money.ts';
import { luhnIsValid } from '../../../src/emv/luhn.ts';
import type { IntegratedOutcome, TerminalPayment } from '../../integrated-terminal.ts';
import { lockWords, resultOf } from '../protocol/codes.ts';
import { homeCurrency, type PrintLines, type ReceiptKind, type ZvtResult } from '../protocol/messages.ts';
import type { End } from './dialogue.ts';

/** Not visible in the type: a payment without a receipt number cannot be named in a reversal. */
export const noReceiptNumber = '0000';

/** The host's 55 in binary. */
const wrongPin = '37';

/** Refused because the payment was already reversed. */
const alreadyReversed = 'B4';

export type ZvtCommandResult = {
  /** The command, for fault texts. */
  name: string;
  end: End;
  results: readonly ZvtResult[];
  receipts: SortedReceipts;
  /** The amount asked for; for a repeated receipt and a reversal only the terminal knows it. */
  requested: Money | undefined;
  /** The trace number of the previous payment, which no new payment can have. */
  newestBefore?: string | undefined;
  /** A first report, not a repeated one: its arrival time shows how the terminal's clock differs. */
  asItWasMade?: boolean;
};

const unclearFault = (command: string, status: string, reason: string): Fault =>
  new Fault('terminal.unclear', { command, status, why: reason });

/** Throws `terminal.unclear` for an inconclusive code, and for results that contradict each other or prove nothing. */
export const outcomeOf = (facts: ZvtCommandResult): IntegratedOutcome => {
  const { name, end, receipts } = facts;
  const result = lastResult(facts);
  if (end.kind === 'refused') return refusedOutcome(name, end.code);
  if (result === undefined) {
    if (end.kind === 'aborted') return outcomeOfEnd(facts, end.code, undefined);
    throw unclearFault(name, '-', 'it ended without a result');
  }
  if (result.code !== '00') return outcomeOfEnd(facts, result.code, result);
  if (end.kind === 'aborted') throw unclearFault(name, end.code, 'it approved, and then gave up');
  const { customerLines, merchantLines } = receipts;
  return { kind: 'approved', payment: approvedPayment(facts, result), customerLines, merchantLines };
};

/** A command that was never accepted has begun nothing, if its code is known. */
const refusedOutcome = (name: string, code: string): IntegratedOutcome => {
  const { says, worth } = resultOf(code);
  if (worth === 'approved' || worth === 'unsure') throw unclearFault(name, code, says);
  return { kind: 'notBegun', code, why: says };
};

const outcomeOfEnd = (facts: ZvtCommandResult, code: string, result: ZvtResult | undefined): IntegratedOutcome => {
  const { name, receipts } = facts;
  // In a locked state it accepts every command and aborts it at once: the code is a state, not a host's.
  const locked = result === undefined ? lockWords[code] : undefined;
  if (locked !== undefined) return { kind: 'notBegun', code, why: locked };
  const { says, worth } = resultOf(code);
  if (worth === 'approved' || worth === 'unsure') throw unclearFault(name, code, says);
  // A result shows that a card was involved, so a later "cannot do this now" does not prove that nothing began.
  if (worth === 'notBegun' && result === undefined) return { kind: 'notBegun', code, why: says };
  if (worth === 'notBegun') throw unclearFault(name, code, says);
  const { customerLines, merchantLines } = receipts;
  const payment = result && paymentOf(result, facts);
  return {
    kind: 'declined',
    code,
    why: says,
    already: code === alreadyReversed ? true : undefined,
    payment,
    customerLines,
    merchantLines,
  };
};

/**
 * The last of the results. An identical one is a repetition; a different one makes all of them doubtful, except after a
 * wrong PIN, when the terminal may ask for it again in the same command. Source: PA00P015 13.08, 2.2.
 */
const lastResult = ({ name, results }: ZvtCommandResult): ZvtResult | undefined => {
  const last = results.at(-1);
  const differs = results.some(
    ({ code, amountMinor, receiptNumber }) =>
      code !== wrongPin &&
      (code !== last?.code || amountMinor !== last.amountMinor || receiptNumber !== last.receiptNumber),
  );
  if (differs) throw unclearFault(name, results.map(({ code }) => code).join(' '), 'its results contradict each other');
  return last;
};

const approvedPayment = (facts: ZvtCommandResult, result: ZvtResult): TerminalPayment => {
  const { name, requested, newestBefore } = facts;
  const payment = paymentOf(result, facts);
  if (payment === undefined) throw unclearFault(name, result.code, 'it does not say the amount');
  const isOther =
    requested !== undefined &&
    (payment.amount.minor !== requested.minor || payment.amount.currency !== requested.currency);
  if (isOther) throw unclearFault(name, result.code, 'it approved another amount');
  if (newestBefore !== undefined && payment.traceNumber === newestBefore) {
    throw unclearFault(name, result.code, 'it reported the previous payment');
  }
  return payment;
};

const paymentOf = (result: ZvtResult, { requested, asItWasMade }: ZvtCommandResult): TerminalPayment | undefined => {
  const { amountMinor, currency, receiptNumber, details, heardAt } = result;
  const minor = amountMinor ?? requested?.minor;
  if (minor === undefined) return undefined;
  const amount = { minor, currency: currency ?? requested?.currency ?? homeCurrency };
  const received = asItWasMade === true ? heardAt : undefined;
  return { amount, receiptNumber: receiptNumber ?? noReceiptNumber, ...details, heardAt: received };
};

// The receipts of one command, collected line by line within a bound and sorted by recipient.
//
// Text blocks name their receipt. Single lines do not: a line with the last-line mark ends a receipt, and then its
// words decide, or the order: the merchant's first.

/** Further lines in one command are dropped: two receipts have about a hundred. */
export const linesMax = 1_000;

type Receipt = { kind: ReceiptKind; lines: string[]; ended: boolean };

type SortedReceipts = {
  customerLines: string[];
  merchantLines: string[];
  allLines: string[];
  /** Everything printed concerns the terminal's own administration: an end of day. */
  administration: boolean;
};

export class Receipts {
  readonly #receipts: Receipt[] = [];
  #count = 0;
  #dropped = 0;

  add({ receipt: kind, lines, ends }: PrintLines): void {
    const last = this.#receipts.at(-1);
    const isNew = last === undefined || last.ended || last.kind !== kind;
    const receipt = isNew ? { kind, lines: [], ended: false } : last;
    const room = lines.slice(0, linesMax - this.#count);
    this.#count += room.length;
    this.#dropped += lines.length - room.length;
    // An empty last line only carries the mark, and there are never more receipts than lines.
    if (room.length > 0 && isNew) this.#receipts.push(receipt);
    receipt.lines.push(...room.map(starCardNumbersIn));
    receipt.ended = ends;
  }

  /** How many lines were dropped. */
  droppedCount(): number {
    return this.#dropped;
  }

  /** The lines by recipient. A single receipt without a named recipient is for both. */
  sortByReceipt(): SortedReceipts {
    const receipts = this.#receipts.map(({ kind, lines }) => ({
      kind: kind === 'unnamed' ? guessKind(lines) : kind,
      lines,
    }));
    const unnamed = receipts.filter(({ kind }) => kind === 'unnamed');
    const linesOf = (kind: ReceiptKind, index: number): string[] => {
      const own = receipts.filter((receipt) => receipt.kind === kind).flatMap(({ lines }) => lines);
      return trim(own.length > 0 ? own : ((unnamed.length === 1 ? unnamed[0] : unnamed[index])?.lines ?? []));
    };
    return {
      merchantLines: linesOf('merchant', 0),
      customerLines: linesOf('customer', 1),
      allLines: trim(receipts.flatMap(({ lines }) => lines)),
      administration: receipts.length > 0 && receipts.every(({ kind }) => kind === 'administration'),
    };
  }
}

const guessKind = (lines: readonly string[]): ReceiptKind => {
  const text = lines.join('\n');
  if (/kundenbeleg|customer|cardholder/i.test(text)) return 'customer';
  if (/h(ä|ae)ndlerbeleg|merchant/i.test(text)) return 'merchant';
  return /kassenschnitt|tagesabschluss|end of day/i.test(text) ? 'administration' : 'unnamed';
};

/** The lines without the empty ones at either end, which only feed paper. */
const trim = (lines: readonly string[]): string[] => {
  const first = lines.findIndex((line) => line !== '');
  const last = lines.findLastIndex((line) => line !== '');
  return first < 0 ? [] : lines.slice(first, last + 1);
};

/** Terminals mask the card numbers that they print. If one does not, they are removed here; other numbers stay. */
export const starCardNumbersIn = (line: string): string =>
  line.replace(/\d(?:[ -]?\d){12,18}/g, (run) => {
    const digits = run.replace(/\D/g, '');
    if (!/^[2-6]/.test(digits) || !luhnIsValid(digits)) return run;
    let at = 0;
    return run.replace(/\d/g, (digit) => {
      at += 1;
      return at <= 6 || at > digits.length - 4 ? digit : '*';
    });
  });
