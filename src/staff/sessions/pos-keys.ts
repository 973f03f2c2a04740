/**
 * Keys of programs that sell through this till. The journal has each key as a hash, with who made, approved and removed
 * it; the key itself is shown once and stored nowhere. A key whose approver has left keeps working, so that no register
 * stops on the day a manager leaves; its state asks the other managers to take it over or remove it.
 */

import type { PosKeyRow } from '../../api/contract/store.ts';
import type { Program } from '../../api/ports/session.ts';
import type { Clock } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import type { Random } from '../../base/ids.ts';
import type { Journal } from '../../journal/journal.ts';
import { howToRead } from '../../journal/kinds-known.ts';
import { keyOf } from '../people.ts';
import { mayDo, type Permission, permissionsOf, type Staff } from '../running.ts';
import { createToken, hashOf } from './tokens.ts';

/** A subject of its own: a version without approvals skips it, and the key keeps working there. */
const APPROVALS = 'posKeyApprovals';
const POS_KEYS = 'posKeys';

/** The most keys of a till. A till that had more before this limit existed keeps them. */
export const POS_KEYS_MOST = 50;
const ORIGINS_MOST = 10;
const ORIGIN_LENGTH_MOST = 200;

type PosKeyEvent =
  | { on: 'posKeyMade'; name: string; hash: string; origins: readonly string[]; by?: string; approvedBy?: string }
  | { on: 'posKeyApproved'; name: string; by: string }
  | { on: 'posKeyRemoved'; name: string; by?: string };

const kinds: Readonly<Record<PosKeyEvent['on'], true>> = {
  posKeyMade: true,
  posKeyApproved: true,
  posKeyRemoved: true,
};

type WrittenEntry = { entry: number; at: number };
type StoredKey = Omit<PosKeyRow, 'state'> & {
  hash: string;
  /** The number of the journal entry that approved it. */
  approvedIn?: number;
};

/** Who makes a key, and the manager who approves it; nobody when the till has no people. */
export type KeyPeople = { by?: string | undefined; approvedBy?: string | undefined };

/** The part of the staff that tells whether a key's approver is still responsible for it. */
export type Approvers = Pick<Staff, 'people' | 'addedIn'>;

export interface PosKeys {
  rows(staff: Approvers): PosKeyRow[];
  /**
   * Returns the key, once and never again. Throws `posKey.known`, `posKey.malformed`, `posKey.full`,
   * `journal.unwritable`.
   */
  make(newKey: { name: string; origins?: readonly string[] }, people?: KeyPeople): { name: string; key: string };
  /** Makes this manager responsible for the key. Throws `posKey.unknown`, `journal.unwritable`. */
  approve(name: string, by: string): void;
  /** Removes the key, which then opens nothing. Throws `posKey.unknown`, `journal.unwritable`. */
  remove(name: string, by?: string): void;
  program(key: string): Program | undefined;
  isOrigin(origin: string): boolean;
}

/** What a program at the counter may do: the same as a cashier, except for what concerns people and devices. */
const ofPrograms: readonly Permission[] = permissionsOf('cashier').filter(
  (permission) => permission !== 'signIn' && permission !== 'diagnose',
);

/** Tells people and secret scanners what the key is. */
const PREFIX = 'tillgate_';

export type PosKeysParts = {
  journal: Pick<Journal, 'about' | 'write'>;
  clock: Clock;
  random: Random;
};

export const openPosKeys = ({ journal, clock, random }: PosKeysParts): PosKeys => {
  const roll = openRoll(journal, clock);
  const { byHash, named } = roll;
  const requireKey = (name: string): StoredKey => {
    const found = named(name.trim());
    if (found === undefined) throw new Fault('posKey.unknown', { name });
    return found;
  };
  return {
    rows: (staff) => [...byHash.values()].map((saved) => rowOf(saved, staff)),
    make({ name: input, origins = [] }, { by, approvedBy } = {}) {
      const name = nameIn(input);
      refuseOrigins(origins);
      if (named(name) !== undefined) throw new Fault('posKey.known', { name });
      if (byHash.size >= POS_KEYS_MOST) throw new Fault('posKey.full', { count: byHash.size, most: POS_KEYS_MOST });
      const key = `${PREFIX}${createToken(random)}`;
      const people = { by, approvedBy };
      roll.note({ on: 'posKeyMade', name, hash: hashOf(key), origins, ...people });
      return { name, key };
    },
    approve: (name, by) => roll.note({ on: 'posKeyApproved', name: requireKey(name).name, by }),
    remove: (name, by) => roll.note({ on: 'posKeyRemoved', name: requireKey(name).name, by }),
    program(key) {
      const saved = byHash.get(hashOf(key));
      if (saved === undefined) return undefined;
      saved.lastUsedAt = clock.now();
      const { name, by, approvedBy, origins } = saved;
      const stands = { madeBy: by, approvedBy };
      return { program: name, permissions: ofPrograms, origins, key: stands };
    },
    isOrigin: (origin) => [...byHash.values()].some(({ origins }) => origins.includes(origin)),
  };
};

