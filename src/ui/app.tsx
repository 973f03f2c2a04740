/**
 * Decides which page is shown: sign-in, or the screens of the person signed in. The screens are loaded after sign-in.
 */
import { Loader } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import type { SessionState, SignedIn } from '../api/contract/session.ts';
import { FirstStart, OverrideDialog, Screens, StartCode } from './lazy-screens.ts';
import { LanguageProvider } from './locale/language.tsx';
import { useWords } from './locale/use-words.ts';
import { ModeBar } from './parts/bars.tsx';
import { LiveText } from './parts/live-text.tsx';
import { OpeningLive, openingLive } from './parts/opening-live.tsx';
import { overrideRequest } from './parts/override.ts';
import { CrashBoundary, ProblemNote } from './parts/problem.tsx';
import { useEvents, useKeptSession, useOneTill, useSession, useSignOut } from './session.ts';
import { isAddingFirstManager, withoutNames } from './sign-in/no-people-yet.ts';
import { SignIn } from './sign-in/sign-in.tsx';
import { Lock, SignInPage } from './sign-in/sign-in-page.tsx';

export const App = () => {
  const session = useSession();
  const { data, error } = session;
  useKeptSession(data?.signedIn);
  useOneTill(data?.shop);
  useEvents(data?.signedIn !== undefined);
  return (
    <LanguageProvider shop={data?.shop}>
      <CrashBoundary head={<ModeBar plain />}>
        {data === undefined ? (
          <Opening error={error} again={() => void session.refetch()} />
        ) : (
          <TillOf session={data} />
        )}
        <Override />
        <LiveText />
      </CrashBoundary>
    </LanguageProvider>
  );
};

const Override = () => {
  const request = overrideRequest.use();
  return (
    request && (
      <Suspense>
        <OverrideDialog {...request} />
      </Suspense>
    )
  );
};

const Opening = ({ error, again }: { error: unknown; again: () => void }) => {
  const { shared } = useWords('signIn');
  return (
    <main className="tg-opening">
      {error ? <ProblemNote error={error} again={again} /> : <Loader role="status" aria-label={shared.loading} />}
    </main>
  );
};

const TillOf = ({ session }: { session: SessionState }) =>
  openingLive.use() ? <OpeningLive /> : <Till session={session} />;

/** A person's screens stay behind the lock until somebody signs in; signing out removes them. */
const Till = ({ session }: { session: SessionState }) => {
  const { t } = useWords('signIn');
  const queries = useQueryClient();
  const signOut = useSignOut();
  const { shop, signedIn } = session;
  const isWithoutNames = withoutNames.use();
  const isFounding = isAddingFirstManager.use();
  const [stands, setStands] = useState(signedIn);
  // Data that was read before somebody left arrives a moment later.
  const [left, setLeft] = useState<SignedIn>();
  if (signedIn !== undefined && signedIn !== stands && signedIn !== left) setStands(signedIn);
  const who = stands?.name ?? '';
  useEffect(() => {
    if (who !== '') isAddingFirstManager.set(false);
  }, [who]);
  useEffect(
    () => () => {
      if (who !== '') queries.removeQueries({ predicate: ({ queryKey: [name] }) => name !== 'session' });
    },
    [who, queries],
  );
  // Nobody can leave while the till is unreachable: the banner says so.
  const leave = (): void =>
    void signOut().then(
      () => {
        setLeft(stands);
        setStands(undefined);
      },
      () => {},
    );
  // A new start of the till has a new code, so whoever worked here before must open it again.
  const isWithoutCode = !session.staffKnown && signedIn === undefined && !isFounding;
  if (isWithoutCode || (isFounding && who === '') || (!session.staffKnown && !isWithoutNames))
    return <SignInPage shop={shop} body={<Suspense>{isWithoutCode ? <StartCode /> : <FirstStart />}</Suspense>} />;
  if (stands === undefined) return <SignInPage shop={shop} body={<SignIn heading={t.title} />} />;
  return (
    <>
      <Suspense>
        <Screens
          key={who}
          shop={shop}
          signedIn={stands}
          onLock={() => void signOut().catch(() => {})}
          onSignOut={leave}
        />
      </Suspense>
      {signedIn === undefined && (
        <Lock label={t.lockedTitle}>
          <SignInPage shop={shop} body={<SignIn locked={who} heading={t.lockedTitle} />} />
        </Lock>
      )}
    </>
  );
};
