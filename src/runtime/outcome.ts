/** How a sale ended, for those who show it: the words, and the facts as JSON. */
import { printAmount } from '../base/money.ts';
import type { Operation } from '../till/facts.ts';
import { type ReasonRow, reasonWords } from '../till/reasons.ts';
import type { EndedSale, Ending } from '../till/sale.ts';
import type { PaymentFacts } from '../till/terminal-facts.ts';

export type { Progress } from '../till/running.ts';
export type { EndedSale as Ended, Ending, Sale } from '../till/sale.ts';

/** The words of an ending as things stand now: a reversal may be done, an offline sale may have been answered. */
export const wordsOf = (sale: EndedSale): ReasonRow => {
  const { reason, why, reversal, forwarded, ending, intent } = sale;
  const row = ofRefund(reasonWords(reason, why), intent.operation);
  if (reversal === 'done') return { ...row, money: 'Not charged: the approval was given back.' };
  if (reason === 'approvedOffline' && forwarded?.approved === true) return reasonWords('approved');
  if (ending === 'approved' && isSigned(sale)) {
    return { ...row, next: 'Have the customer sign the merchant copy, then hand over the receipt.' };
  }
  return row;
};

/** Whether the customer signs for it. */
export const isSigned = ({ card, chip, terminal }: EndedSale): boolean =>
  (chip?.verification ?? card?.verification) === 'signature' || terminal?.payment?.verification === 'signature';

/** The words are a sale's. */
const ofRefund = (row: ReasonRow, operation: Operation): ReasonRow =>
  operation === 'refund' && row.money === 'Not charged.' ? { ...row, money: 'Nothing was given back.' } : row;

/** Everything a script needs of a finished sale. Names are those of the host API where it has one. */
export const outcomeJson = (sale: EndedSale): Record<string, unknown> => {
  const { intent, card, answer, chip, terminal, ending, reason, offline, reversal, forwarded } = sale;
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
    ...(intent.follows && { refundsReceipt: intent.follows.receipt }),
    ...(card && { card: { ...card, ...chip } }),
    ...(answer && { answer }),
    ...(intent.by === 'terminal' && { authorisedBy: 'terminal' }),
    ...(terminal && { terminal: { device: terminal.device, ...paymentJson(terminal.payment) } }),
    ...(sale.forPerson && { forPerson: true }),
    ...(offline && { offline, forwarded: forwarded?.approved ?? 'waiting' }),
    ...(reversal && { reversal }),
  };
};

const paymentJson = (payment: PaymentFacts | undefined): Record<string, unknown> => {
  if (payment === undefined) return {};
  const { amount, ...told } = payment;
  return { amount: printAmount(amount), currency: amount.currency, ...told };
};
