/** What a terminal's word on its last payment says of the one in question, which it was told the amount of. */
import type { IntegratedOutcome } from '../../drivers/integrated-terminal.ts';
import { printable } from '../base/mask.ts';
import { printMoney } from '../base/money.ts';
import type { SaleEvent } from './events.ts';
import type { Intent } from './facts.ts';
import { type Mark, markOf, paymentFacts, slipOf, untold } from './terminal-facts.ts';

/** The outcome of `pay`, `refund` or `reverse`, as it came. */
export const eventOfOutcome = (outcome: IntegratedOutcome): SaleEvent => {
  if (outcome.kind === 'approved')
    return { on: 'terminalApproved', payment: paymentFacts(outcome.payment), slip: slipOf(outcome) };
  const words = { code: printable(outcome.code, 8), why: printable(outcome.why, 100) };
  if (outcome.kind === 'notBegun') return { on: 'terminalNotBegun', ...words };
  const payment = outcome.payment && { payment: paymentFacts(outcome.payment) };
  const already = outcome.already && { already: true as const };
  return { on: 'terminalDeclined', ...words, ...already, ...payment, slip: slipOf(outcome) };
};

/**
 * The answer to `last`, asked on a terminal that was opened anew. `before` is what it answered before the payment.
 * An old payment is never taken for this one: it counts as this one only if it differs from the one before, under
 * another number, and is of this amount.
 */
export const eventOfLast = (
  last: IntegratedOutcome | { kind: 'none' },
  before: Mark,
  { amount }: Pick<Intent, 'amount'>,
): SaleEvent => {
  // Whether that is this one only who asks at once can tell: the machine decides.
  if (last.kind === 'notBegun' || (last.kind === 'declined' && last.payment === undefined)) return eventOfOutcome(last);
  if (before.text === untold.text) return unclear('it did not tell its last payment before this one');
  const mark = markOf(last);
  if (mark.text === before.text) return { on: 'terminalUnchanged' };
  if (last.kind === 'none' || last.payment === undefined) return unclear('it no longer knows the payments before it');
  if (mark.receiptNumber === before.receiptNumber) return unclear(`its receipt number is still ${mark.receiptNumber}`);
  const told = last.payment.amount;
  if (told.minor !== amount.minor || told.currency !== amount.currency)
    return unclear(`its last payment is of ${printMoney(told)}`);
  return eventOfOutcome(last);
};

const unclear = (why: string): SaleEvent => ({ on: 'terminalUnclear', why });
