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
export const drawnFor = (seed: number, name: string): ((length: number) => Buffer) => {
  const key = createHash('sha256').update(`${seed} ${name}`).digest();
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  return (length) => cipher.update(Buffer.alloc(length));
};

export type Dice = {
  /** True with this probability in percent. */
  percent(chance: number): boolean;
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number;
  one<T>(of: readonly [T, ...T[]]): T;
  readonly ids: Ids;
  readonly random: Random;
};

export const dice = (seed: number): Dice => {
  const random = seededRandom(seed);
  const below = (n: number): number => random(4).reduce((sum, byte) => (sum * 256 + byte) % 0x1_0000_0000, 0) % n;
  return {
    percent: (chance) => below(100) < chance,
    between: (least, most) => least + below(most - least + 1),
    one: (of) => of[below(of.length)] ?? of[0],
    ids: { next: () => toHex(random(16)).toLowerCase() },
    random,
  };
};
