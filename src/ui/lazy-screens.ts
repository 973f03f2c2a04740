/**
 * Parts that no first screen needs: each is a separate file, loaded when first shown or while somebody types their PIN.
 */
import { lazy } from 'react';
import type { SignedIn } from '../api/contract/session.ts';
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

/**
 * Loads what this person will see next; without a person, what most people see next. What fails is loaded again when
 * shown.
 */
export const loadAhead = (signedIn: SignedIn | undefined): void => {
  const path = location.pathname;
  const screen: Screen = signedIn !== undefined && path === '/' ? firstScreen(signedIn) : screenAt(path);
  // An approval is requested over a screen in use, so its dialog must be ready.
  for (const part of [load.screens, () => loadArea(screen), load.override]) part().catch(() => {});
};
