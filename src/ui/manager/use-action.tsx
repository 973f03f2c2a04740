/** The manager's actions and queries: one action at a time, with an approval in between if needed. */
import { keepPreviousData, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { listen } from '../events.ts';
import { type OverrideHeaders, withOverride } from '../parts/override.ts';
import { useSession } from '../session.ts';

/** Reads from the till, and again whenever something changed there. `keep`: shows the previous result meanwhile. */
export const useRead = <T,>(key: readonly unknown[], read: () => Promise<T>, keep = false): UseQueryResult<T> =>
  useQuery({
    queryKey: ['manager', ...key],
    queryFn: read,
    placeholderData: keep ? (keepPreviousData as never) : undefined,
  });

/** The queries to repeat when the till reports that this changed. */
const changedBy: Readonly<Record<string, readonly string[]>> = {
  sales: ['today'],
  openItems: ['openItems', 'today'],
  batches: ['batches', 'today'],
  closing: ['closing'],
  staff: ['staff', 'audit', 'posKeys'],
  limits: ['limits'],
  machine: ['machine'],
};

/** Keeps the page's lists up to date, also for the next person who signs in. */
export const useChanges = (): void => {
  const queries = useQueryClient();
  const csrf = useSession().data?.signedIn?.csrf;
  const previous = useRef(csrf);
  useEffect(() => {
    if (csrf !== undefined && csrf !== previous.current) void queries.invalidateQueries({ queryKey: ['manager'] });
    previous.current = csrf;
  }, [csrf, queries]);
  useEffect(
    () =>
      listen((event) => {
        if (event.on === 'closing') queries.setQueryData(['manager', 'closingWait'], event);
        if (event.on === 'line') void queries.invalidateQueries({ queryKey: ['manager', 'line'] });
        if (event.on !== 'changed') return;
        for (const name of changedBy[event.what] ?? []) void queries.invalidateQueries({ queryKey: ['manager', name] });
      }),
    [queries],
  );
};

export type ActionRunner = {
  /** Runs the work, unless something is already running. Undefined when it was refused; `error` says why. */
  run<T>(work: (headers: OverrideHeaders) => Promise<T>): Promise<T | undefined>;
  busy: boolean;
  error: unknown;
  clear(): void;
};

/**
 * One action at a time: a second press does nothing while the first is running. The queries in `queryNames` are
 * repeated afterwards.
 */
export const useAction = (...queryNames: readonly string[]): ActionRunner => {
  const queries = useQueryClient();
  const isRunning = useRef(false);
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false });
  const run = async <T,>(work: (headers: OverrideHeaders) => Promise<T>): Promise<T | undefined> => {
    if (isRunning.current) return undefined;
    isRunning.current = true;
    setState({ busy: true });
    try {
      const value = await withOverride(work);
      setState({ busy: false });
      return value;
    } catch (error) {
      setState({ busy: false, error });
      return undefined;
    } finally {
      isRunning.current = false;
      for (const name of queryNames) void queries.invalidateQueries({ queryKey: ['manager', name] });
    }
  };
  return { run, clear: () => setState({ busy: false }), busy: state.busy, error: state.error };
};
