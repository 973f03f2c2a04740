/** Whose session this page has: read from the till, kept while somebody is there, ended by hand, time or elsewhere. */
import { type QueryClient, queryOptions, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import type { SessionState, ShopFacts, SignedIn } from '../api/ports/session.ts';
import { api, bringWord, got, onSessionEnded } from './api.ts';
import { every, now } from './clock.ts';
import { listen, openEvents } from './events.ts';
import { idleMs, watchTouches } from './idle.ts';
import { connection } from './parts/connection.tsx';

const KEY = ['session'];
/** What was just read is not read again by each part that shows it. */
const FRESH_MS = 1000;
/** While the till is away it is looked for so often. */
const LOOK_MS = 2000;
/** A session that somebody works in without asking the till anything is kept alive so often. */
const KEEP_MS = 60_000;
/** A till that has not ended a session so long after it should have. */
const LATE_MS = 3000;

/** Windows of this browser, which have one session between them. */
const windows = new BroadcastChannel('tillgate');

const sessionQuery = queryOptions({
  queryKey: KEY,
  queryFn: async () => {
    const state = (await got(api.session.$get())) as SessionState;
    bringWord(state.signedIn?.csrf ?? '');
    return state;
  },
  staleTime: FRESH_MS,
});

/** People who can sign in. */
export const namesQuery = queryOptions({
  queryKey: ['names'],
  queryFn: () => got(api.session.names.$get()),
  staleTime: FRESH_MS,
});

/** What the first screen shows; nothing when the till does not answer. */
export const readFirst = async (queries: QueryClient): Promise<SessionState | undefined> => {
  await Promise.all([queries.prefetchQuery(sessionQuery), queries.prefetchQuery(namesQuery)]);
  return queries.getQueryData(sessionQuery.queryKey);
};

export const useSession = (): UseQueryResult<SessionState> =>
  useQuery({
    ...sessionQuery,
    refetchInterval: ({ state }) => (state.error === null ? false : LOOK_MS),
    refetchOnWindowFocus: true,
  });

/** Asks the till again who is signed in, in this window and, unless it was told by one, in the others. */
const readAgain = (queries: QueryClient, tell: 'others' | 'none' = 'none'): void => {
  void queries.invalidateQueries({ queryKey: KEY });
  if (tell === 'others') windows.postMessage('session');
};

export const useSignIn = () => {
  const queries = useQueryClient();
  return useCallback(
    async (who: { name: string; pin: string }, gone: AbortSignal | null = null): Promise<void> => {
      const signedIn = (await got(api.session.$post({ json: who }, { init: { signal: gone } }))) as SignedIn;
      bringWord(signedIn.csrf);
      readAgain(queries, 'others');
    },
    [queries],
  );
};

/** Turns training on or off for this session: from then on another till answers it. Throws `Refused`. */
export const useTrain = () => {
  const queries = useQueryClient();
  return useCallback(
    async (on: boolean): Promise<void> => {
      await got(api.training.$post({ json: { on } }));
      readAgain(queries, 'others');
    },
    [queries],
  );
};

/**
 * What was read from the one till is nothing to another, and what an earlier version sent is no program for a later
 * one: every window of the session begins anew with it.
 */
export const useOneTill = (shop: Pick<ShopFacts, 'version' | 'mode'> | undefined): void => {
  const { version, mode } = shop ?? {};
  const first = useRef(shop);
  useEffect(() => {
    if (version === undefined || mode === undefined) return;
    first.current ??= { version, mode };
    // A live till is begun at its front: what stood here was a page of the test till.
    if (mode === 'live' && first.current.mode !== 'live') location.replace('/');
    else if (version !== first.current.version || mode !== first.current.mode) location.reload();
  }, [version, mode]);
};

/** Looks again and again which till answers; `useOneTill` begins anew with another one. */
export const useAwaitedTill = (): void => {
  const queries = useQueryClient();
  useEffect(() => every(LOOK_MS, () => readAgain(queries)), [queries]);
};

export const useSignOut = () => {
  const queries = useQueryClient();
  return useCallback(async (): Promise<void> => {
    await got(api.session.$delete());
    bringWord('');
    queries.setQueryData<SessionState>(KEY, (before) => before && { shop: before.shop, staffKnown: before.staffKnown });
    readAgain(queries, 'others');
  }, [queries]);
};

/** Keeps the page at what the till says of its session, and ends it when nobody touched the page for long enough. */
export const useKeptSession = (signedIn: SignedIn | undefined): void => {
  const queries = useQueryClient();
  const signOut = useSignOut();
  useEffect(() => onSessionEnded(() => readAgain(queries)), [queries]);
  useEffect(() => {
    const hear = (): void => readAgain(queries);
    windows.addEventListener('message', hear);
    return () => windows.removeEventListener('message', hear);
  }, [queries]);
  const keptAt = useRef(0);
  // Nobody's session has no end but the till's: nobody could sign in again.
  const lockAfterMs = signedIn?.name === undefined ? undefined : signedIn.lockAfterMs;
  useEffect(() => {
    if (lockAfterMs === undefined) return undefined;
    keptAt.current = now();
    const unwatch = watchTouches(() => {
      if (now() - keptAt.current < Math.min(KEEP_MS, lockAfterMs / 3)) return;
      keptAt.current = now();
      readAgain(queries);
    });
    // The till ends it by itself, and is asked for that; a till that does not is told to.
    const stop = every(1000, () => {
      const over = idleMs() - lockAfterMs;
      if (over > LATE_MS) void signOut().catch(() => {});
      else if (over > 0) readAgain(queries);
    });
    return () => {
      unwatch();
      stop();
    };
  }, [lockAfterMs, queries, signOut]);
};

/** The event stream while somebody is signed in. What changed while it was away is read again. */
export const useEvents = (isSignedIn: boolean): void => {
  const queries = useQueryClient();
  // What was told while nobody heard, for want of a line or behind the lock, is read again.
  const hasHeard = useRef(false);
  useEffect(() => {
    if (!isSignedIn) return undefined;
    const close = openEvents((stands) => {
      connection.set(stands ? 'stands' : 'lost');
      if (stands && hasHeard.current) void queries.invalidateQueries();
      if (!stands) readAgain(queries);
      hasHeard.current ||= stands;
    });
    const unlisten = listen((event) => {
      if (event.on === 'locked') readAgain(queries);
      // Whether the till may sell where it is stands among the facts of the shop.
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
