/** A person's PIN: scrypt over it and a key of this till, so that a copy of the journal alone does not give it away. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Fault } from '../base/fault.ts';
import { fromHex, toHex } from '../base/hex.ts';
import type { Random } from '../base/ids.ts';
import { type StretchCost, stretch } from '../base/stretch.ts';

export type PinHash = { readonly salt: string; readonly hash: string; readonly cost: number };

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
