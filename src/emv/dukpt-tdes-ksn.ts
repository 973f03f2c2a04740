/** The key serial number of Triple DES DUKPT (ANSI X9.24-1): 59 bits of identity, then a counter of 21 bits. */
import { Fault } from '../base/fault.ts';
import { type CounterRule, counterIsValid, countersLeft, nextCounter } from './dukpt-counter.ts';

const rule: CounterRule = { bits: 21, onesMost: 10 };

/** The 10 bytes of a key serial number; one of 8 bytes gets its leading FFFF back. Throws `key.malformed`. */
export const paddedKsn = (ksn: Uint8Array): Uint8Array => {
  if (ksn.length === 10) return ksn;
  if (ksn.length !== 8) {
    const why = `it must have 10 bytes, or 8 without the leading FFFF, not ${ksn.length}`;
    throw new Fault('key.malformed', { what: 'A key serial number', why });
  }
  const whole = new Uint8Array(10).fill(0xff);
  whole.set(ksn, 2);
  return whole;
};

/** The counter of a key serial number of 10 bytes. */
export const counterOf = (ksn: Uint8Array): number =>
  (((ksn[7] ?? 0) & 0x1f) << 16) | ((ksn[8] ?? 0) << 8) | (ksn[9] ?? 0);

/** Whether a device can have used it: the counter is not zero and has at most ten one-bits. Throws `key.malformed`. */
export const tdesKsnIsValid = (ksn: Uint8Array): boolean => counterIsValid(counterOf(paddedKsn(ksn)), rule);

/** The next valid key serial number, 10 bytes, or undefined when the last key is used up. Throws `key.malformed`. */
export const tdesKsnAdvance = (ksn: Uint8Array): Uint8Array | undefined => {
  const whole = paddedKsn(ksn);
  const counter = nextCounter(counterOf(whole), rule);
  if (counter === undefined) return undefined;
  const out = Uint8Array.from(whole);
  out[7] = ((whole[7] ?? 0) & 0xe0) | (counter >>> 16);
  out[8] = counter >>> 8;
  out[9] = counter;
  return out;
};

/** How many valid key serial numbers come after this one: 1,048,575 at counter zero. Throws `key.malformed`. */
export const tdesKsnUsesLeft = (ksn: Uint8Array): number => countersLeft(counterOf(paddedKsn(ksn)), rule);
