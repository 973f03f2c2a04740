/** How a sale ended, for those who show it: the words, and the facts as JSON. */
import { printAmount, printMoney, subtract } from '../base/money.ts';
import type { HostAnswer, Operation } from '../till/facts.ts';
import { followsPayment } from '../till/operations.ts';
import { type ReasonRow, reasonWords } from '../till/reasons.ts';
import type { EndedSale, Ending } from '../till/sale.ts';
import type { PaymentFacts } from '../till/terminal-facts.ts';

export type { Progress } from '../till/running.ts';
export type { EndedSale as Ended, Ending, Sale } from '../till/sale.ts';

/** The words of an ending as things stand now: a reversal may be done, an offline sale may have been answered. */
export const wordsOf = (sale: EndedSale): ReasonRow => asSaid(sale, plainWordsOf(sale));

const plainWordsOf = (sale: EndedSale): ReasonRow => {
  const { reason, why, reversal, forwarded, ending, intent } = sale;
  const row = inWordsOf(intent.operation, reasonWords(reason, why));
  if (reversal === 'done' && sale.differs === undefined)
    return { ...row, money: `${notDone[intent.operation]} The approval was given back.` };
  if (ending === 'approved' && sale.answer?.approved !== undefined) return partWords(sale, row);
  if (reason === 'approvedOffline' && forwarded?.approved === true) return reasonWords('approved');
  if (ending === 'approved' && isSigned(sale)) {
    return { ...row, next: 'Have the customer sign the merchant copy, then hand over the receipt.' };
  }
  return row;
};

/** What a person said stays marked as that; what came later and does not fit it is not kept from anybody. */
const asSaid = ({ forced, differs, intent }: EndedSale, row: ReasonRow): ReasonRow => {
  const who = forced && (forced.who === undefined ? 'a person' : `${forced.who}, ${forced.role ?? 'unknown role'}`);
  const marked = who === undefined ? row : { ...row, says: `${row.says} (forced by ${who})` };
  if (differs === undefined) return marked;
  const next = `A manager has to look: npm run till -- resolve ${intent.receipt}`;
  return { ...marked, money: `${row.money} But: ${differs}.`, next, again: false };
};

/** Whether the customer signs for it. */
export const isSigned = ({ card, chip, terminal }: EndedSale): boolean =>
  (chip?.verification ?? card?.verification) === 'signature' || terminal?.payment?.verification === 'signature';

/** What it means for the money that the operation did not come about. */
const notDone: Readonly<Record<Operation, string>> = {
  sale: 'Not charged.',
  preauthorisation: 'Nothing is held on the card.',
  credit: 'Nothing was paid out.',
  refund: 'Nothing was given back.',
  void: 'Nothing was taken back: the sale stands.',
  increment: 'Nothing more is held.',
  completion: 'Not charged: the amount stays held.',
  release: 'The amount stays held.',
};

const ASKED_AGAIN = 'Unknown. It is asked for again, as it was, until it is answered.';

/** The words of the reasons are a sale's. */
const inWordsOf = (operation: Operation, row: ReasonRow): ReasonRow => {
  if (row.money === 'Not charged.') return { ...row, money: notDone[operation] };
  const asked = followsPayment({ operation }) && row.money.startsWith('Unknown. It is being asked');
  return asked ? { ...row, money: ASKED_AGAIN } : row;
};

/** The issuer approved less: what was charged, and that the rest is nobody's yet. */
const partWords = ({ intent, answer }: EndedSale, row: ReasonRow): ReasonRow => {
  const { amount, operation } = intent;
  const approved = answer?.approved ?? amount;
  const held = operation === 'preauthorisation' ? 'held' : 'charged';
  return {
    ...row,
    says: `Approved for a part: ${printMoney(approved)} of ${printMoney(amount)}`,
    money: `${printMoney(approved)} ${held}. ${printMoney(subtract(amount, approved))} is not paid.`,
    next: 'Take the rest otherwise, or take this back.',
  };
};

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
    ...(answer?.approved && { approvedAmount: printAmount(answer.approved) }),
    ...(intent.tip && { tip: printAmount(intent.tip) }),
    ...(intent.cashier !== undefined && { cashier: intent.cashier }),
    ...(intent.bill && { bill: { id: intent.bill.id, total: printAmount(intent.bill.total) } }),
    'pos.terminalId': intent.terminalId,
    'pos.transactionSequenceNumber': intent.sequence,
    ...(intent.follows && { followsReceipt: intent.follows.receipt }),
    ...(intent.follows && intent.operation === 'refund' && { refundsReceipt: intent.follows.receipt }),
    ...(card && { card: { ...card, ...chip } }),
    ...(intent.giftCard && { giftCard: intent.giftCard }),
    ...(answer && { answer: answerJson(answer) }),
    ...(intent.by === 'terminal' && { authorisedBy: 'terminal' }),
    ...(terminal && { terminal: { device: terminal.device, ...paymentJson(terminal.payment) } }),
    ...(sale.forPerson && { forPerson: true }),
    ...(sale.forced && { forced: sale.forced }),
    ...(sale.differs !== undefined && { differs: sale.differs }),
    ...(offline && { offline, forwarded: forwarded?.approved ?? 'waiting' }),
    ...(reversal && { reversal }),
  };
};

/** Amounts as the host API writes them. */
const answerJson = ({ approved, balance, ...texts }: HostAnswer): Record<string, unknown> => ({
  ...texts,
  ...(approved && { approved: printAmount(approved) }),
  ...(balance && { balance: printAmount(balance), balanceCurrency: balance.currency }),
});

const paymentJson = (payment: PaymentFacts | undefined): Record<string, unknown> => {
  if (payment === undefined) return {};
  const { amount, ...told } = payment;
  return { amount: printAmount(amount), currency: amount.currency, ...told };
};
