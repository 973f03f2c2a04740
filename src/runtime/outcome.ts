/** How a sale ended, for those who show it: the words, and the facts as JSON. */
import { printAmount } from '../base/money.ts';
import { type ReasonRow, reasonWords } from '../till/reasons.ts';
import type { EndedSale, Ending } from '../till/sale.ts';

export type { Progress } from '../till/running.ts';
export type { EndedSale as Ended, Ending, Sale } from '../till/sale.ts';

/** The words of an ending as things stand now: a reversal may be done, an offline sale may have been answered. */
export const wordsOf = ({ reason, why, reversal, forwarded, ending, card }: EndedSale): ReasonRow => {
  const row = reasonWords(reason, why);
  if (reversal === 'done') return { ...row, money: 'Not charged: the bank’s approval was given back.' };
  if (reason === 'approvedOffline' && forwarded?.approved === true) return reasonWords('approved');
  if (ending === 'approved' && card?.verification === 'signature') {
    return { ...row, next: 'Have the customer sign the merchant copy, then hand over the receipt.' };
  }
  return row;
};

/** Everything a script needs of a finished sale. Names are those of the host API where it has one. */
export const outcomeJson = (sale: EndedSale): Record<string, unknown> => {
  const { intent, card, answer, chip, ending, reason, offline, reversal, forwarded } = sale;
  const words = wordsOf(sale);
  return {
    ending: ending satisfies Ending,
    reason,
    says: words.says,
    money: words.money,
    next: words.next,
    again: words.again,
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
