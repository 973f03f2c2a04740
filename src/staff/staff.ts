/**
 * Checks people by name and PIN, and changes the staff. Every change is in the journal, and so is every refused try:
 * the first at once, later ones as one entry an hour.
 */

import { mayDo, type Permission, type Role } from '../api/contract/roles.ts';
import type { Clock } from '../base/clock.ts';
import { Fault, isFault } from '../base/fault.ts';
import type { Random } from '../base/ids.ts';
import type { StretchCost } from '../base/stretch.ts';
import type { Journal } from '../journal/journal.ts';
import { howToRead } from '../journal/kinds-known.ts';
import { permissionWords } from '../locales/messages/en/permissions.ts';
import { type KnownBrowsers, openKnownBrowsers } from './known-browsers.ts';
import {
  createUnusablePin,
  hashPin,
  type KnownPerson,
  keyOf,
  type Person,
  peopleAfter,
  pinFits,
  type SignInRefusal,
  type StaffEvent,
  staffKinds,
} from './people.ts';
import { openRefusals, type Refusals } from './refusals.ts';
import { openTries, type Tries } from './tries.ts';

export const STAFF = 'staff';

/** Where a try comes from, and how long it may wait. */
export type PinAttemptOrigin = {
  /** The hash of a known browser's token; an unknown browser counts as none. */
  browser?: string | undefined;
  /** How long the try may wait while the rate limit allows none, ms. 0 or absent: it is refused at once. */
  patienceMs?: number;
  /** Aborted when nobody waits for the answer any more. */
  gone?: AbortSignal | undefined;
};

export interface Staff {
  people(): Person[];
  /** How many tries under this name were refused in the current hour. */
  refusedTries(name: string): number;
  /** Browsers that a manager has signed in at. */
  browsers: KnownBrowsers;
  /** Identifies a person's present PIN: different for each new PIN. Undefined for an unknown name. */
  pinMark(name: string): string | undefined;
  /** The number of the journal entry that added this person; 0 for an unknown name. */
  addedIn(name: string): number;
  /** A known person, by name alone, whose role has the permission. Throws `staff.unknown`, `staff.notAllowed`. */
  named(name: string, permission: Permission): Person;
  /**
   * The person, if the PIN is theirs and their role has the permission. Throws `staff.nobody` when the till has no
   * people, `staff.refused` for a wrong name or PIN, `staff.locked` after too many tries, `staff.notAllowed`,
   * `journal.unwritable`.
   */
  admit(who: { name: string; pin: string }, permission: Permission, origin?: PinAttemptOrigin): Promise<Person>;
  /** `by` is absent only for the first person, who must be a manager. Throws `staff.known`, `staff.name` and others. */
  add(newPerson: Person & { pin: string }, by?: Person): Promise<Person>;
  /** Throws `staff.lastManager`: somebody must remain who can add others. */
  remove(name: string, by: Person): Person;
  changePin(change: { name: string; pin: string }, by: Person): Promise<Person>;
  /**
   * Records that somebody did, with another person's approval, what their own role does not allow. Throws
   * `journal.unwritable`.
   */
  noteAllowed(word: { by: string; permission: Permission; asked?: string | undefined }): void;
  /** Records that somebody left the screens. Throws `journal.unwritable`. */
  noteLeft(name: string, how: 'hand' | 'idle' | 'replaced'): void;
  /** Call it before closing the journal: stores the counts of refused tries, and ends all waiting. */
  close(): void;
}

export type StaffParts = {
  journal: Pick<Journal, 'about' | 'write' | 'sql'>;
  clock: Clock;
  random: Random;
  /** The cost of new PIN hashes; a stored hash is verified with its own cost. */
  stretchCost: StretchCost;
  /** A key that is not in the journal, 32 bytes. */
  pepper: Uint8Array;
};

