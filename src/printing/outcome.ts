/** A finished sale as the commands print it: what is known of it, its bill as it stands now, and its papers. */

import type { BillFacts, FinishedSale, ReceiptAsk } from '../api/contract/paper.ts';
import type { DisplayMode } from '../base/mode.ts';
import { printAmount } from '../base/money.ts';
import { type Bill, billOfSale, receiptContextOf } from '../ledger/bills.ts';
import { isSigned, outcomeJson } from '../ledger/outcome.ts';
import type { EndedSale } from '../till/machine/sale.ts';
import { usualColumns } from './paper-forms.ts';
import type { ReceiptTill } from './port.ts';
import { receiptLines } from './receipts.ts';

type OutcomeParts = { running: ReceiptTill; mode: DisplayMode };

/** `ask`: returns only the lines of this paper, instead of those of every paper that is handed out. */
export const outcomeOf = (
  { running, mode }: OutcomeParts,
  sale: EndedSale,
  ask?: Omit<ReceiptAsk, 'language'>,
): FinishedSale => {
  const bill = billOfSale(running, sale);
  const about = receiptContextOf(running, sale);
  const copies = ask === undefined ? copiesOf(sale).map((copy) => ({ copy, width: 80 }) as const) : [ask];
  return {
    ...outcomeJson(sale, mode),
    bill: bill && billFacts(bill),
    receiptText: Object.fromEntries(
      copies.map(({ copy, width, duplicate }: ReceiptAsk) => {
        const look = { mode, copy, width: usualColumns(width), duplicate: duplicate || undefined, about } as const;
        return [copy, receiptLines(sale, running.config, look)];
      }),
    ),
  };
};

/** A sale without a card has no receipt. A terminal that authorises itself keeps the merchant's records. */
const copiesOf = (sale: EndedSale): readonly ('merchant' | 'customer')[] => {
  const { card, terminal, intent } = sale;
  const hasPaper = card !== undefined || intent.follows !== undefined || intent.giftCard !== undefined;
  if (intent.by !== 'terminal') return hasPaper ? ['merchant', 'customer'] : [];
  if (terminal?.payment === undefined && !terminal?.slip?.customer.some((line) => line !== '')) return [];
  return sale.ending === 'approved' && isSigned(sale) ? ['merchant', 'customer'] : ['customer'];
};

const billFacts = ({ id, total, paid, unknown, left, legs }: Bill): BillFacts => ({
  id,
  total: printAmount(total),
  paid: printAmount(paid),
  unknown: printAmount(unknown),
  left: printAmount(left),
  currency: total.currency,
  receipts: legs.map(({ sale, state, amount }) => ({
    receipt: sale.intent.receipt,
    state,
    amount: printAmount(amount),
  })),
});
