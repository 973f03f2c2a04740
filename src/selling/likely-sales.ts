/**
 * "Was this customer just charged?" is asked before money moves, for screens, programs and commands alike. It is
 * answered from the journal alone, so it works without a gateway.
 */
import type { SaleRow } from '../api/contract/sales.ts';
import { SalesFault } from '../base/fault.ts';
import { type Money, printMoney } from '../base/money.ts';
import { rowOf, type SaleRowParts } from '../books/sale-rows.ts';
import { tellOpen } from '../locales/messages/en/sales.ts';
import { withTip } from '../till/intend.ts';
import type { Intent, Operation } from '../till/machine/facts.ts';
import { operations, type PaymentType } from '../till/machine/operations.ts';
import type { Sale } from '../till/machine/sale.ts';

/** The tip is on top of the amount. `follows`: the receipt of the payment that it follows. */
export type WantedSale = { operation: Operation; amount: Money; tip?: Money | undefined; follows?: number };

/** The amount including the tip. */
const wholeOf = ({ amount, tip }: WantedSale): Money => withTip(amount, tip).amount;

/** Whether the till is running this sale now. A command runs one sale at a time. */
export type IsRunning = (sale: string) => boolean;
const neverRunning: IsRunning = () => false;

/** Sales of the same amount that may have been charged, newest first. */
export const likelySales = ({ ledger, journal }: SaleRowParts, request: WantedSale, isRunning = neverRunning): Sale[] =>
  journal.sql
    .all(
      // Starts from the open sales, which are few: a shop may have sold one amount a hundred thousand times.
      `SELECT o.sale FROM sale o CROSS JOIN sale_search s ON s.sale = o.sale WHERE o.open = 1 AND s.minor = ?
       ORDER BY o.receipt DESC`,
      wholeOf(request).minor.toString(),
    )
    .flatMap(({ sale: id }): Sale[] => {
      const sale = ledger.sale(String(id));
      const whole = { ...request, amount: wholeOf(request) };
      if (sale === undefined || !isAlike(sale.intent, whole) || !isOfSamePayment(sale, request)) return [];
      return isInDoubt(sale, isRunning(String(id))) ? [sale] : [];
    });

/** The card charged by a follow-up is known, so only follow-ups of the same payment can be the same charge. */
const isOfSamePayment = ({ intent }: Sale, { follows }: WantedSale): boolean =>
  follows === undefined || intent.follows?.receipt === follows;

/** The sales as rows for whoever must answer. A sale without an ending says so. */
export const likelyRows = (parts: SaleRowParts, sales: readonly Sale[]): SaleRow[] =>
  sales.map((sale) => {
    const message = tellOpen('noEnding');
    return { says: message.says, told: message, ...rowOf(parts, sale) };
  });

type DuplicateAnswer = {
  /** Receipts of the sales that a person was asked about and said belong to another customer. */
  confirmed?: readonly number[] | undefined;
  isRunning?: IsRunning;
};

/**
 * Returns the receipts that the person was asked about, for the intent. Throws `sale.likely` with the sales as rows
 * unless the answer names each of them.
 */
export const refuseLikely = (
  parts: SaleRowParts,
  request: WantedSale,
  { confirmed = [], isRunning }: DuplicateAnswer,
): number[] => {
  const sales = likelySales(parts, request, isRunning);
  const receipts = sales.map(({ intent }) => intent.receipt);
  if (receipts.every((receipt) => confirmed.includes(receipt))) return receipts;
  const facts = { amount: printMoney(wholeOf(request)), receipts: receipts.join(', ') };
  throw new SalesFault('sale.likely', facts, likelyRows(parts, sales));
};

// Decides which sales may have charged a customer without anybody knowing: a person is asked before the same is charged
// again.

const charging: ReadonlySet<PaymentType> = new Set(['DB', 'PA', 'CP']);

/** Whether it takes money from the customer's card, or holds it there. */
export const isCharge = (operation: Operation): boolean => charging.has(operations[operation].paymentType);

/** The states before any request for money: a sale that stops here has charged nobody. */
const uncharged: ReadonlySet<Sale['at']> = new Set(['awaitingAmount', 'presenting', 'noting']);

/**
 * Whether the sale may have moved money and its ending is unknown. A sale running normally will end by itself. A
 * cancelled sale, or one being inquired about, is in doubt until it ends. So is a sale that runs because a person said
 * that the customer is a different one: that answer is good for one sale only.
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

/** Whether the customer would be charged twice if both this sale and the requested one succeeded. */
export const isAlike = ({ amount, operation }: Intent, intended: Pick<Intent, 'amount' | 'operation'>): boolean =>
  amount.minor === intended.amount.minor &&
  amount.currency === intended.amount.currency &&
  isCharge(operation) &&
  isCharge(intended.operation);
