/** A random source that repeats: the same seed gives the same bytes. For simulations, never for keys of real money. */
import type { Random } from '../../src/base/ids.ts';

/** Bytes of Mulberry32 (Tommy Ettinger, public domain), four from each step. */
export const seededRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const word = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return (length) => {
    const bytes = new Uint8Array(length);
    let next = 0;
    for (let at = 0; at < length; at += 1) {
      next = at % 4 === 0 ? word() : next << 8;
      bytes[at] = next >>> 24;
    }
    return bytes;
  };
};
