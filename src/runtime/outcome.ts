/** How a sale ended, for those who show it: the words, and the facts as JSON. */
import { printAmount } from '../base/money.ts';
import { type ReasonRow, reasonWords } from '../till/reasons.ts';
import type { EndedSale, Ending } from '../till/sale.ts';

export type { Progress } from '../till/running.ts';
export type { EndedSale as Ended, Ending, Sale } from '../till/sale.ts';

export const wordsOf = ({ reason, why }: EndedSale): ReasonRow => reasonWords(reason, why);

/** Everything a script needs of a finished sale. Names are those of the host API where it has one. */
export const outcomeJson = (sale: EndedSale): Record<string, unknown> => {
  const { intent, card, answer, chip, ending, reason, offline, reversal, forwarded } = sale;
  return {
    ending: ending satisfies Ending,
    reason,
    ...wordsOf(sale),
    operation: intent.operation,
    receipt: intent.receipt,
    merchantTransactionId: intent.sale,
    amount: printAmount(intent.amount),
    currency: intent.amount.currency,
    'pos.terminalId': intent.terminalId,
    'pos.transactionSequenceNumber': intent.sequence,
    ...(intent.refunds && { refundsReceipt: intent.refunds.receipt }),
    ...(card && { card: { ...card, ...chip } }),
    ...(answer && { answer }),
    ...(offline && { offline, forwarded: forwarded?.approved ?? 'waiting' }),
    ...(reversal && { reversal }),
  };
};
