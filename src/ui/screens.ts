/** The three screens, who may see each, and where each role starts. */
import type { Permission } from '../api/contract/roles.ts';
import type { SignedIn } from '../api/contract/session.ts';

export const GO_LIVE = '/manager/go-live';

/** The page where a manager decides where the data folder belongs. */
export const MACHINE = '/manager/machine';

const RECEIPT = 'receipt';

/** The cashier's screen with this sale open. */
export const saleAt = (receipt: number): string => `/?${RECEIPT}=${receipt}`;

/** The receipt named in an address of the cashier's screen. */
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

/** Addresses that need a different permission from their screen. */
const places: readonly (readonly [start: string, needs: Permission])[] = [
  ['/manager/open-items', 'settleUnpaid'],
  ['/manager/limits', 'changeLimits'],
  ['/manager/staff', 'manageStaff'],
  [GO_LIVE, 'goLive'],
  [MACHINE, 'placeTill'],
];

export const permissionAt = (path: string): Permission =>
  places.find(([start]) => path.startsWith(start))?.[1] ?? screens[screenAt(path)].needs;

/** The screens that a person may see, in this order. */
export const screensOf = ({ permissions }: Pick<SignedIn, 'permissions'>): Screen[] =>
  (Object.keys(screens) as Screen[]).filter((screen) => permissions.includes(screens[screen].needs));

export const screenAt = (path: string): Screen =>
  (Object.keys(screens) as Screen[]).find((screen) => screen !== 'cashier' && path.startsWith(screens[screen].path)) ??
  'cashier';

/** Whether the person may create a live till beside this test till. */
export const mayGoLive = (signedIn: Pick<SignedIn, 'permissions'> | undefined): boolean =>
  signedIn?.permissions.includes('goLive') === true;

/** Whether the person may decide where the data folder belongs. */
export const mayPlace = (signedIn: Pick<SignedIn, 'permissions'> | undefined): boolean =>
  signedIn?.permissions.includes('placeTill') === true;

/** Where a person starts: at the screen of their role, or without people at the cashier's. */
export const firstScreen = (signedIn: Pick<SignedIn, 'permissions' | 'role'>): Screen => {
  const own = screensOf(signedIn);
  return signedIn.role !== undefined && own.includes(signedIn.role) ? signedIn.role : (own[0] ?? 'cashier');
};