/** The keys in the journal, and the functions that change them. */
const openRoll = (journal: Pick<Journal, 'about' | 'write'>, clock: Clock) => {
  const byHash = new Map<string, StoredKey>();
  const named = (name: string): StoredKey | undefined =>
    [...byHash.values()].find((saved) => saved.name.toLowerCase() === name.toLowerCase());
  const apply = (event: PosKeyEvent, { entry, at }: WrittenEntry): void => {
    if (event.on === 'posKeyMade') {
      // A key that this version cannot read does not exist here.
      if (howToRead(kinds, event) !== 'read') return;
      const { name, hash, origins, by, approvedBy } = event;
      const approval = approvedBy === undefined ? {} : { approvedBy, approvedAt: at, approvedIn: entry };
      byHash.set(hash, { name, hash, origins, madeAt: at, by, ...approval });
      return;
    }
    const saved = named(event.name);
    if (saved === undefined) return;
    const how = howToRead(kinds, event);
    if (how === 'passOver') return;
    if (how === 'read' && event.on === 'posKeyApproved')
      Object.assign(saved, { approvedBy: event.by, approvedAt: at, approvedIn: entry });
    // A newer version may have restricted the key, so here it may do nothing.
    else byHash.delete(saved.hash);
  };
  const note = (event: PosKeyEvent): void => {
    const subject = event.on === 'posKeyApproved' ? APPROVALS : POS_KEYS;
    let entry = 0;
    journal.write([{ subject, kind: event.on, body: JSON.stringify(event) }], (length) => {
      entry = length;
    });
    apply(event, { entry, at: clock.now() });
  };
  const keyEntries = [...journal.about(POS_KEYS), ...journal.about(APPROVALS)];
  for (const one of keyEntries.sort((left, right) => left.entry - right.entry))
    apply(JSON.parse(one.body) as PosKeyEvent, one);
  return { byHash, named, note };
};

/** A manager who was removed and added again under the same name has not approved the earlier keys. */
const isStillApproved = ({ approvedBy = '', approvedIn = 0 }: StoredKey, staff: Approvers): boolean => {
  const approver = staff.people().find(({ name }) => keyOf(name) === keyOf(approvedBy));
  return approver !== undefined && mayDo(approver.role, 'approveKey') && staff.addedIn(approver.name) < approvedIn;
};

const rowOf = (saved: StoredKey, staff: Approvers): PosKeyRow => {
  const { hash: _, approvedIn: __, ...row } = saved;
  // Nobody could approve it yet.
  if (staff.people().length === 0) return row;
  if (row.approvedBy === undefined) return { ...row, state: 'unapproved' };
  return { ...row, state: isStillApproved(saved, staff) ? 'approved' : 'approverLeft' };
};

const nameIn = (text: string): string => {
  const name = text.trim();
  if (/^[\p{L}\d][\p{L}\p{M}\d ._-]{0,39}$/u.test(name) && !/\d{8,}/.test(name)) return name;
  throw new Fault('posKey.malformed', {
    why: 'its name must begin with a letter or digit and have at most 40 letters, digits, spaces, ".", "_" or "-"',
  });
};

const refuseOrigins = (origins: readonly string[]): void => {
  if (origins.length > ORIGINS_MOST)
    throw new Fault('posKey.malformed', { why: `it has ${origins.length} web origins, and may have ${ORIGINS_MOST}` });
  for (const origin of origins) refuseOrigin(origin);
};

/** The format of the `Origin` header: scheme, host, and the port unless it is the scheme's default. */
const refuseOrigin = (origin: string): void => {
  if (origin.length > ORIGIN_LENGTH_MOST)
    throw new Fault('posKey.malformed', { why: `a web origin has at most ${ORIGIN_LENGTH_MOST} characters` });
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.origin === origin) return;
  throw new Fault('posKey.malformed', { why: `"${origin}" is not a web origin such as https://pos.example` });
};
