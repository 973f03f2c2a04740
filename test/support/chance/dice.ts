/** Randomness for simulations: one seed gives one day. */
import { createCipheriv, createHash } from 'node:crypto';
import { seededRandom } from '../../../drivers/simulation/cardholder.ts';
import { toHex } from '../../../src/base/hex.ts';
import type { Ids, Random } from '../../../src/base/ids.ts';

/**
 * The seed of every random test. It is always the same unless SEED is set, so that anybody can repeat a failed run, and
 * a good change is not refused because of unrelated bad luck. `SEED=new npm test` uses a new one.
 */
export const SEED = Number(process.env['SEED'] ?? 20_261_122);
if (!Number.isSafeInteger(SEED) || SEED < 0) throw new Error(`SEED=${process.env['SEED']} is not a whole number`);

/** Bytes for a seed and a name, different at each call: the key stream of a cipher. */
export const randomFor = (seed: number, name: string): ((length: number) => Buffer) => {
  const key = createHash('sha256').update(`${seed} ${name}`).digest();
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  return (length) => cipher.update(Buffer.alloc(length));
};

export type Dice = {
  /** True with this probability in percent. */
  percent(chancePercent: number): boolean;
  /** A whole number from `min` to `max`. */
  between(min: number, max: number): number;
  one<T>(of: readonly [T, ...T[]]): T;
  readonly ids: Ids;
  readonly random: Random;
};

export const dice = (seed: number): Dice => {
  const random = seededRandom(seed);
  const below = (n: number): number => random(4).reduce((sum, byte) => (sum * 256 + byte) % 0x1_0000_0000, 0) % n;
  return {
    percent: (chancePercent) => below(100) < chancePercent,
    between: (min, max) => min + below(max - min + 1),
    one: (of) => of[below(of.length)] ?? of[0],
    ids: { next: () => toHex(random(16)).toLowerCase() },
    random,
  };
};
