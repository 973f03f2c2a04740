/**
 * What the cashier's screen knows about the till: read once, then updated by events, and read again after a lost
 * connection.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { LiveSale, SaleDetail, SaleRow } from '../../api/contract/sales.ts';
import type { Page } from '../../api/contract/wire.ts';
import { api, got } from '../api.ts';
import { listen } from '../events.ts';
import { withOverride } from '../parts/override.ts';
import { withSale } from './live-sales.ts';

export const keys = {
  live: ['live'],
  counters: ['counters'],
  line: ['line'],
  sales: ['sales'],
} as const;

/** How many rows are read for the strip of last sales. */
const LAST = 30;

export const useLive = () => useQuery({ queryKey: keys.live, queryFn: () => got(api.live.$get()) });

export const useCounters = () => useQuery({ queryKey: keys.counters, queryFn: () => got(api.counters.$get()) });

export const useLine = () => useQuery({ queryKey: keys.line, queryFn: () => got(api.line.$get()) });

/** A page of the list of sales, newest first. Throws `RequestRefused`. */
export const salesPage = async (ask: { from: number; most: number; search?: string }): Promise<Page<SaleRow>> => {
  const { from, most, search } = ask;
  const query = { from: String(from), most: String(most), search: search || undefined };
  return got(api.sales.$get({ query }));
};

export const useLastSales = () =>
  useQuery({ queryKey: [...keys.sales, 'last'], queryFn: () => salesPage({ from: 0, most: LAST }) });

export const useHolds = () => useQuery({ queryKey: [...keys.sales, 'holds'], queryFn: () => got(api.preauths.$get()) });

const oneSale = async (receipt: number, headers: Record<string, string> = {}): Promise<SaleDetail> => {
  const param = { receipt: String(receipt) };
  return got(api.sales[':receipt{[0-9]{1,9}}'].$get({ param }, { headers }));
};

/** Reads the sale again with a manager's approval, when the till refused to open it. */
export const useSaleAllowed = (receipt: number) => {
  const client = useQueryClient();
  return async (): Promise<void> => {
    const sale = await withOverride((headers) => oneSale(receipt, headers)).catch(() => undefined);
    if (sale !== undefined) client.setQueryData([...keys.sales, 'one', receipt], sale);
  };
};

/** By receipt number; without one nothing is requested. */
export const useSale = (receipt: number | undefined) =>
  useQuery({
    queryKey: [...keys.sales, 'one', receipt],
    enabled: receipt !== undefined,
    queryFn: () => oneSale(receipt ?? 0),
  });

/** The receipt number for a scanned code. */
export const useReceiptOfCode = (code: string) =>
  useQuery({
    queryKey: [...keys.sales, 'code', code],
    queryFn: () => got(api.receipts[':code'].$get({ param: { code } })),
  });

/** Applies each event to what is shown at once; lists are read again by the page, also after a lost connection. */
export const useLiveUpdates = (): void => {
  const client = useQueryClient();
  useEffect(
    () =>
      listen((event) => {
        if (event.on === 'sale' || event.on === 'amended') {
          client.setQueryData<LiveSale[]>(keys.live, (live = []) => withSale(live, event.sale));
          if (event.sale.result || event.sale.phase === 'starting')
            void client.invalidateQueries({ queryKey: keys.sales });
        }
        if (event.on === 'counters') client.setQueryData(keys.counters, event.counters);
        if (event.on === 'line') client.setQueryData(keys.line, event.line);
      }),
    [client],
  );
};
