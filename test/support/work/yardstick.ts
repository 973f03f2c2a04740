/** A fixed piece of work, so that what files of tests cost can be compared between machines, busy or not. */
import { workedMs } from './worked.ts';

/** What the yardstick takes on average on the machine where the budgets were written down, ms. */
export const YARDSTICK_MS = 1.6;

/** Numbers, strings, objects and a sort: what most of the tests' code does. */
const work = (): number => {
  let drawn = 12_345;
  const rows = Array.from({ length: 2_000 }, (_, at) => {
    drawn = (drawn * 1_103_515_245 + 12_345) % 2_147_483_648;
    return { at, key: drawn.toString(16) };
  });
  rows.sort((left, right) => (left.key < right.key ? -1 : 1));
  return rows.reduce((sum, { at, key }) => (sum * 31 + at + key.length) % 1_000_003, 0);
};

const ROUNDS = 4;

/**
 * What the yardstick takes here and now, ms. A system that counts work by ticks of its clock gives 0 or too much for a
 * single one: only the sum of many says how fast the machine is.
 */
export const yardstickMs = (): number => {
  const from = workedMs();
  for (let round = 0; round < ROUNDS; round += 1) work();
  return workedMs() - from;
};
