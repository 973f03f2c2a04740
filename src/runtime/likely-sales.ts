/**
 * "Was this customer just charged?" is asked before money moves: by screens, programs and commands alike, and from the
 * journal alone, so that it is asked without a gateway too.
 */
import type { SaleRow } from '../api/ports/selling.ts';
import { SalesFault } from '../base/fault.ts';
import { type Money, printMoney } from '../base/money.ts';
import type { Operation } from '../till/facts.ts';
import { isAlike, isInDoubt } from '../till/in-doubt.ts';
import { replay, type Sale } from '../till/sale.ts';
import { rowOf, type Shown } from './desk/sale-rows.ts';
import { tellOpen } from './open-words.ts';

/** `amount` is all that is asked for, with the tip in it. */
export type WantedSale = { operation: Operation; amount: Money };

/** Whether the till runs this sale now. A command runs one at a time. */
export type IsRunning = (sale: string) => boolean;
const nothingRuns: IsRunning = () => false;

/** Sales of the same amount that may have been carried out, newest first. */
export const likelySales = ({ ledger, journal }: Shown, wanted: WantedSale, isRunning = nothingRuns): Sale[] =>
  journal.sql
    .all(
      // From the open sales, which are few: a shop may have sold one amount a hundred thousand times.
      `SELECT o.sale FROM sale o CROSS JOIN sale_search s ON s.sale = o.sale WHERE o.open = 1 AND s.minor = ?
       ORDER BY o.receipt DESC`,
      wanted.amount.minor.toString(),
    )
    .flatMap(({ sale: id }): Sale[] => {
      const sale = replay(ledger.events(String(id)));
      return sale !== undefined && isAlike(sale.intent, wanted) && isInDoubt(sale, isRunning(String(id))) ? [sale] : [];
    });

export type LikelyRow = SaleRow;

/** As they are told to whoever has to answer. One that has no ending yet says so. */
export const likelyRows = (shown: Shown, sales: readonly Sale[]): SaleRow[] =>
  sales.map((sale) => {
    const told = tellOpen('noEnding');
    return { says: told.says, told, ...rowOf(shown, sale) };
  });

export type Answered = {
  /** Receipts of the sales that a person was asked about and said to be another customer's. */
  again?: readonly number[] | undefined;
  isRunning?: IsRunning;
};

/**
 * The receipts of the sales that were asked about, for the intent. Throws `sale.likely` with the sales as rows, unless
 * the answer names each of them.
 */
export const refuseLikely = (shown: Shown, wanted: WantedSale, { again = [], isRunning }: Answered): number[] => {
  const sales = likelySales(shown, wanted, isRunning);
  const receipts = sales.map(({ intent }) => intent.receipt);
  if (receipts.every((receipt) => again.includes(receipt))) return receipts;
  const facts = { amount: printMoney(wanted.amount), receipts: receipts.join(', ') };
  throw new SalesFault('sale.likely', facts, likelyRows(shown, sales));
};
