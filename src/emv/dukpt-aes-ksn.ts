/** The key serial number of AES DUKPT (ANSI X9.24-3): 8 bytes of initial key id, then a counter of 32 bits. */
import { type CounterRule, counterIsValid, countersLeft, nextCounter } from './dukpt-counter.ts';
import { wantKey } from './want.ts';

const rule: CounterRule = { bits: 32, onesMost: 16 };

/** The counter, unsigned. Throws `key.malformed` unless the key serial number has 12 bytes. */
export const aesCounterOf = (ksn: Uint8Array): number => {
  wantKey('An AES key serial number', ksn, [12]);
  return (((ksn[8] ?? 0) << 24) | ((ksn[9] ?? 0) << 16) | ((ksn[10] ?? 0) << 8) | (ksn[11] ?? 0)) >>> 0;
};

/**
 * Whether a device can have used it: the counter is not zero and has at most sixteen one-bits. Throws `key.malformed`.
 */
export const aesKsnIsValid = (ksn: Uint8Array): boolean => counterIsValid(aesCounterOf(ksn), rule);

/** The next valid key serial number, or undefined when the last key is used up. Throws `key.malformed`. */
export const aesKsnAdvance = (ksn: Uint8Array): Uint8Array | undefined => {
  const counter = nextCounter(aesCounterOf(ksn), rule);
  if (counter === undefined) return undefined;
  const out = Uint8Array.from(ksn);
  new DataView(out.buffer).setUint32(8, counter);
  return out;
};

/** How many valid key serial numbers come after this one: 2,448,023,842 at counter zero. Throws `key.malformed`. */
export const aesKsnUsesLeft = (ksn: Uint8Array): number => countersLeft(aesCounterOf(ksn), rule);
