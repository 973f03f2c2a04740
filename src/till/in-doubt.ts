/** Which sales may have charged a customer without anybody knowing: before the same again, somebody is asked. */
import type { Intent, Operation } from './machine/facts.ts';
import { operations, type PaymentType } from './machine/operations.ts';
import type { Sale } from './machine/sale.ts';

const charging: ReadonlySet<PaymentType> = new Set(['DB', 'PA', 'CP']);

/** Whether it takes money from the customer's card, or holds it there. */
export const isCharge = (operation: Operation): boolean => charging.has(operations[operation].paymentType);

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

/** Whether the customer would be charged twice, if this sale went through and what is wanted now did too. */
export const isAlike = ({ amount, operation }: Intent, wanted: Pick<Intent, 'amount' | 'operation'>): boolean =>
  amount.minor === wanted.amount.minor &&
  amount.currency === wanted.amount.currency &&
  isCharge(operation) &&
  isCharge(wanted.operation);