/** The present staff, and the functions that change it. */
type Roll = StaffParts & {
  people(): ReadonlyMap<string, KnownPerson>;
  /** The numbers of the journal entries that added them. */
  addedIn: ReadonlyMap<string, number>;
  note(event: StaffEvent, also?: () => void): void;
  /**
   * Throws `staff.newer` when only a newer version understands all entries about people: here they cannot be changed.
   */
  refuseNewer(): void;
  tries: Tries;
  refusals: Refusals;
};

const openRoll = (parts: StaffParts): Roll => {
  const { journal } = parts;
  let people: ReadonlyMap<string, KnownPerson> = new Map();
  const addedIn = new Map<string, number>();
  const apply = (event: StaffEvent, entry: number): void => {
    people = peopleAfter(people, event);
    if (event.on === 'staffAdded') addedIn.set(keyOf(event.name), entry);
  };
  let newer: string | undefined;
  for (const { entry, body } of journal.about(STAFF)) {
    const event = JSON.parse(body) as StaffEvent;
    const how = howToRead(staffKinds, event);
    if (how === 'read') apply(event, entry);
    else if (how === 'newer') newer ??= event.on;
  }
  const note: Roll['note'] = (event, also) => {
    let entry = 0;
    journal.write([{ subject: STAFF, kind: event.on, body: JSON.stringify(event) }], (length) => {
      entry = length;
      also?.();
    });
    apply(event, entry);
  };
  const { clock, random } = parts;
  const { sql } = journal;
  const tries = openTries({ sql, clock, random });
  return {
    ...parts,
    people: () => people,
    addedIn,
    note,
    refuseNewer() {
      if (newer !== undefined) throw new Fault('staff.newer', { what: newer });
    },
    tries,
    refusals: openRefusals({ sql, clock, write: note }),
  };
};

export const openStaff = (parts: StaffParts): Staff => {
  const roll = openRoll(parts);
  const currentRoll = (): Roll => {
    roll.refuseNewer();
    return roll;
  };
  const browsers = browsersOf(roll);
  /** One change at a time, so that the second sees the result of the first. */
  let turn: Promise<unknown> = Promise.resolve();
  const runInTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const ownTurn = turn.then(work, work);
    turn = ownTurn.catch(() => {});
    return ownTurn;
  };
  return {
    people: () => [...roll.people().values()].map(personOf),
    refusedTries: (name) => roll.refusals.count(name),
    browsers,
    pinMark: (name) => roll.people().get(keyOf(name))?.pin.salt,
    addedIn: (name) => (roll.people().has(keyOf(name)) ? (roll.addedIn.get(keyOf(name)) ?? 0) : 0),
    named(name, permission) {
      const known = knownIn(roll.people(), name.trim());
      refuseRole(known, permission);
      return personOf(known);
    },
    admit: (who, permission, origin = {}) => admit({ ...roll, browsers }, who, { permission, ...origin }),
    add: (newPerson, by) => runInTurn(async () => add(currentRoll(), newPerson, by)),
    changePin: (change, by) => runInTurn(async () => changePin(currentRoll(), change, by)),
    remove: (name, by) => remove(currentRoll(), name, by),
    noteAllowed: ({ by: name, permission, asked }) => roll.note({ on: 'staffAllowed', name, permission, asked }),
    noteLeft: (name, how) => roll.note({ on: 'staffLeft', name, how }),
    close() {
      roll.tries.close();
      roll.refusals.close();
    },
  };
};

/** Forgetting a browser also deletes its count of tries. */
const browsersOf = ({ journal, clock, tries, note }: Roll): KnownBrowsers => {
  const browsers = openKnownBrowsers({ sql: journal.sql, clock, note });
  return {
    ...browsers,
    add(hash, by) {
      const removed = browsers.add(hash, by);
      for (const one of removed) tries.forget(one);
      return removed;
    },
    forget(hash, by) {
      browsers.forget(hash, by);
      tries.forget(hash);
    },
  };
};

type Admitting = PinAttemptOrigin & { permission: Permission };

