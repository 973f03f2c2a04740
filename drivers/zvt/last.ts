/**
 * The terminal's last payment, from its repeated receipt (0620). Only an answer that says its amount and its receipt
 * number is about a payment at all; without both nobody could tell which one.
 */
import { Fault } from '../../src/base/fault.ts';
import type { IntegratedOutcome, LastAbout } from '../integrated-terminal.ts';
import { type Facts, outcomeOf } from './outcome.ts';

/** Codes by which a terminal says that it has nothing to repeat (assumed, see README). */
const nothingToRepeat: ReadonlySet<string> = new Set(['83']);

export const lastOf = (facts: Facts, about: LastAbout | undefined): IntegratedOutcome | { kind: 'none' } => {
  const { end, results, receipts, name } = facts;
  if (results.length === 0 && end.kind !== 'completed' && nothingToRepeat.has(end.code)) return { kind: 'none' };
  if (end.kind !== 'completed') {
    throw new Fault('terminal.unclear', {
      command: name,
      status: end.code,
      why: 'it does not repeat its last payment',
    });
  }
  const result = results.at(-1);
  // What it did last was to close its day: no payment was made since.
  const closed = receipts.administration && result?.receiptNumber === undefined && result?.told.maskedPan === undefined;
  if (closed) return { kind: 'none' };
  if (result?.amountMinor === undefined || result.receiptNumber === undefined) {
    throw new Fault('terminal.unclear', {
      command: name,
      status: '-',
      why: 'it does not say which payment it repeats',
    });
  }
  const outcome = outcomeOf(facts);
  const payment = outcome.kind === 'notBegun' ? undefined : outcome.payment;
  if (about === undefined) return outcome;
  // The last payment is another one than the one in doubt, so that one was never made.
  const isOther =
    payment === undefined ||
    payment.amount.minor !== about.amount.minor ||
    payment.amount.currency !== about.amount.currency ||
    payment.receiptNumber === about.after;
  return isOther ? { kind: 'none' } : outcome;
};
