/** The people of a running till. Their PINs are kept under a key derived from the till's, which no journal holds. */
import { createHmac } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import type { Random } from '../base/ids.ts';
import type { StretchCost } from '../base/stretch.ts';
import type { Journal } from '../journal/journal.ts';
import { openStaff, type Staff } from '../staff/staff.ts';

export type { Person } from '../staff/people.ts';
export {
  isPermission,
  isRole,
  type Permission,
  permissions,
  permissionsOf,
  permissionWords,
  type Role,
  roles,
} from '../staff/roles.ts';
export type { Staff } from '../staff/staff.ts';

export type StaffOfTill = {
  journal: Journal;
  clock: Clock;
  random: Random;
  stretchCost: StretchCost;
  tillKey: Uint8Array;
};

export const staffOfTill = ({ tillKey, ...parts }: StaffOfTill): Staff =>
  openStaff({ ...parts, pepper: createHmac('sha256', tillKey).update('tillgate staff pins').digest() });
