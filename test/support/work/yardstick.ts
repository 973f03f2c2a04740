/** A fixed amount of work, with which the costs of test files can be compared between machines, busy or not. */
import { spawnSync } from 'node:child_process';
import { childrenMs, cpuTimeMs } from './cpu-time.ts';

/** The average time of the yardstick on the reference machine of the budgets, ms. */
export const YARDSTICK_MS = 1.6;

/** Numbers, strings, objects and a sort: what most of the tests' code does. */
const work = (): number => {
  let current = 12_345;
  const rows = Array.from({ length: 2_000 }, (_, index) => {
    current = (current * 1_103_515_245 + 12_345) % 2_147_483_648;
    return { at: index, key: current.toString(16) };
  });
  rows.sort((left, right) => (left.key < right.key ? -1 : 1));
  return rows.reduce((sum, { at, key }) => (sum * 31 + at + key.length) % 1_000_003, 0);
};

const ROUNDS = 4;

/**
 * The time of the yardstick here and now, ms. A system that counts work in clock ticks returns 0 or too much for a
 * single one: only the sum of many tells how fast the machine is.
 */
export const yardstickMs = (): number => {
  const from = cpuTimeMs();
  for (let round = 0; round < ROUNDS; round += 1) work();
  return cpuTimeMs() - from;
};

/**
 * The work of starting a Node process that does nothing on the reference machine, ms: estimated from a start of the
 * command line, which took 246 ms of work when the budgets were written.
 */
export const START_MS = 20;

/** The work of starting a bare Node process here and now, ms; `START_MS` where the system does not tell. */
export const processStartMs = (): number => {
  const from = childrenMs();
  spawnSync(process.execPath, ['-e', '0']);
  return childrenMs() - from || START_MS;
};
