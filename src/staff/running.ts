/**
 * The people of a running till. Their PINs are hashed with a key derived from the till's key, which no journal
 * contains.
 */
import { createHmac } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import type { Random } from '../base/ids.ts';
import type { StretchCost } from '../base/stretch.ts';
import type { Secrets } from '../folder/keys/secrets.ts';
import type { Journal } from '../journal/journal.ts';
import { type KnownBrowser, openKnownBrowsers } from './known-browsers.ts';
import { type KnownPerson, peopleAfter, type StaffEvent } from './people.ts';
import { openStaff, STAFF, type Staff } from './staff.ts';

export {
  isPermission,
  isRole,
  mayDo,
  type Permission,
  permissions,
  permissionsOf,
  permissionToChange,
  type Role,
  roles,
} from '../api/contract/roles.ts';
export type { KnownPerson, Person } from './people.ts';
export type { Staff } from './staff.ts';

export type StaffOfTill = {
  journal: Journal;
  clock: Clock;
  random: Random;
  stretchCost: StretchCost;
  keys: PinKeys;
};

/** Keys from the till's secrets. `staffPepper` exists when people were taken over from another till. */
type PinKeys = Pick<Secrets, 'tillKey' | 'staffPepper'>;

/** The key that the PINs of this till are hashed with. */
export const pepperOf = ({ tillKey, staffPepper }: PinKeys): Uint8Array =>
  staffPepper ?? createHmac('sha256', tillKey).update('tillgate staff pins').digest();

export const staffOfTill = ({ keys, ...parts }: StaffOfTill): Staff => openStaff({ ...parts, pepper: pepperOf(keys) });

/** The people in this journal with their PIN hashes, for the till that continues with them. */
export const peopleIn = (journal: Pick<Journal, 'about'>): KnownPerson[] => {
  let people: ReadonlyMap<string, KnownPerson> = new Map();
  for (const { body } of journal.about(STAFF)) people = peopleAfter(people, JSON.parse(body) as StaffEvent);
  return [...people.values()];
};

/** People of another till, with the browsers that show their names. */
export type CarriedStaff = { people: readonly KnownPerson[]; browsers?: readonly Pick<KnownBrowser, 'hash' | 'by'>[] };

/** Starts a new journal with the people of another till. Their PINs work only with that till's pepper. */
export const noteCarried = (
  { journal, clock }: { journal: Pick<Journal, 'write' | 'sql'>; clock: Clock },
  { people, browsers = [] }: CarriedStaff,
  by: string | undefined,
): void => {
  const events = people.map(({ name, role, pin }): StaffEvent => ({ on: 'staffAdded', name, role, pin, by }));
  const entryOf = (event: StaffEvent) => ({ subject: STAFF, kind: event.on, body: JSON.stringify(event) });
  journal.write(events.map(entryOf));
  const known = openKnownBrowsers({
    sql: journal.sql,
    clock,
    note: (event, also) => journal.write([entryOf(event)], also),
  });
  for (const { hash, by: manager } of browsers) known.add(hash, manager);
};
