/** The bill that is being split, with what the till's books say of it. */
import { useCallback, useState } from 'react';
import type { LiveSale } from '../../api/ports/selling.ts';
import { type Bill, billOn, nextPart, sumsOf } from './bill.ts';
import { useSale } from './till.ts';

const shelf = billOn(sessionStorage);

export const useBill = () => {
  const [bill, hold] = useState<Bill | undefined>(shelf.get);
  const { data } = useSale(bill?.first);
  const set = useCallback((next: Bill | undefined) => {
    shelf.set(next);
    hold(next);
  }, []);
  if (bill === undefined) return { set, parts: () => ({}), begun: () => undefined };
  // A first payment that failed began no bill.
  const stands = bill.first !== undefined && (data?.bill !== undefined || data?.ending === 'open');
  const sums = sumsOf(bill, data);
  return {
    bill,
    set,
    sums,
    receipts: data?.bill?.receipts ?? [],
    next: nextPart(bill, sums),
    /** What a payment for this bill says of it. */
    parts: (wire: (minor: bigint) => { amount: string; currency: string }) =>
      stands && bill.first !== undefined ? { bill: bill.first } : { billTotal: wire(bill.total) },
    begun: ({ receipt }: LiveSale) => {
      if (!stands) set({ ...bill, first: receipt });
    },
  };
};

export type BillUse = ReturnType<typeof useBill>;
