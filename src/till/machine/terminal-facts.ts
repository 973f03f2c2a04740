/** What may be kept of a payment that the terminal authorised by itself. Its texts are untrusted and masked again. */
import type { IntegratedOutcome, TerminalPayment } from '../../../drivers/integrated-terminal.ts';
import { isAid, safeText, starCardNumbers, withoutCardData } from '../../emv/card-text.ts';
import { luhnIsValid } from '../../emv/luhn.ts';

/** The terminal's data, each text safe to print and to keep. */
export type TerminalPaymentFacts = Readonly<TerminalPayment>;

/** The lines that the terminal wants printed. */
export type Slip = { readonly customer: readonly string[]; readonly merchant: readonly string[] };

/** Distinguishes this payment from the one before it: marks are compared, never interpreted. */
export type Mark = { readonly text: string; readonly receiptNumber?: string };

/** For one sale: on which device, after which payment, and what the device then reported. */
export type AtTerminal = {
  readonly device: string;
  readonly before: Mark;
  /** How far its clock is ahead of the till's, ms, as an earlier payment showed. */
  readonly aheadMs?: number;
  /** The terminal accepted the request, made at this wall time, ms. */
  readonly askedAt?: number;
  /** The terminal's number for the automatic reversal of the payment. */
  readonly reversalNumber?: string;
  readonly payment?: TerminalPaymentFacts;
  readonly slip?: Slip;
};

const LINES_MOST = 150;
const LINE_MOST = 80;

/** Copies field by field, and each field only if it is valid. */
export const paymentFacts = (payment: TerminalPayment): TerminalPaymentFacts => {
  const { amount, entryMode, verification, maskedPan, aid, heardAt } = payment;
  const texts = Object.fromEntries(
    (['traceNumber', 'originalTrace', 'terminalId', 'authorisationCode', 'cardName', 'time'] as const).flatMap(
      (name) => {
        const text = payment[name];
        return text === undefined ? [] : [[name, safeText(text, 40)]];
      },
    ),
  );
  return {
    amount: { minor: amount.minor, currency: amount.currency },
    receiptNumber: safeText(payment.receiptNumber, 40),
    ...texts,
    entryMode,
    verification,
    maskedPan: maskedPan === undefined ? undefined : safeText(maskedPan, 24),
    aid: aid !== undefined && isAid(aid) ? aid : undefined,
    heardAt,
  };
};

/** Each line bounded, without control characters, and without card numbers, even across a line break. */
export const slipOf = (outcome: { customerLines: readonly string[]; merchantLines: readonly string[] }): Slip => ({
  customer: safeLines(outcome.customerLines),
  merchant: safeLines(outcome.merchantLines),
});

const safeLines = (lines: readonly string[]): string[] => {
  const bounded = lines.slice(0, LINES_MOST).map((line) =>
    line
      .slice(0, LINE_MOST)
      .replace(/\p{C}|\s/gu, ' ')
      .trimEnd(),
  );
  return maskDigits(bounded.map((line) => starCardNumbers(withoutCardData(line))).join('\n')).split('\n');
};

/** Groups of digits that continue after a line break. */
const ACROSS = /\d+(?:[ -]{0,2}\n? {0,2}\d+)+/g;

/** Two numbers in a column are not joined, unless whole groups of them together form a card number. */
const maskDigits = (text: string): string =>
  text.replace(ACROSS, (run) => {
    const groups = [...run.matchAll(/\d+/g)];
    const hidden = new Set(groups.flatMap((_, from) => cardFrom(run, groups.slice(from))));
    return run.replace(/\d+/g, (digits, at: number) => (hidden.has(at) ? '*'.repeat(digits.length) : digits));
  });

/** The places of the groups that, from the first one on, form a card number across a line break. */
const cardFrom = (run: string, groups: readonly RegExpExecArray[]): number[] => {
  let digits = '';
  for (const [count, group] of groups.entries()) {
    digits += group[0];
    if (digits.length > 19 || !/^[2-6]/.test(digits)) return [];
    const isAcross = run.slice(groups[0]?.index, group.index).includes('\n');
    if (digits.length >= 13 && isAcross && luhnIsValid(digits))
      return groups.slice(0, count + 1).map(({ index }) => index);
  }
  return [];
};

/** For a terminal that does not report its last payment, although it takes new ones: nothing can be proved by it. */
export const unknownMark: Mark = { text: 'untold' };

/** For a terminal that reports a payment before its last one: what it says about a lost one can be about another. */
export const staleMark: Mark = { text: 'behind' };

/** Why the terminal's report of its last payment proves nothing; undefined if it can prove something. */
export const unprovableReason = ({ text }: Mark): string | undefined => {
  if (text === unknownMark.text) return 'it did not tell its last payment before this one';
  return text === staleMark.text ? 'it tells the payment before its last one' : undefined;
};

/** The terminal's report of its last payment, as a mark to compare with. */
export const markOf = (last: IntegratedOutcome | { kind: 'none' }): Mark => {
  if (last.kind === 'none') return { text: 'none' };
  if (last.kind === 'notBegun') return { text: 'not begun' };
  if (last.payment === undefined) return { text: 'no payment' };
  const { receiptNumber, traceNumber = '', amount, time = '' } = paymentFacts(last.payment);
  const text = [last.kind, receiptNumber, traceNumber, `${amount.minor} ${amount.currency}`, time].join(' | ');
  return { text, receiptNumber };
};

// Whether a terminal reversed the right payment: amount, original trace number and card must match.

/** What the terminal reported about the payment when it was made. */
export type Original = { readonly traceNumber?: string; readonly maskedPan?: string };

/** How the reversal differs from its payment; undefined if they match. */
export const misfitOf = (original: Original, reported: TerminalPaymentFacts): string | undefined => {
  const traces = [original.traceNumber, reported.originalTrace] as const;
  const cards = [original.maskedPan, reported.maskedPan] as const;
  const mismatches = [traces, cards].filter(([payment]) => payment !== undefined);
  if (traces.every((one) => one !== undefined) && Number(traces[0]) !== Number(traces[1]))
    return `it took back the payment with trace number ${traces[1]}, not ${traces[0]}`;
  if (cards[0] !== undefined && cards[1] !== undefined && !isSameCard(cards[0], cards[1]))
    return `it took back a payment with card ${cards[1]}, not ${cards[0]}`;
  // Journals of older tills have no data about the payment here.
  if (mismatches.length === 0 || mismatches.some(([, reversal]) => reversal !== undefined)) return undefined;
  return 'it does not say which payment it took back';
};

/** Digit by digit, where both show them; the last four are always shown. */
const isSameCard = (one: string, other: string): boolean =>
  one.slice(-4) === other.slice(-4) &&
  (one.length !== other.length ||
    [...one].every((digit, i) => isHidden(digit) || isHidden(other[i]) || digit === other[i]));

const isHidden = (digit: string | undefined): boolean => digit === '*';
