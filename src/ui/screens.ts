/** The three screens, who may see each, and where each role begins. */
import type { Permission } from '../api/ports/roles.ts';
import type { SignedIn } from '../api/ports/session.ts';

/** Where a test till is made a live one of. */
export const GO_LIVE = '/manager/go-live';

/** Where a manager says where the data folder belongs. */
export const MACHINE = '/manager/machine';

const RECEIPT = 'receipt';

/** The cashier's screen with this sale open on it. */
export const saleAt = (receipt: number): string => `/?${RECEIPT}=${receipt}`;

/** The receipt that an address of the cashier's screen asks for. */
export const receiptAt = (search: string): number | undefined => {
  const text = new URLSearchParams(search).get(RECEIPT) ?? '';
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
};

export type Screen = 'cashier' | 'manager' | 'technician';

export const screens: Readonly<Record<Screen, { path: string; needs: Permission }>> = {
  cashier: { path: '/', needs: 'sell' },
  manager: { path: '/manager', needs: 'closeBatch' },
  technician: { path: '/technician', needs: 'pairTerminal' },
};

/** What is done at some of a screen's addresses; the others need what the screen does. */
const places: readonly (readonly [start: string, needs: Permission])[] = [
  ['/manager/open-items', 'settleUnpaid'],
  ['/manager/limits', 'changeLimits'],
  ['/manager/staff', 'manageStaff'],
  [GO_LIVE, 'goLive'],
  [MACHINE, 'placeTill'],
];

/** The permission that whoever opens this address needs. */
export const neededAt = (path: string): Permission =>
  places.find(([start]) => path.startsWith(start))?.[1] ?? screens[screenAt(path)].needs;

/** Those that somebody may see, in this order. */
export const screensOf = ({ permissions }: Pick<SignedIn, 'permissions'>): Screen[] =>
  (Object.keys(screens) as Screen[]).filter((screen) => permissions.includes(screens[screen].needs));

/** Which screen an address belongs to. */
export const screenAt = (path: string): Screen =>
  (Object.keys(screens) as Screen[]).find((screen) => screen !== 'cashier' && path.startsWith(screens[screen].path)) ??
  'cashier';

/** Whether somebody may make a live till beside this test till. */
export const mayGoLive = (signedIn: Pick<SignedIn, 'permissions'> | undefined): boolean =>
  signedIn?.permissions.includes('goLive') === true;

/** Whether somebody may say where the data folder belongs. */
export const mayPlace = (signedIn: Pick<SignedIn, 'permissions'> | undefined): boolean =>
  signedIn?.permissions.includes('placeTill') === true;

/** Where somebody begins: at the screen of their role; without names, at the cashier's. */
export const firstScreen = (signedIn: Pick<SignedIn, 'permissions' | 'role'>): Screen => {
  const mine = screensOf(signedIn);
  return signedIn.role !== undefined && mine.includes(signedIn.role) ? signedIn.role : (mine[0] ?? 'cashier');
};
