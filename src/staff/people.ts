/** The people of a till as the journal tells of them: who is there, and how often somebody has guessed at a PIN. */
import type { PinHash } from './pin.ts';
import type { Permission, Role } from './roles.ts';

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
  | { on: 'staffRefused'; name?: string; why: RefusedFor; permission: Permission; monotonic: number };

export type Known = Person & {
  readonly pin: PinHash;
  /** Wrong PINs since the last right one. */
  readonly wrong: number;
  /** When the last wrong one was, ms since the machine was started. */
  readonly wrongAt: number;
};

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
    after.set(key, { name, role, pin, wrong: 0, wrongAt: 0 });
  } else if (event.on === 'staffRemoved') after.delete(key);
  else if (known !== undefined) after.set(key, personAfter(known, event));
  return after;
};

const personAfter = (known: Known, event: Exclude<StaffEvent, { on: 'staffAdded' | 'staffRemoved' }>): Known => {
  if (event.on === 'staffPin') return { ...known, pin: event.pin, wrong: 0, wrongAt: 0 };
  if (event.on === 'staffAllowed' || event.on === 'staffLeft') return known;
  if (event.on === 'staffAdmitted') return { ...known, wrong: 0, wrongAt: 0 };
  // The PIN was right: a role that does not do is no guess.
  if (event.why === 'role') return { ...known, wrong: 0, wrongAt: 0 };
  return event.why === 'pin' ? { ...known, wrong: known.wrong + 1, wrongAt: event.monotonic } : known;
};

const WRONG_MOST = 5;
const FIRST_LOCK_MS = 60_000;
const LONGEST_LOCK_MS = 3_600_000;

/** How long nobody gets in under this name, ms: a minute after the fifth wrong PIN, doubled by each one after it. */
export const lockedForMs = ({ wrong, wrongAt }: Known, monotonic: number): number => {
  if (wrong < WRONG_MOST) return 0;
  const lockMs = Math.min(LONGEST_LOCK_MS, FIRST_LOCK_MS * 2 ** (wrong - WRONG_MOST));
  // Less than then: the machine was started since, and that long ago at least.
  const passedMs = monotonic >= wrongAt ? monotonic - wrongAt : monotonic;
  return Math.max(0, lockMs - passedMs);
};
