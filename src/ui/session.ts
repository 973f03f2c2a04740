/** The page's session: read from the till, kept alive while it is used, and ended by hand, by time or elsewhere. */
import { type QueryClient, queryOptions, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import type { SessionState, ShopFacts, SignedIn } from '../api/contract/session.ts';
import { api, got, onSessionEnded, setCsrfToken } from './api.ts';
import { every, now } from './clock.ts';
import { listen, openEvents } from './events.ts';
import { idleMs, watchTouches } from './idle.ts';
import { connection } from './parts/connection.tsx';

const KEY = ['session'];
/** A recent result is shared by all components that show it. */
const FRESH_MS = 1000;
/** How often an unreachable till is tried again. */
const POLL_MS = 2000;
/** How often a session that is used without requests to the till is kept alive. */
const KEEP_ALIVE_MS = 60_000;
/** How long after a session's timeout the page ends it itself, if the till has not. */
const LATE_MS = 3000;

/** Connects the windows of this browser, which share one session. */
const windows = new BroadcastChannel('tillgate');

const sessionQuery = queryOptions({
  queryKey: KEY,
  queryFn: async () => {
    const state = await got(api.session.$get());
    setCsrfToken(state.signedIn?.csrf ?? '');
    return state;
  },
  staleTime: FRESH_MS,
});

/** The people who can sign in. */
export const namesQuery = queryOptions({
  queryKey: ['names'],
  queryFn: () => got(api.session.names.$get()),
  staleTime: FRESH_MS,
});

/** What the first screen shows; undefined when the till does not answer. */
export const readFirst = async (queries: QueryClient): Promise<SessionState | undefined> => {
  await Promise.all([queries.prefetchQuery(sessionQuery), queries.prefetchQuery(namesQuery)]);
  return queries.getQueryData(sessionQuery.queryKey);
};

export const useSession = (): UseQueryResult<SessionState> =>
  useQuery({
    ...sessionQuery,
    refetchInterval: ({ state }) => (state.error === null ? false : POLL_MS),
    refetchOnWindowFocus: true,
  });

/** Asks the till again who is signed in, in this window and, unless another window caused it, in the others. */
const readAgain = (queries: QueryClient, audience: 'others' | 'none' = 'none'): void => {
  void queries.invalidateQueries({ queryKey: KEY });
  if (audience === 'others') windows.postMessage('session');
};

export const useSignIn = () => {
  const queries = useQueryClient();
  return useCallback(
    async (credentials: { name: string; pin: string }, signal: AbortSignal | null = null): Promise<void> => {
      const signedIn = await got(api.session.$post({ json: credentials }, { init: { signal: signal } }));
      setCsrfToken(signedIn.csrf);
      readAgain(queries, 'others');
    },
    [queries],
  );
};

/** Switches training on or off for this session: from then on another till answers it. Throws `RequestRefused`. */
export const useTrain = () => {
  const queries = useQueryClient();
  return useCallback(
    async (isOn: boolean): Promise<void> => {
      await got(api.training.$post({ json: { on: isOn } }));
      readAgain(queries, 'others');
    },
    [queries],
  );
};

/**
 * Data of one till means nothing to another, and the program of an earlier version does not fit a later till: every
 * window of the session reloads.
 */
export const useOneTill = (shop: Pick<ShopFacts, 'version' | 'mode'> | undefined): void => {
  const { version, mode } = shop ?? {};
  const first = useRef(shop);
  useEffect(() => {
    if (version === undefined || mode === undefined) return;
    first.current ??= { version, mode };
    // A live till starts at its first page: this was a page of the test till.
    if (mode === 'live' && first.current.mode !== 'live') location.replace('/');
    else if (version !== first.current.version || mode !== first.current.mode) location.reload();
  }, [version, mode]);
};

/** Checks repeatedly which till answers; `useOneTill` reloads for a different one. */
export const useAwaitedTill = (): void => {
  const queries = useQueryClient();
  useEffect(() => every(POLL_MS, () => readAgain(queries)), [queries]);
};

export const useSignOut = () => {
  const queries = useQueryClient();
  return useCallback(async (): Promise<void> => {
    await got(api.session.$delete());
    setCsrfToken('');
    queries.setQueryData<SessionState>(KEY, (old) => old && { shop: old.shop, staffKnown: old.staffKnown });
    readAgain(queries, 'others');
  }, [queries]);
};

/** Follows the till's view of the session, and ends it after enough idle time on the page. */
export const useKeptSession = (signedIn: SignedIn | undefined): void => {
  const queries = useQueryClient();
  const signOut = useSignOut();
  useEffect(() => onSessionEnded(() => readAgain(queries)), [queries]);
  useEffect(() => {
    const onMessage = (): void => readAgain(queries);
    windows.addEventListener('message', onMessage);
    return () => windows.removeEventListener('message', onMessage);
  }, [queries]);
  const keptAt = useRef(0);
  // A session without a person never expires here: nobody could sign in again.
  const lockAfterMs = signedIn?.name === undefined ? undefined : signedIn.lockAfterMs;
  useEffect(() => {
    if (lockAfterMs === undefined) return undefined;
    keptAt.current = now();
    const unwatch = watchTouches(() => {
      if (now() - keptAt.current < Math.min(KEEP_ALIVE_MS, lockAfterMs / 3)) return;
      keptAt.current = now();
      readAgain(queries);
    });
    // The till ends it by itself: the page asks whether it did, and otherwise signs out.
    const stop = every(1000, () => {
      const overMs = idleMs() - lockAfterMs;
      if (overMs > LATE_MS) void signOut().catch(() => {});
      else if (overMs > 0) readAgain(queries);
    });
    return () => {
      unwatch();
      stop();
    };
  }, [lockAfterMs, queries, signOut]);
};

/** The event stream while somebody is signed in. Data that changed while it was closed is read again. */
export const useEvents = (isSignedIn: boolean): void => {
  const queries = useQueryClient();
  // Events missed without a connection, or behind the lock, are made up by reading again.
  const hasHeard = useRef(false);
  useEffect(() => {
    if (!isSignedIn) return undefined;
    const close = openEvents((isOpen) => {
      connection.set(isOpen ? 'stands' : 'lost');
      if (isOpen && hasHeard.current) void queries.invalidateQueries();
      if (!isOpen) readAgain(queries);
      hasHeard.current ||= isOpen;
    });
    const unlisten = listen((event) => {
      if (event.on === 'locked') readAgain(queries);
      // Whether the till may sell is part of the shop's facts.
      if (event.on === 'changed' && event.what === 'machine') readAgain(queries);
      if (event.on === 'changed') void queries.invalidateQueries({ queryKey: [event.what] });
    });
    return () => {
      close();
      unlisten();
      connection.set('opening');
    };
  }, [isSignedIn, queries]);
};
