/**
 * What stays on the screen over a reload of the page: results until somebody puts them away, and the bill that is
 * split.
 */
import { useCallback, useEffect, useState } from 'react';
import type { LiveSale } from '../../api/ports/selling.ts';
import { billOn, nextPart, type SplitBill, sumsOf } from './bill.ts';
import { isSeen } from './live-sales.ts';
import { useSale } from './till.ts';

const PLACE = 'tillgate.kept';
/** More are not remembered: there are never as many terminals. */
const MOST = 40;

const read = (): string[] => {
  try {
    return JSON.parse(sessionStorage.getItem(PLACE) ?? '[]') as string[];
  } catch {
    return [];
  }
};

/** Every sale that is seen under way is kept; `putAway` lets go of it. */
export const useKept = (live: readonly LiveSale[]) => {
  const [kept, setKept] = useState<readonly string[]>(read);
  const change = useCallback((next: (held: readonly string[]) => readonly string[]) => {
    setKept((held) => {
      const then = next(held).slice(-MOST);
      sessionStorage.setItem(PLACE, JSON.stringify(then));
      return then;
    });
  }, []);
  const keep = useCallback(
    (...ids: string[]) => change((held) => [...held, ...ids.filter((id) => !held.includes(id))]),
    [change],
  );
  useEffect(() => {
    const fresh = live.filter((sale) => isSeen(sale) && !kept.includes(sale.id)).map(({ id }) => id);
    if (fresh.length > 0) keep(...fresh);
  }, [live, kept, keep]);
  const putAway = useCallback((id: string) => change((held) => held.filter((one) => one !== id)), [change]);
  return { kept: new Set(kept), keep, putAway };
};

const shelf = billOn(sessionStorage);

/** The bill that is being split, with what the till knows of its payments. */
export const useBill = () => {
  const [bill, hold] = useState<SplitBill | undefined>(shelf.get);
  const { data, isPending } = useSale(bill?.first);
  const set = useCallback((next: SplitBill | undefined) => {
    shelf.set(next);
    hold(next);
  }, []);
  if (bill === undefined)
    return { set, owes: false, isPaid: false, isRead: true, parts: () => ({}), begun: () => undefined };
  // A first payment that failed began no bill.
  const stands = bill.first !== undefined && (data?.bill !== undefined || data?.ending === 'open');
  const sums = sumsOf(bill, data);
  const owes = sums.left > 0n;
  return {
    bill,
    set,
    sums,
    /** Something of it is still to be paid: what is sold is a part of it. Else the next sale is another customer's. */
    owes,
    isPaid: !owes && sums.unknown === 0n,
    /** What the books say of it has come: before that nobody knows what is left. */
    isRead: bill.first === undefined || !isPending,
    receipts: data?.bill?.receipts ?? [],
    next: nextPart(bill, sums),
    /** What a payment for this bill says of it; nothing once it owes nothing. */
    parts: (wire: (minor: bigint) => { amount: string; currency: string }) => {
      if (!owes) return {};
      return stands && bill.first !== undefined ? { bill: bill.first } : { billTotal: wire(bill.total) };
    },
    begun: ({ receipt }: LiveSale) => {
      if (!stands) set({ ...bill, first: receipt });
    },
  };
};

export type BillUse = ReturnType<typeof useBill>;
