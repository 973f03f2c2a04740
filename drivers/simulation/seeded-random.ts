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
    const view = new DataView(new ArrayBuffer(4));
    for (let at = 0; at < length; at += 4) {
      view.setUint32(0, word());
      bytes.set(new Uint8Array(view.buffer).subarray(0, Math.min(4, length - at)), at);
    }
    return bytes;
  };
};
