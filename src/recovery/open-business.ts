/** What of a running till's sales is not at its end. */
import type { FullLedger } from '../ledger/ledger.ts';
import type { Sale } from '../till/machine/sale.ts';

type Sold = { readonly ledger: Pick<FullLedger, 'openSales' | 'sale'> };

/** Unfinished and unknown sales, reversals and offline sales still to be sent, oldest first. */
export const openSalesIn = ({ ledger }: Sold): Sale[] =>
  ledger
    .openSales()
    .map((id) => ledger.sale(id))
    .filter((sale) => sale !== undefined);

/** Their receipts. */
export const openReceipts = (running: Sold): number[] => openSalesIn(running).map(({ intent }) => intent.receipt);
