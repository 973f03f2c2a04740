/** The people of a till, as recorded in the journal. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Permission, Role } from '../api/contract/roles.ts';
import { Fault } from '../base/fault.ts';
import { fromHex, toHex } from '../base/hex.ts';
import type { Random } from '../base/ids.ts';
import { type StretchCost, stretch } from '../base/stretch.ts';

export type Person = { readonly name: string; readonly role: Role };

export type SignInRefusal = 'nobody' | 'pin' | 'locked' | 'role';

/** Journal entries on the subject `staff`. `by` is who did it; nobody adds the first manager. */
export type StaffEvent =
  | { on: 'staffAdded'; name: string; role: Role; pin: PinHash; by?: string }
  | { on: 'staffPin'; name: string; pin: PinHash; by: string }
  | { on: 'staffRemoved'; name: string; by: string }
  /** The PIN was right, and the role has the permission. */
  | { on: 'staffAdmitted'; name: string; permission: Permission }
  /** `asked` did it with this person's approval; absent when a program or nobody asked. */
  | { on: 'staffAllowed'; name: string; permission: Permission; asked?: string }
  /** The screens were left: by signing out, after an idle time, or because somebody else signed in there. */
  | { on: 'staffLeft'; name: string; how: 'hand' | 'idle' | 'replaced' }
  /** `monotonic`: ms since the machine was started. An unknown name is not recorded, because it may be a PIN. */
  | { on: 'staffRefused'; name?: string; why: SignInRefusal; permission: Permission; monotonic: number }
  /** The refusals of one hour after the first one, summed: how many of each kind, from when to when. */
  | { on: 'staffRefusals'; name?: string; tries: Partial<Record<SignInRefusal, number>>; from: number; to: number }
  /** From now on this manager's browser shows the names. */
  | { on: 'browserKnown'; name: string }
  /** A browser at which this manager had signed in no longer shows the names. */
  | { on: 'browserForgotten'; name: string; by: string };

/** The kinds of entries about people that this version knows. */
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

export type KnownPerson = Person & { readonly pin: PinHash };

/** Names are compared as people do: Ana and ANA are the same. */
export const keyOf = (name: string): string => name.normalize('NFKC').toLowerCase();

export const peopleAfter = (people: ReadonlyMap<string, KnownPerson>, event: StaffEvent): Map<string, KnownPerson> => {
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

// Hashes a PIN with scrypt and a key of this till, so that a copy of the journal alone does not reveal it.

type PinHash = { readonly salt: string; readonly hash: string; readonly cost: number };

const stretchPin = (pin: string, pepper: Uint8Array, { salt, cost }: Omit<PinHash, 'hash'>): Promise<Uint8Array> =>
  stretch(createHmac('sha256', pepper).update(pin).digest(), fromHex(salt), cost);

/** `pepper` is stored outside the journal. Throws `staff.pinWeak`. */
export const hashPin = async (
  pin: string,
  { pepper, random, stretchCost: cost }: { pepper: Uint8Array; random: Random; stretchCost: StretchCost },
): Promise<PinHash> => {
  refuseWeak(pin);
  const salt = toHex(random(16));
  return { salt, cost, hash: toHex(await stretchPin(pin, pepper, { salt, cost })) };
};

export const pinFits = async (pin: string, pepper: Uint8Array, stored: PinHash): Promise<boolean> =>
  timingSafeEqual(await stretchPin(pin, pepper, stored), fromHex(stored.hash));

/** A hash that no PIN matches, with the usual cost: an unknown name is refused no faster than a known one. */
export const createUnusablePin = (cost: StretchCost): PinHash => ({ ...NO_PIN, cost });

const NO_PIN = { salt: '00'.repeat(16), hash: '00'.repeat(32) };

/** Throws `staff.pinWeak` with the reason, never with the PIN. */
const refuseWeak = (pin: string): void => {
  const reason = weaknessOf(pin);
  if (reason !== undefined) throw new Fault('staff.pinWeak', { why: reason });
};

const DIGITS_LEAST = 4;
const DIGITS_MOST = 12;
/** The most common four-digit PINs of published lists, besides sequences, repetitions and years. */
const common = new Set(['2580', '0852', '1379', '1397', '5683', '6969', '8520', '0070', '5150', '147258', '159753']);

const weaknessOf = (pin: string): string | undefined => {
  if (!/^\d+$/.test(pin)) return 'it must be made of digits';
  if (pin.length < DIGITS_LEAST || pin.length > DIGITS_MOST) return `it has ${DIGITS_LEAST} to ${DIGITS_MOST} digits`;
  if (isRun(pin)) return 'consecutive digits are guessed first';
  if (/^(\d{1,3})\1+$/.test(pin)) return 'repeated digits are guessed first';
  if (/^(19|20)\d\d$/.test(pin)) return 'a year is guessed first';
  return common.has(pin) || /^(\d)\1+(\d)\2+$/.test(pin) ? 'it is one of the PINs that are guessed first' : undefined;
};

/** 1234, 9876, 7890: each digit is one more, or one less, than the one before. */
const isRun = (pin: string): boolean =>
  [1, 9].some((step) => [...pin].every((digit, n) => n === 0 || (Number(pin[n - 1]) + step) % 10 === Number(digit)));
