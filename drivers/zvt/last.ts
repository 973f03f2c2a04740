/**
 * The terminal's last payment, from its repeated receipt (0620). Only an answer that says its amount and its receipt
 * number is about a payment at all; without both nobody could tell which one.
 */
import { Fault } from '../../src/base/fault.ts';
import type { IntegratedOutcome } from '../integrated-terminal.ts';
import { type Facts, outcomeOf } from './outcome.ts';

/** Codes by which a terminal says that it has nothing to repeat (assumed, see README). */
const nothingToRepeat: ReadonlySet<string> = new Set(['83']);

export const lastOf = (facts: Facts): IntegratedOutcome | { kind: 'none' } => {
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
  return outcomeOf(facts);
};
