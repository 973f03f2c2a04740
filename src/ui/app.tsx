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
          <Opening error={error} retry={() => void session.refetch()} />
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

const Opening = ({ error, retry }: { error: unknown; retry: () => void }) => {
  const { shared } = useWords('signIn');
  return (
    <main className="tg-opening">
      {error ? <ProblemNote error={error} retry={retry} /> : <Loader role="status" aria-label={shared.loading} />}
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
  const [shownPerson, setShownPerson] = useState(signedIn);
  // Data that was read before somebody left arrives a moment later.
  const [signedOutPerson, setSignedOutPerson] = useState<SignedIn>();
  if (signedIn !== undefined && signedIn !== shownPerson && signedIn !== signedOutPerson) setShownPerson(signedIn);
  const personName = shownPerson?.name ?? '';
  useEffect(() => {
    if (personName !== '') isAddingFirstManager.set(false);
  }, [personName]);
  useEffect(
    () => () => {
      if (personName !== '') queries.removeQueries({ predicate: ({ queryKey: [name] }) => name !== 'session' });
    },
    [personName, queries],
  );
  // Nobody can leave while the till is unreachable: the banner says so.
  const leaveTill = (): void =>
    void signOut().then(
      () => {
        setSignedOutPerson(shownPerson);
        setShownPerson(undefined);
      },
      () => {},
    );
  // A new start of the till has a new code, so whoever worked here before must open it again.
  const isWithoutCode = !session.staffKnown && signedIn === undefined && !isFounding;
  if (isWithoutCode || (isFounding && personName === '') || (!session.staffKnown && !isWithoutNames))
    return <SignInPage shop={shop} body={<Suspense>{isWithoutCode ? <StartCode /> : <FirstStart />}</Suspense>} />;
  if (shownPerson === undefined) return <SignInPage shop={shop} body={<SignIn heading={t.title} />} />;
  return (
    <>
      <Suspense>
        <Screens
          key={personName}
          shop={shop}
          signedIn={shownPerson}
          onLock={() => void signOut().catch(() => {})}
          onSignOut={leaveTill}
        />
      </Suspense>
      {signedIn === undefined && (
        <Lock label={t.lockedTitle}>
          <SignInPage shop={shop} body={<SignIn locked={personName} heading={t.lockedTitle} />} />
        </Lock>
      )}
    </>
  );
};
