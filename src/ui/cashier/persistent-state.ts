/**
 * What stays on the screen across a reload of the page: results until somebody dismisses them, and the bill being
 * split.
 */
import { useCallback, useEffect, useState } from 'react';
import type { LiveSale } from '../../api/contract/sales.ts';
import { billStore, nextPart, type SplitBill, sumsOf } from './bill.ts';
import { isVisibleToAll } from './live-sales.ts';
import { useSale } from './till.ts';

const KEY = 'tillgate.kept';
/** More than any till has terminals. */
const MAX_IDS = 40;

const read = (): string[] => {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as string[];
  } catch {
    return [];
  }
};

/** Keeps every sale that was seen in progress, until `dismiss`. */
export const useVisibleResults = (live: readonly LiveSale[]) => {
  const [stored, setStored] = useState<readonly string[]>(read);
  const change = useCallback((next: (ids: readonly string[]) => readonly string[]) => {
    setStored((previous) => {
      const changed = next(previous).slice(-MAX_IDS);
      sessionStorage.setItem(KEY, JSON.stringify(changed));
      return changed;
    });
  }, []);
  const showResult = useCallback(
    (...ids: string[]) => change((previous) => [...previous, ...ids.filter((id) => !previous.includes(id))]),
    [change],
  );
  useEffect(() => {
    const newIds = live.filter((sale) => isVisibleToAll(sale) && !stored.includes(sale.id)).map(({ id }) => id);
    if (newIds.length > 0) showResult(...newIds);
  }, [live, stored, showResult]);
  const dismiss = useCallback((id: string) => change((previous) => previous.filter((one) => one !== id)), [change]);
  return { kept: new Set(stored), keep: showResult, putAway: dismiss };
};

const storedBill = billStore(sessionStorage);

/** The bill being split, with what the till knows about its payments. */
export const useBill = () => {
  const [bill, setBill] = useState<SplitBill | undefined>(storedBill.get);
  const { data, isPending } = useSale(bill?.first);
  const set = useCallback((next: SplitBill | undefined) => {
    storedBill.set(next);
    setBill(next);
  }, []);
  if (bill === undefined)
    return { set, owes: false, isPaid: false, isRead: true, parts: () => ({}), begun: () => undefined };
  // A first payment that failed began no bill.
  const hasBegun = bill.first !== undefined && (data?.bill !== undefined || data?.ending === 'open');
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
      return hasBegun && bill.first !== undefined ? { bill: bill.first } : { billTotal: wire(bill.total) };
    },
    begun: ({ receipt }: LiveSale) => {
      if (!hasBegun) set({ ...bill, first: receipt });
    },
  };
};
