/** An open pre-authorisation: what is held, what of it was charged, and how long the bank keeps it. Pure. */
import { add, compare, type Money, money, subtract } from '../base/money.ts';
import type { Sale } from './machine/states.ts';
import type { PaymentWithFollowers } from './payment.ts';
import { chargedOn, mayHaveGone } from './refund.ts';

export type Hold = {
  readonly sale: Sale;
  /** What was held at first. */
  readonly approved: Money;
  /** The pre-authorisation and its increments. */
  readonly held: Money;
  readonly completed: Money;
  /** Held, and neither charged nor released. What may have been charged or released counts as such. */
  readonly left: Money;
  /** `unknown`: a step of it has no known ending. `none`: nothing was ever held. */
  readonly state: 'open' | 'completed' | 'released' | 'unknown' | 'none';
  /** When the bank lets go of it by itself, ms. */
  readonly until: number;
};

const DAY_MS = 24 * 60 * 60 * 1_000;

/** `days`: how long banks keep an amount for this store. */
export const holdOf = ({ sale, followers }: PaymentWithFollowers, days: number): Hold => {
  const nothing = money(0n, sale.intent.amount.currency);
  const sum = (operation: Sale['intent']['operation'], counts: (each: Sale) => boolean): Money =>
    followers
      .filter((each) => each.intent.operation === operation && counts(each))
      .reduce((all, each) => add(all, chargedOn(each)), nothing);
  const isHeld = isApproved(sale) && sale.intent.operation === 'preauthorisation';
  const approved = isHeld ? chargedOn(sale) : nothing;
  const held = add(approved, sum('increment', isApproved));
  const completed = sum('completion', isApproved);
  const isGone = followers.some((each) => endsHold(each.intent) && mayHaveGone(each));
  const rest = subtract(held, sum('completion', mayHaveGone));
  const left = isGone || compare(rest, nothing) < 0 ? nothing : rest;
  const until = sale.intent.at + days * DAY_MS;
  return {
    sale,
    approved,
    held,
    completed,
    left,
    state: stateOf({ sale, followers }, { completed, isGone, left }),
    until,
  };
};

const endsHold = ({ operation, final }: Sale['intent']): boolean =>
  operation === 'release' || operation === 'void' || final === true;

type Sums = { completed: Money; isGone: boolean; left: Money };

const stateOf = ({ sale, followers }: PaymentWithFollowers, { completed, isGone, left }: Sums): Hold['state'] => {
  if (!mayHaveGone(sale)) return 'none';
  if ([sale, ...followers].some((each) => mayHaveGone(each) && !isApproved(each))) return 'unknown';
  if (left.minor > 0n) return 'open';
  return isGone && completed.minor === 0n ? 'released' : 'completed';
};

const isApproved = (sale: Sale): boolean => sale.at === 'ended' && sale.ending === 'approved';
