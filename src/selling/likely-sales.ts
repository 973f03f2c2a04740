/**
 * "Was this customer just charged?" is asked before money moves: by screens, programs and commands alike, and from the
 * journal alone, so that it is asked without a gateway too.
 */
import type { SaleRow } from '../api/ports/selling.ts';
import { SalesFault } from '../base/fault.ts';
import { type Money, printMoney } from '../base/money.ts';
import { rowOf, type SaleRowParts } from '../books/sale-rows.ts';
import { tellOpen } from '../locales/messages/en/sales.ts';
import { withTip } from '../till/intend.ts';
import type { Intent, Operation } from '../till/machine/facts.ts';
import { operations, type PaymentType } from '../till/machine/operations.ts';
import type { Sale } from '../till/machine/sale.ts';

/** The tip comes to the amount. `follows`: the receipt of the payment that it follows. */
export type WantedSale = { operation: Operation; amount: Money; tip?: Money | undefined; follows?: number };

/** All that is asked for. */
const wholeOf = ({ amount, tip }: WantedSale): Money => withTip(amount, tip).amount;

/** Whether the till runs this sale now. A command runs one at a time. */
export type IsRunning = (sale: string) => boolean;
const nothingRuns: IsRunning = () => false;

/** Sales of the same amount that may have been carried out, newest first. */
export const likelySales = ({ ledger, journal }: SaleRowParts, wanted: WantedSale, isRunning = nothingRuns): Sale[] =>
  journal.sql
    .all(
      // From the open sales, which are few: a shop may have sold one amount a hundred thousand times.
      `SELECT o.sale FROM sale o CROSS JOIN sale_search s ON s.sale = o.sale WHERE o.open = 1 AND s.minor = ?
       ORDER BY o.receipt DESC`,
      wholeOf(wanted).minor.toString(),
    )
    .flatMap(({ sale: id }): Sale[] => {
      const sale = ledger.sale(String(id));
      const whole = { ...wanted, amount: wholeOf(wanted) };
      if (sale === undefined || !isAlike(sale.intent, whole) || !isOfSamePayment(sale, wanted)) return [];
      return isInDoubt(sale, isRunning(String(id))) ? [sale] : [];
    });

/** Whose card is charged by what follows a payment is known: only what follows the same one can be the same charge. */
const isOfSamePayment = ({ intent }: Sale, { follows }: WantedSale): boolean =>
  follows === undefined || intent.follows?.receipt === follows;

export type LikelyRow = SaleRow;

/** As they are told to whoever has to answer. One that has no ending yet says so. */
export const likelyRows = (shown: SaleRowParts, sales: readonly Sale[]): SaleRow[] =>
  sales.map((sale) => {
    const told = tellOpen('noEnding');
    return { says: told.says, told, ...rowOf(shown, sale) };
  });

type Answered = {
  /** Receipts of the sales that a person was asked about and said to be another customer's. */
  again?: readonly number[] | undefined;
  isRunning?: IsRunning;
};

/**
 * The receipts of the sales that were asked about, for the intent. Throws `sale.likely` with the sales as rows, unless
 * the answer names each of them.
 */
export const refuseLikely = (
  shown: SaleRowParts,
  wanted: WantedSale,
  { again = [], isRunning }: Answered,
): number[] => {
  const sales = likelySales(shown, wanted, isRunning);
  const receipts = sales.map(({ intent }) => intent.receipt);
  if (receipts.every((receipt) => again.includes(receipt))) return receipts;
  const facts = { amount: printMoney(wholeOf(wanted)), receipts: receipts.join(', ') };
  throw new SalesFault('sale.likely', facts, likelyRows(shown, sales));
};

// Which sales may have charged a customer without anybody knowing: before the same again, somebody is asked.

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
