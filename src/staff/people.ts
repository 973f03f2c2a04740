/** The people of a till as the journal tells of them. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Permission, Role } from '../api/ports/roles.ts';
import { Fault } from '../base/fault.ts';
import { fromHex, toHex } from '../base/hex.ts';
import type { Random } from '../base/ids.ts';
import { type StretchCost, stretch } from '../base/stretch.ts';

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

// A person's PIN: scrypt over it and a key of this till, so that a copy of the journal alone does not give it away.

type PinHash = { readonly salt: string; readonly hash: string; readonly cost: number };

const stretched = (pin: string, pepper: Uint8Array, { salt, cost }: Omit<PinHash, 'hash'>): Promise<Uint8Array> =>
  stretch(createHmac('sha256', pepper).update(pin).digest(), fromHex(salt), cost);

/** `pepper` is kept outside the journal. Throws `staff.pinWeak`. */
export const hashPin = async (
  pin: string,
  { pepper, random, stretchCost: cost }: { pepper: Uint8Array; random: Random; stretchCost: StretchCost },
): Promise<PinHash> => {
  refuseWeak(pin);
  const salt = toHex(random(16));
  return { salt, cost, hash: toHex(await stretched(pin, pepper, { salt, cost })) };
};

export const pinFits = async (pin: string, pepper: Uint8Array, kept: PinHash): Promise<boolean> =>
  timingSafeEqual(await stretched(pin, pepper, kept), fromHex(kept.hash));

/** What no PIN fits, at the cost of one that somebody has: a name that nobody has is refused no sooner. */
export const nobodysPin = (cost: StretchCost): PinHash => ({ ...NO_PIN, cost });

const NO_PIN = { salt: '00'.repeat(16), hash: '00'.repeat(32) };

/** Throws `staff.pinWeak` with what is wrong, never with the PIN. */
const refuseWeak = (pin: string): void => {
  const why = weaknessOf(pin);
  if (why !== undefined) throw new Fault('staff.pinWeak', { why });
};

const DIGITS_LEAST = 4;
const DIGITS_MOST = 12;
/** Of the four-digit PINs that people choose, these lead every published list beside runs, repeats and years. */
const common = new Set(['2580', '0852', '1379', '1397', '5683', '6969', '8520', '0070', '5150', '147258', '159753']);

const weaknessOf = (pin: string): string | undefined => {
  if (!/^\d+$/.test(pin)) return 'it is made of digits';
  if (pin.length < DIGITS_LEAST || pin.length > DIGITS_MOST) return `it has ${DIGITS_LEAST} to ${DIGITS_MOST} digits`;
  if (isRun(pin)) return 'digits in a row are guessed first';
  if (/^(\d{1,3})\1+$/.test(pin)) return 'repeated digits are guessed first';
  if (/^(19|20)\d\d$/.test(pin)) return 'a year is guessed first';
  return common.has(pin) || /^(\d)\1+(\d)\2+$/.test(pin) ? 'it is one of those that are guessed first' : undefined;
};

/** 1234, 9876, 7890: each digit one more, or one less, than the one before. */
const isRun = (pin: string): boolean =>
  [1, 9].some((step) => [...pin].every((digit, n) => n === 0 || (Number(pin[n - 1]) + step) % 10 === Number(digit)));
