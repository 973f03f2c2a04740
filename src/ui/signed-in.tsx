/** The screens of whoever signed in, under one bar: one for each role, loaded when it is first shown. */
import { Stack } from '@mantine/core';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { ShopFacts, SignedIn } from '../api/ports/session.ts';
import { areas } from './areas.ts';
import { HeldBar, ModeBar } from './parts/bars.tsx';
import { ConnectionBanner } from './parts/connection.tsx';
import { PersonMenu } from './parts/person-menu.tsx';
import { CrashBoundary } from './parts/problem.tsx';
import { TopBar } from './parts/top-bar.tsx';
import { firstScreen, mayGoLive, screenAt, screens, screensOf } from './screens.ts';

const FoundLive = lazy(() => import('./parts/found-live.tsx').then(({ FoundLive: part }) => ({ default: part })));

const NotTheirs = lazy(() => import('./parts/not-theirs.tsx').then(({ NotTheirs: part }) => ({ default: part })));

/** Since this page was loaded nobody's screens were drawn: its address is what whoever comes first has asked for. */
const page = { isFresh: true };

type Props = { shop: ShopFacts; signedIn: SignedIn; onLock: () => void; onSignOut: () => void };

export const Screens = ({ shop, signedIn, onLock, onSignOut }: Props) => {
  const [path, go] = useLocation();
  const screen = screenAt(path);
  const isTheirs = screensOf(signedIn).includes(screen);
  const first = screens[firstScreen(signedIn)].path;
  // A manager begins at the manager's screen, and goes to the cashier's from there. Where somebody else has worked
  // before, the address is theirs: who comes after them begins at their own screen too.
  const [isArriving, setArriving] = useState(path === '/' || (!isTheirs && !page.isFresh));
  const isElsewhere = isArriving && path !== first;
  useEffect(() => {
    page.isFresh = false;
    if (isElsewhere) go(first, { replace: true });
    setArriving(false);
  }, [isElsewhere, first, go]);
  const Area = areas[screen];
  return (
    <div className="tg-screen">
      <ModeBar />
      <HeldBar />
      <ConnectionBanner />
      <TopBar
        shop={shop}
        menu={<PersonMenu signedIn={signedIn} current={screen} onLock={onLock} onSignOut={onSignOut} />}
      />
      {shop.mode === 'live' && mayGoLive(signedIn) && (
        <Suspense>
          <FoundLive />
        </Suspense>
      )}
      <div className="tg-area">
        {!isElsewhere && (
          <CrashBoundary key={screen}>
            <Suspense fallback={<Stack m="md" />}>
              {isTheirs ? <Area /> : <NotTheirs signedIn={signedIn} onSignOut={onSignOut} />}
            </Suspense>
          </CrashBoundary>
        )}
      </div>
    </div>
  );
};
