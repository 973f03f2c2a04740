/** What of a running till's sales is not at its end. */
import type { RunningTill } from '../app/start-till.ts';
import type { Sale } from '../till/machine/sale.ts';

/** Unfinished and unknown sales, reversals and offline sales still to be sent, oldest first. */
export const openSalesIn = ({ ledger }: Pick<RunningTill, 'ledger'>): Sale[] =>
  ledger
    .openSales()
    .map((id) => ledger.sale(id))
    .filter((sale) => sale !== undefined);

/** Their receipts. */
export const openReceipts = (running: Pick<RunningTill, 'ledger'>): number[] =>
  openSalesIn(running).map(({ intent }) => intent.receipt);
