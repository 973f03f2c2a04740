/**
 * What a terminal's report of its last payment says about the payment in question, for which it received the amount.
 */
import type { IntegratedOutcome } from '../../../drivers/integrated-terminal.ts';
import { type Money, printMoney } from '../../base/money.ts';
import { safeText } from '../../emv/card-text.ts';
import type { SaleEvent } from '../machine/events.ts';
import type { Intent } from '../machine/facts.ts';
import {
  type AtTerminal,
  type Mark,
  markOf,
  paymentFacts,
  slipOf,
  unprovableReason,
} from '../machine/terminal-facts.ts';
import { deviceTime, isBefore, numberAfter } from './device-numbers.ts';

/** The outcome of `pay`, `refund` or `reverse`, as an event. */
export const eventOfOutcome = (outcome: IntegratedOutcome): SaleEvent => {
  if (outcome.kind === 'approved')
    return { on: 'terminalApproved', payment: paymentFacts(outcome.payment), slip: slipOf(outcome) };
  const words = { code: safeText(outcome.code, 8), why: safeText(outcome.why, 100) };
  if (outcome.kind === 'notBegun') return { on: 'terminalNotBegun', ...words };
  const payment = outcome.payment && { payment: paymentFacts(outcome.payment) };
  const already = outcome.already && { already: true as const };
  return { on: 'terminalDeclined', ...words, ...already, ...payment, slip: slipOf(outcome) };
};

/**
 * The answer to `last`, on a terminal that was opened again, for a sale that began at `at`. Another payment is never
 * taken for this one: it counts only if the terminal had accepted the request, its number follows the last one noted,
 * the amount is the same, and by the terminal's clock it was not made before the request.
 */
export const eventOfLast = (
  last: IntegratedOutcome | { kind: 'none' },
  at: AtTerminal,
  { amount }: Pick<Intent, 'amount'>,
): SaleEvent => {
  const { before } = at;
  const reason = unprovableReason(before);
  if (reason !== undefined) return unclearEvent(reason);
  const mark = markOf(last);
  if (mark.text === before.text) return { on: 'terminalUnchanged' };
  if (last.kind === 'none') return unclearEvent('it no longer knows the payments before it');
  if (last.kind === 'notBegun' || last.payment === undefined)
    return unclearEvent('it does not say which payment was its last');
  const payment = last.payment;
  if (payment.amount.minor !== amount.minor || payment.amount.currency !== amount.currency)
    return unclearEvent(`its last payment is of ${printMoney(payment.amount)}`);
  const doubt = doubtAbout({ mark, time: payment.time, amount }, at);
  return doubt === undefined ? eventOfOutcome(last) : { ...unclearEvent(doubt), alike: true };
};

/**
 * The last payment is still the earlier one: checks that against the terminal's turnover. A terminal that files its
 * receipts late has booked the payment but reports the earlier one. A declined payment may be missing from the
 * turnover. If a terminal accepted the request and reports no turnover, the outcome is unknown.
 */
export const eventOfNewest = (
  newest: string | undefined,
  { before, askedAt }: AtTerminal,
  { isDeclined }: { isDeclined: boolean },
): SaleEvent => {
  const number = before.receiptNumber;
  if (newest === undefined)
    return askedAt === undefined
      ? { on: 'terminalUnchanged' }
      : unclearEvent('it tells the payment before, and no totals that could confirm it');
  // If its day was closed since, what was paid before that is unknown.
  if (newest === 'none') return unclearEvent(`it tells receipt number ${number} as its last, and its totals are empty`);
  const fits = newest === number || (isDeclined && numberAfter(newest) === number);
  if (fits) return { on: 'terminalUnchanged' };
  const reason = `it tells receipt number ${number} as its last, and its totals go to ${safeText(newest, 12)}`;
  return { ...unclearEvent(reason), alike: true };
};

type ReportedPayment = { mark: Mark; time: string | undefined; amount: Money };

/** Why a payment of this amount is not proved to be the requested one. */
const doubtAbout = ({ mark, time }: ReportedPayment, { before, askedAt, aheadMs }: AtTerminal): string | undefined => {
  if (askedAt === undefined) return 'it had not taken this payment when the line was lost';
  const number = mark.receiptNumber;
  if (before.receiptNumber === undefined) return `nobody knows which number was its last before ${number}`;
  if (number === before.receiptNumber) return `its receipt number is still ${number}`;
  if (number !== numberAfter(before.receiptNumber))
    return `its receipt number is ${number}, not the one after ${before.receiptNumber}`;
  if (aheadMs === undefined) return 'nobody knows yet how its clock goes';
  const madeAtMs = time === undefined ? undefined : deviceTime(time, askedAt + aheadMs);
  if (time === undefined || madeAtMs === undefined) return 'it does not say when its last payment was made';
  return isBefore(madeAtMs, { askedAt, aheadMs })
    ? `its last payment was made before, at ${safeText(time, 24)}`
    : undefined;
};

export const unclearEvent = (why: string): Extract<SaleEvent, { on: 'terminalUnclear' }> => ({
  on: 'terminalUnclear',
  why,
});
