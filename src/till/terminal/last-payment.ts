/** What a terminal's word on its last payment says of the one in question, which it was told the amount of. */
import type { IntegratedOutcome } from '../../../drivers/integrated-terminal.ts';
import { type Money, printMoney } from '../../base/money.ts';
import { safeText } from '../../emv/card-text.ts';
import type { SaleEvent } from '../machine/events.ts';
import type { Intent } from '../machine/facts.ts';
import { type AtTerminal, type Mark, markOf, paymentFacts, slipOf, unprovable } from '../machine/terminal-facts.ts';
import { deviceTime, isBefore, numberAfter } from './device-numbers.ts';

/** The outcome of `pay`, `refund` or `reverse`, as it came. */
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
 * The answer to `last`, asked on a terminal that was opened anew, for a sale that began at `at`. Another payment is
 * never taken for this one: it counts only if the terminal had taken the request, its number is the one after the last
 * that was noted, it is of this amount, and was not made before the request by the terminal's clock.
 */
export const eventOfLast = (
  last: IntegratedOutcome | { kind: 'none' },
  at: AtTerminal,
  { amount }: Pick<Intent, 'amount'>,
): SaleEvent => {
  const { before } = at;
  const why = unprovable(before);
  if (why !== undefined) return unclear(why);
  const mark = markOf(last);
  if (mark.text === before.text) return { on: 'terminalUnchanged' };
  if (last.kind === 'none') return unclear('it no longer knows the payments before it');
  if (last.kind === 'notBegun' || last.payment === undefined)
    return unclear('it does not say which payment was its last');
  const told = last.payment;
  if (told.amount.minor !== amount.minor || told.amount.currency !== amount.currency)
    return unclear(`its last payment is of ${printMoney(told.amount)}`);
  const doubt = doubtAbout({ mark, time: told.time, amount }, at);
  return doubt === undefined ? eventOfOutcome(last) : { ...unclear(doubt), alike: true };
};

/**
 * The last payment is still the one from before: what the turnover of the terminal says to that. A terminal that files
 * its receipts late has booked the payment and tells the one before. A declined one may be in no turnover. Of one that
 * tells no turnover, and had taken the request, nobody knows.
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
      : unclear('it tells the payment before, and no totals that could confirm it');
  // Where its day was closed since, nobody knows what was paid before that.
  if (newest === 'none') return unclear(`it tells receipt number ${number} as its last, and its totals are empty`);
  const fits = newest === number || (isDeclined && numberAfter(newest) === number);
  if (fits) return { on: 'terminalUnchanged' };
  const why = `it tells receipt number ${number} as its last, and its totals go to ${safeText(newest, 12)}`;
  return { ...unclear(why), alike: true };
};

type ReportedPayment = { mark: Mark; time: string | undefined; amount: Money };

/** Why a payment of this amount is not proved to be the one that was asked for. */
const doubtAbout = ({ mark, time }: ReportedPayment, { before, askedAt, aheadMs }: AtTerminal): string | undefined => {
  if (askedAt === undefined) return 'it had not taken this payment when the line was lost';
  const number = mark.receiptNumber;
  if (before.receiptNumber === undefined) return `nobody knows which number was its last before ${number}`;
  if (number === before.receiptNumber) return `its receipt number is still ${number}`;
  if (number !== numberAfter(before.receiptNumber))
    return `its receipt number is ${number}, not the one after ${before.receiptNumber}`;
  if (aheadMs === undefined) return 'nobody knows yet how its clock goes';
  const made = time === undefined ? undefined : deviceTime(time, askedAt + aheadMs);
  if (time === undefined || made === undefined) return 'it does not say when its last payment was made';
  return isBefore(made, { askedAt, aheadMs })
    ? `its last payment was made before, at ${safeText(time, 24)}`
    : undefined;
};

export const unclear = (why: string): Extract<SaleEvent, { on: 'terminalUnclear' }> => ({ on: 'terminalUnclear', why });
