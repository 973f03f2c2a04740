/** The screens of each role, loaded when they are first shown. */
import { lazy } from 'react';
import type { Screen } from './screens.ts';

const load = {
  cashier: () => import('./cashier/cashier.tsx'),
  manager: () => import('./manager/manager.tsx'),
  technician: () => import('./technician/technician.tsx'),
};

export const areas = {
  cashier: lazy(() => load.cashier().then(({ Cashier: part }) => ({ default: part }))),
  manager: lazy(() => load.manager().then(({ Manager: part }) => ({ default: part }))),
  technician: lazy(() => load.technician().then(({ Technician: part }) => ({ default: part }))),
};

/** Loads the screens of a role before they are shown. */
export const loadArea = (screen: Screen): Promise<unknown> => load[screen]();
