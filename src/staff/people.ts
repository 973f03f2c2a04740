/** The people of a till as the journal tells of them. */
import type { Permission, Role } from '../api/ports/roles.ts';
import type { PinHash } from './pin.ts';

export type Person = { readonly name: string; readonly role: Role };

/** Why somebody was not let in. */
export type RefusedFor = 'nobody' | 'pin' | 'locked' | 'role';

/** Entries of the journal about the subject `staff`. `by` is who did it; the first manager is added by nobody. */
export type StaffEvent =
  | { on: 'staffAdded'; name: string; role: Role; pin: PinHash; by?: string }
  | { on: 'staffPin'; name: string; pin: PinHash; by: string }
  | { on: 'staffRemoved'; name: string; by: string }
  /** The PIN was right, and the role does. */
  | { on: 'staffAdmitted'; name: string; permission: Permission }
  /** `asked` did it with this person’s word; left out where a program, or nobody, asked. */
  | { on: 'staffAllowed'; name: string; permission: Permission; asked?: string }
  /** The screens were left: by hand, by themselves after a while, or because somebody else was let in there. */
  | { on: 'staffLeft'; name: string; how: 'hand' | 'idle' | 'replaced' }
  /** `monotonic`: ms since the machine was started. A name that nobody has is not written down: it may be a PIN. */
  | { on: 'staffRefused'; name?: string; why: RefusedFor; permission: Permission; monotonic: number }
  /** Those of an hour after the first one, together: how many of each kind, from when to when. */
  | { on: 'staffRefusals'; name?: string; tries: Partial<Record<RefusedFor, number>>; from: number; to: number }
  /** From now on this manager's browser shows the names. */
  | { on: 'browserKnown'; name: string }
  /** The browser that this manager had signed in at shows them no more. */
  | { on: 'browserForgotten'; name: string; by: string };

/** What this version knows of people. */
export const staffKinds: Readonly<Record<StaffEvent['on'], true>> = {
  staffAdded: true,
  staffPin: true,
  staffRemoved: true,
  staffAdmitted: true,
  staffAllowed: true,
  staffLeft: true,
  staffRefused: true,
  staffRefusals: true,
  browserKnown: true,
  browserForgotten: true,
};

export type Known = Person & { readonly pin: PinHash };

/** Names are told apart as people do: Ana and ANA are one. */
export const keyOf = (name: string): string => name.normalize('NFKC').toLowerCase();

/** The people after this event. */
export const peopleAfter = (people: ReadonlyMap<string, Known>, event: StaffEvent): Map<string, Known> => {
  const after = new Map(people);
  if (event.name === undefined) return after;
  const key = keyOf(event.name);
  const known = people.get(key);
  if (event.on === 'staffAdded') {
    const { name, role, pin } = event;
    after.set(key, { name, role, pin });
  } else if (event.on === 'staffRemoved') after.delete(key);
  else if (event.on === 'staffPin' && known !== undefined) after.set(key, { ...known, pin: event.pin });
  return after;
};
