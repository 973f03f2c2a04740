/**
 * Which numbers of a rising series have been used: the highest one, and those shortly before it. Used for the counters
 * of keys and chips: a payment forwarded late may have a number below the newest, but none counts twice.
 */
import type { DecisionFacts } from './decision.ts';
import type { DocumentChange } from './documents.ts';
import type { KeySerial } from './key-serial.ts';
import type { LedgerTransaction } from './ledger.ts';

/** `used` is a hex number in which bit i says that `highest - i` has been used; bit 0 is therefore always set. */
export type Window = { readonly highest: number; readonly used: string };

export type Fit = 'fresh' | 'used' | 'tooOld';

/** How a number relates to the window of `size` numbers. Without a window every number is fresh. */
export const fitOf = (window: Window | undefined, number: number, size: number): Fit => {
  if (window === undefined || number > window.highest) return 'fresh';
  const distance = window.highest - number;
  if (distance >= size) return 'tooOld';
  return (bitsOf(window) >> BigInt(distance)) & 1n ? 'used' : 'fresh';
};

/** The window after the number was used. A number too old for it changes nothing. */
export const markUsed = (window: Window | undefined, number: number, size: number): Window => {
  if (window === undefined) return { highest: number, used: '1' };
  const distance = window.highest - number;
  if (distance >= size) return window;
  if (distance >= 0) return { highest: window.highest, used: hex(bitsOf(window) | (1n << BigInt(distance))) };
  // A far jump forward would shift by millions of bits only to mask them off again.
  const shifted = -distance >= size ? 0n : BigInt.asUintN(size, bitsOf(window) << BigInt(-distance));
  return { highest: number, used: hex(shifted | 1n) };
};

const bitsOf = (window: Window): bigint => BigInt(`0x${window.used}`);
const hex = (value: bigint): string => value.toString(16).toUpperCase();

// Replay protection for DUKPT: the uses of each key that have been seen, across restarts.

/** How many uses back a device's key may lie: payments kept offline are forwarded after newer ones. */
export const KEY_WINDOW = 2048;

export type SeenKey = { readonly serial: KeySerial; readonly window: Window | undefined };

export const readKeys = async (
  transaction: Pick<LedgerTransaction, 'read'>,
  serials: readonly KeySerial[],
): Promise<SeenKey[]> => {
  const keys: SeenKey[] = [];
  for (const serial of serials) keys.push({ serial, window: await transaction.read('key', serial.id) });
  return keys;
};

/** `replayed` if any of them was used before or is too old to tell. */
export const judgeKeyUse = (keys: readonly SeenKey[]): DecisionFacts['key'] =>
  keys.every(({ serial, window }) => fitOf(window, serial.use, KEY_WINDOW) === 'fresh') ? 'fresh' : 'replayed';

/** The documents after these uses. A device may encrypt its account data and its PINs under the same initial key. */
export const keysAfter = (keys: readonly SeenKey[]): DocumentChange[] => {
  if (keys.length === 0) return [];
  const windows = new Map<string, Window>();
  for (const { serial, window } of keys) {
    windows.set(serial.id, markUsed(windows.get(serial.id) ?? window, serial.use, KEY_WINDOW));
  }
  return [...windows].map(([name, document]) => ({ kind: 'key', name, document }));
};
