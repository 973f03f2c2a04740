/** Which sales may have moved a customer's money without anybody knowing: before the same again, somebody is asked. */
import type { Intent, Operation } from './facts.ts';
import { operations, type PaymentType } from './operations.ts';
import type { Sale } from './sale.ts';

/** Which way money goes: `charge` from the customer's card, `payout` to it. A hold counts as a charge. */
export type Direction = 'charge' | 'payout';

const directions: Readonly<Record<PaymentType, Direction>> = {
  DB: 'charge',
  PA: 'charge',
  CP: 'charge',
  CD: 'payout',
  RF: 'payout',
  RV: 'payout',
};

/** Undefined for a release: it moves no money. */
export const directionOf = (operation: Operation): Direction | undefined =>
  operation === 'release' ? undefined : directions[operations[operation].paymentType];

/** States before any request for money: what stops here has charged nobody. */
const uncharged: ReadonlySet<Sale['at']> = new Set(['awaitingAmount', 'presenting', 'noting']);

/**
 * Whether money may have moved by it and its ending is not known. A sale that runs as it should will end by itself; one
 * that was cancelled, or is being asked about, is in doubt until it has ended. So is one that runs on a person's word
 * that the customer is another one: that word is good for one sale.
 */
export const isInDoubt = (sale: Sale, isRunning: boolean): boolean => {
  if (sale.at === 'ended') return sale.ending === 'unknown';
  if (!isRunning) return !uncharged.has(sale.at);
  if (sale.intent.again !== undefined) return true;
  switch (sale.at) {
    case 'asking':
      return true;
    case 'authorising':
      return sale.cancelled || sale.tries > 1;
    case 'paying':
      return sale.cancelled;
    default:
      return false;
  }
};

/** Whether this sale, if it went through, would do to the customer what is wanted now. */
export const isAlike = ({ amount, operation }: Intent, wanted: Pick<Intent, 'amount' | 'operation'>): boolean =>
  amount.minor === wanted.amount.minor &&
  amount.currency === wanted.amount.currency &&
  directionOf(operation) === directionOf(wanted.operation);
