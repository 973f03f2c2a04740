/** Lets people in by name and PIN, and changes who they are. Every change and every refused try is in the journal. */
import type { Clock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import type { Random } from '../base/ids.ts';
import type { StretchCost } from '../base/stretch.ts';
import type { Journal } from '../journal/journal.ts';
import {
  type Known,
  keyOf,
  lockedForMs,
  type Person,
  peopleAfter,
  type RefusedFor,
  type StaffEvent,
} from './people.ts';
import { hashPin, pinFits } from './pin.ts';
import { mayDo, type Permission, permissionWords, type Role } from './roles.ts';

export const STAFF = 'staff';

export interface Staff {
  people(): Person[];
  /** How long nobody gets in under this name, ms; 0 for one who can try, and for a name that nobody has. */
  lockedMs(name: string): number;
  /** Of the PIN that somebody has now: another one for each new PIN. Undefined for a name that nobody has. */
  pinMark(name: string): string | undefined;
  /** Somebody known, by name alone, whose role does. Throws `staff.unknown`, `staff.notAllowed`. */
  named(name: string, permission: Permission): Person;
  /**
   * Who this is, if the PIN is theirs and their role does. Throws `staff.nobody` when nobody is known at this till,
   * `staff.refused` for a wrong name or PIN, `staff.locked` after too many, `staff.notAllowed`, `journal.unwritable`.
   */
  admit(who: { name: string; pin: string }, permission: Permission): Promise<Person>;
  /** `by` is left out for the first person alone, who must be a manager. Throws `staff.known`, `staff.name` … */
  add(fresh: Person & { pin: string }, by?: Person): Promise<Person>;
  /** Throws `staff.lastManager`: somebody must be able to let others in. */
  remove(name: string, by: Person): Person;
  changePin(change: { name: string; pin: string }, by: Person): Promise<Person>;
  /** Notes that somebody did with another one’s word what their own role does not. Throws `journal.unwritable`. */
  noteAllowed(word: { by: string; permission: Permission; asked?: string | undefined }): void;
  /** Notes that somebody left the screens. Throws `journal.unwritable`. */
  noteLeft(name: string, how: 'hand' | 'idle' | 'replaced'): void;
}

export type StaffParts = {
  journal: Pick<Journal, 'about' | 'write'>;
  clock: Clock;
  random: Random;
  /** Of new PINs; one that is kept is verified at the cost it was kept with. */
  stretchCost: StretchCost;
  /** A key that is not in the journal, 32 bytes. */
  pepper: Uint8Array;
};

/** The people as they stand, and the pen that changes them. */
type Roll = StaffParts & { people(): ReadonlyMap<string, Known>; note(event: StaffEvent): void };

const openRoll = (parts: StaffParts): Roll => {
  const { journal } = parts;
  let people: ReadonlyMap<string, Known> = new Map();
  for (const { body } of journal.about(STAFF)) people = peopleAfter(people, JSON.parse(body) as StaffEvent);
  return {
    ...parts,
    people: () => people,
    note(event) {
      journal.write([{ subject: STAFF, kind: event.on, body: JSON.stringify(event) }]);
      people = peopleAfter(people, event);
    },
  };
};

export const openStaff = (parts: StaffParts): Staff => {
  const roll = openRoll(parts);
  /** One at a time: guesses side by side would be counted as one. */
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work, work);
    turn = mine.catch(() => {});
    return mine;
  };
  return {
    people: () => [...roll.people().values()].map(personOf),
    lockedMs(name) {
      const known = roll.people().get(keyOf(name));
      return known === undefined ? 0 : lockedForMs(known, parts.clock.monotonic());
    },
    pinMark: (name) => roll.people().get(keyOf(name))?.pin.salt,
    named(name, permission) {
      const known = knownIn(roll.people(), name.trim());
      refuseRole(known, permission);
      return personOf(known);
    },
    admit: (who, permission) => inTurn(() => admit(roll, who, permission)),
    add: (fresh, by) => inTurn(() => add(roll, fresh, by)),
    changePin: (change, by) => inTurn(() => changePin(roll, change, by)),
    remove: (name, by) => remove(roll, name, by),
    noteAllowed: ({ by: name, permission, asked }) =>
      roll.note({ on: 'staffAllowed', name, permission, ...(asked !== undefined && { asked }) }),
    noteLeft: (name, how) => roll.note({ on: 'staffLeft', name, how }),
  };
};

const admit = async (
  roll: Roll,
  { name, pin }: { name: string; pin: string },
  permission: Permission,
): Promise<Person> => {
  const { clock, pepper } = roll;
  if (roll.people().size === 0) throw new Fault('staff.nobody');
  const known = roll.people().get(keyOf(name));
  const refuse = (why: RefusedFor): void => {
    const named = known !== undefined && { name: known.name };
    roll.note({ on: 'staffRefused', ...named, why, permission, monotonic: clock.monotonic() });
  };
  const lockedMs = known === undefined ? 0 : lockedForMs(known, clock.monotonic());
  if (lockedMs > 0) {
    refuse('locked');
    throw new Fault('staff.locked', { minutes: Math.ceil(lockedMs / 60_000) });
  }
  if (known === undefined || !(await pinFits(pin, pepper, known.pin))) {
    refuse(known === undefined ? 'nobody' : 'pin');
    throw new Fault('staff.refused');
  }
  if (!mayDo(known.role, permission)) {
    refuse('role');
    refuseRole(known, permission);
  }
  roll.note({ on: 'staffAdmitted', name: known.name, permission });
  return personOf(known);
};

const add = async (
  roll: Roll,
  { name: given, role, pin }: Person & { pin: string },
  by: Person | undefined,
): Promise<Person> => {
  const name = nameIn(given);
  if (roll.people().has(keyOf(name))) throw new Fault('staff.known', { name });
  if (by === undefined) refuseWithoutManager(roll.people(), role);
  const hash = await hashPin(pin, roll);
  roll.note({ on: 'staffAdded', name, role, pin: hash, ...(by && { by: by.name }) });
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

const personOf = ({ name, role }: Known): Person => ({ name, role });

const knownIn = (people: ReadonlyMap<string, Known>, name: string): Known => {
  const known = people.get(keyOf(name));
  if (known === undefined) throw new Fault('staff.unknown', { name: isName(name) ? name : 'this name' });
  return known;
};

/** The first one is let in by nobody: it has to be somebody who can let in others. */
const refuseWithoutManager = (people: ReadonlyMap<string, Known>, role: Role): void => {
  if (people.size > 0) throw new Fault('staff.needed', { what: permissionWords.manageStaff });
  if (role !== 'manager') throw new Fault('staff.firstManager');
};

/** No digits: a PIN, or a card number, in the place of a name must not be written down. */
const isName = (text: string): boolean => /^\p{L}[\p{L}\p{M} .'’-]{0,39}$/u.test(text);

const nameIn = (text: string): string => {
  const name = text.trim();
  if (isName(name)) return name;
  throw new Fault('staff.name');
};
