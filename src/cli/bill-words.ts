/** What is said of a bill after each of its payments: what is paid, what is left, and the command that pays it. */
import { type Money, printAmount, printMoney } from '../base/money.ts';
import type { Bill } from '../ledger/bills.ts';
import type { Sale } from '../ledger/outcome.ts';

/** The command that pays what is left, named by a receipt of the bill. */
export const paysRest = (bill: Bill, { intent }: Sale): string =>
  `npm run till -- sell ${printAmount(bill.left)} --bill ${intent.receipt}`;

/** The lines after a payment of the bill. */
export const billLines = (bill: Bill, sale: Sale): string[] => [
  billState(bill),
  ...(bill.left.minor > 0n ? [restLine(bill, sale)] : []),
];

export const billState = ({ total, paid, unknown, left }: Bill): string =>
  left.minor === 0n && unknown.minor === 0n
    ? `The bill of ${printMoney(total)} is paid.`
    : `Of the bill of ${printMoney(total)}, ${printMoney(paid)} is paid${open(unknown)}; ${printMoney(left)} is left.`;

export const restLine = (bill: Bill, sale: Sale): string => `To take what is left: ${paysRest(bill, sale)}`;

const open = (unknown: Money): string => (unknown.minor === 0n ? '' : `, ${printMoney(unknown)} waits for its result`);

/** `pay` is absent when nothing is left to ask for. */
export const billJson = (bill: Bill, sale: Sale): Record<string, unknown> => ({
  id: bill.id,
  total: printAmount(bill.total),
  paid: printAmount(bill.paid),
  unknown: printAmount(bill.unknown),
  left: printAmount(bill.left),
  currency: bill.total.currency,
  receipts: bill.legs.map((leg) => ({
    receipt: leg.sale.intent.receipt,
    state: leg.state,
    amount: printAmount(leg.amount),
  })),
  ...(bill.left.minor > 0n && { pay: paysRest(bill, sale) }),
});
