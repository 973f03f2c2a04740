/**
 * What stays on the screen across a reload of the page: results until somebody dismisses them, and the bill being
 * split.
 */
import { useCallback, useEffect, useState } from 'react';
import type { LiveSale } from '../../api/contract/sales.ts';
import { billOn, nextPart, type SplitBill, sumsOf } from './bill.ts';
import { isSeen } from './live-sales.ts';
import { useSale } from './till.ts';

const PLACE = 'tillgate.kept';
/** More than any till has terminals. */
const MOST = 40;

const read = (): string[] => {
  try {
    return JSON.parse(sessionStorage.getItem(PLACE) ?? '[]') as string[];
  } catch {
    return [];
  }
};

/** Keeps every sale that was seen in progress, until `putAway`. */
export const useVisibleResults = (live: readonly LiveSale[]) => {
  const [stored, setKept] = useState<readonly string[]>(read);
  const change = useCallback((next: (held: readonly string[]) => readonly string[]) => {
    setKept((previous) => {
      const then = next(previous).slice(-MOST);
      sessionStorage.setItem(PLACE, JSON.stringify(then));
      return then;
    });
  }, []);
  const keep = useCallback(
    (...ids: string[]) => change((previous) => [...previous, ...ids.filter((id) => !previous.includes(id))]),
    [change],
  );
  useEffect(() => {
    const fresh = live.filter((sale) => isSeen(sale) && !stored.includes(sale.id)).map(({ id }) => id);
    if (fresh.length > 0) keep(...fresh);
  }, [live, stored, keep]);
  const putAway = useCallback((id: string) => change((previous) => previous.filter((one) => one !== id)), [change]);
  return { kept: new Set(stored), keep, putAway };
};

const shelf = billOn(sessionStorage);

/** The bill being split, with what the till knows about its payments. */
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
    /** Whether part of it is still to be paid: then the next sale is a part of it, and otherwise another customer's. */
    owes,
    isPaid: !owes && sums.unknown === 0n,
    /** Whether the books have answered: until then it is unknown what is left. */
    isRead: bill.first === undefined || !isPending,
    receipts: data?.bill?.receipts ?? [],
    next: nextPart(bill, sums),
    /** The fields of a request for a payment of this bill; empty once nothing is owed. */
    parts: (wire: (minor: bigint) => { amount: string; currency: string }) => {
      if (!owes) return {};
      return stands && bill.first !== undefined ? { bill: bill.first } : { billTotal: wire(bill.total) };
    },
    begun: ({ receipt }: LiveSale) => {
      if (!stands) set({ ...bill, first: receipt });
    },
  };
};
