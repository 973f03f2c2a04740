/** The screens of the person signed in, under one bar: one for each role, loaded when first shown. */
import { Stack } from '@mantine/core';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { ShopFacts, SignedIn } from '../api/contract/session.ts';
import { areas } from './areas.ts';
import { HeldBar, ModeBar } from './parts/bars.tsx';
import { ConnectionBanner } from './parts/connection.tsx';
import { PersonMenu } from './parts/person-menu.tsx';
import { CrashBoundary } from './parts/problem.tsx';
import { TopBar } from './parts/top-bar.tsx';
import { firstScreen, mayGoLive, screenAt, screens, screensOf } from './screens.ts';

const FoundLive = lazy(() => import('./parts/found-live.tsx').then(({ FoundLive: part }) => ({ default: part })));

const NotTheirs = lazy(() => import('./parts/no-permission.tsx').then(({ NoPermission: part }) => ({ default: part })));

/** No screens have been drawn since the page was loaded, so the first person goes to its address. */
const page = { isFresh: true };

type Props = { shop: ShopFacts; signedIn: SignedIn; onLock: () => void; onSignOut: () => void };

export const Screens = ({ shop, signedIn, onLock, onSignOut }: Props) => {
  const [path, navigate] = useLocation();
  const screen = screenAt(path);
  const isTheirs = screensOf(signedIn).includes(screen);
  const first = screens[firstScreen(signedIn)].path;
  // A manager starts at the manager's screen, and goes to the cashier's from there. If somebody else has worked here,
  // the address is theirs, and the next person also starts at their own screen.
  const [isArriving, setArriving] = useState(path === '/' || (!isTheirs && !page.isFresh));
  const isElsewhere = isArriving && path !== first;
  useEffect(() => {
    page.isFresh = false;
    if (isElsewhere) navigate(first, { replace: true });
    setArriving(false);
  }, [isElsewhere, first, navigate]);
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
