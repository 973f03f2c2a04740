/** A tip after a pre-authorisation: the same at the command line, at the screens and for programs at the counter. */
import { add, compare, type Money, subtract } from '../base/money.ts';
import { holdOfSale } from '../ledger/bills.ts';
import type { Sale } from '../till/machine/sale.ts';

export type TipSteps = {
  /** What is charged beside the tip; left out where the till refuses it anyhow. */
  readonly amount?: Money;
  /** What has to be held first, beyond what is held. */
  readonly missing?: Money;
};

/**
 * How a tip on this pre-authorisation is charged. `amount` is what the bill is; without it, what was pre-authorised.
 * `raised`: the pre-authorisation was raised since by something else, and nobody said what the bill is.
 */
export const tipSteps = (
  books: Parameters<typeof holdOfSale>[0],
  sale: Sale,
  { tip, amount }: { tip: Money; amount?: Money | undefined },
): TipSteps | 'raised' => {
  if (sale.intent.operation !== 'preauthorisation') return amount === undefined ? {} : { amount };
  const { approved, held, left, completed, state } = holdOfSale(books, sale);
  const bill = amount ?? approved;
  // What cannot be completed any more is refused by name when that is tried, and nothing is held for it before.
  if (state !== 'open' || completed.minor > 0n) return { amount: bill };
  const raised = subtract(held, approved);
  // An increment of just the tip may be from a try before that went no further: it is not made again.
  if (amount === undefined && raised.minor !== 0n && compare(raised, tip) !== 0) return 'raised';
  const wanted = add(bill, tip);
  return compare(wanted, left) > 0 ? { amount: bill, missing: subtract(wanted, left) } : { amount: bill };
};
