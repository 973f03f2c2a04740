/**
 * What no first screen needs: each part is a file of its own, loaded when it is first shown, or while somebody types
 * their PIN.
 */
import { lazy } from 'react';
import type { SignedIn } from '../api/ports/session.ts';
import { loadArea } from './areas.ts';
import { firstScreen, type Screen, screenAt } from './screens.ts';

const load = {
  screens: () => import('./signed-in.tsx'),
  override: () => import('./parts/override-dialog.tsx'),
};

export const Screens = lazy(() => load.screens().then(({ Screens: part }) => ({ default: part })));
export const FirstStart = lazy(() =>
  import('./sign-in/first-start.tsx').then(({ FirstStart: part }) => ({ default: part })),
);
export const StartCode = lazy(() =>
  import('./sign-in/first-start.tsx').then(({ StartCode: part }) => ({ default: part })),
);
export const OverrideDialog = lazy(() => load.override().then(({ OverrideDialog: part }) => ({ default: part })));

/** Brings what somebody will see next; for nobody yet, what most will. What fails is brought again when it is shown. */
export const loadAhead = (signedIn: SignedIn | undefined): void => {
  const path = location.pathname;
  const screen: Screen = signedIn !== undefined && path === '/' ? firstScreen(signedIn) : screenAt(path);
  // A manager's word is asked for over a screen that somebody works in: nothing may be missing then.
  for (const part of [load.screens, () => loadArea(screen), load.override]) part().catch(() => {});
};