const admit = async (
  roll: Roll & { browsers: KnownBrowsers },
  who: { name: string; pin: string },
  { permission, browser, patienceMs = 0, gone: signal }: Admitting,
): Promise<Person> => {
  if (roll.people().size === 0) throw new Fault('staff.nobody');
  const refuse = (reason: SignInRefusal): void =>
    roll.refusals.note({ name: roll.people().get(keyOf(who.name))?.name, why: reason, permission });
  const source = roll.tries.from(browser !== undefined && roll.browsers.has(browser) ? browser : undefined);
  try {
    await source.enter({ patienceMs, abortSignal: signal });
  } catch (error) {
    if (isFault(error, 'staff.locked')) refuse('locked');
    throw error;
  }
  try {
    const known = await provenBy(roll, who);
    if (known === undefined) {
      source.noteWrong();
      refuse(roll.people().has(keyOf(who.name)) ? 'pin' : 'nobody');
      throw new Fault('staff.refused');
    }
    if (!mayDo(known.role, permission)) {
      refuse('role');
      refuseRole(known, permission);
    }
    roll.note({ on: 'staffAdmitted', name: known.name, permission });
    return personOf(known);
  } finally {
    source.leave();
  }
};

/** Takes the same time for an unknown name, which therefore looks like a wrong PIN. */
const provenBy = async (roll: Roll, { name, pin }: { name: string; pin: string }): Promise<KnownPerson | undefined> => {
  const known = roll.people().get(keyOf(name));
  const fits = await pinFits(pin, roll.pepper, known?.pin ?? createUnusablePin(roll.stretchCost));
  return fits ? known : undefined;
};

const add = async (
  roll: Roll,
  { name: input, role, pin }: Person & { pin: string },
  by: Person | undefined,
): Promise<Person> => {
  const name = nameIn(input);
  if (roll.people().has(keyOf(name))) throw new Fault('staff.known', { name });
  if (by === undefined) refuseWithoutManager(roll.people(), role);
  const hash = await hashPin(pin, roll);
  roll.note({ on: 'staffAdded', name, role, pin: hash, by: by?.name });
  return { name, role };
};

const changePin = async (roll: Roll, { name, pin }: { name: string; pin: string }, by: Person): Promise<Person> => {
  const known = knownIn(roll.people(), name);
  roll.note({ on: 'staffPin', name: known.name, pin: await hashPin(pin, roll), by: by.name });
  return personOf(known);
};

const remove = (roll: Roll, name: string, by: Person): Person => {
  const known = knownIn(roll.people(), name);
  const others = [...roll.people().values()].filter((person) => person !== known);
  if (known.role === 'manager' && !others.some(({ role }) => role === 'manager'))
    throw new Fault('staff.lastManager', { name: known.name });
  roll.note({ on: 'staffRemoved', name: known.name, by: by.name });
  return personOf(known);
};

const refuseRole = ({ name, role }: Person, permission: Permission): void => {
  if (!mayDo(role, permission)) throw new Fault('staff.notAllowed', { name, role, what: permissionWords[permission] });
};

const personOf = ({ name, role }: KnownPerson): Person => ({ name, role });

const knownIn = (people: ReadonlyMap<string, KnownPerson>, name: string): KnownPerson => {
  const known = people.get(keyOf(name));
  if (known === undefined) throw new Fault('staff.unknown', { name: isName(name) ? name : 'this name' });
  return known;
};

/** The first person is added by nobody, and must be somebody who can add others. */
const refuseWithoutManager = (people: ReadonlyMap<string, KnownPerson>, role: Role): void => {
  if (people.size > 0) throw new Fault('staff.needed', { what: permissionWords.manageStaff });
  if (role !== 'manager') throw new Fault('staff.firstManager');
};

/** No digits: a PIN or a card number typed as a name must not be stored. */
const isName = (text: string): boolean => /^\p{L}[\p{L}\p{M} .'’-]{0,39}$/u.test(text);

const nameIn = (text: string): string => {
  const name = text.trim();
  if (isName(name)) return name;
  throw new Fault('staff.name');
};
