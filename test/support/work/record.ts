/**
 * Runs before and after each test file: records what the file cost, as a line of JSON in the folder that the run names.
 * `test/budget.test.ts` adds it up.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import type { FileCost } from './costs.ts';
import { yardstickMs } from './yardstick.ts';

const folder = process.env['TEST_COSTS'];

/** Clock ticks per second in /proc, the same on every Linux machine that runs Node. */
const TICKS = 100;

/** The time used by processes that this one started and that have ended, ms. Zero if the system does not tell. */
const childrenMs = (): number => {
  const path = '/proc/self/stat';
  if (!existsSync(path)) return 0;
  // After the program's name, which can contain spaces: proc(5), fields 16 and 17.
  const fields = readFileSync(path, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
  return ((Number(fields[13]) + Number(fields[14])) * 1_000) / TICKS;
};

/** The time used by this process and those that it started, ms. */
const takenMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000 + childrenMs();
};

if (folder !== undefined) {
  const path = relative('test', expect.getState().testPath ?? '').replaceAll('\\', '/');
  const yardstick = yardstickMs();
  const begunMs = takenMs();
  let loadedMs = begunMs;
  beforeAll(() => {
    loadedMs = takenMs();
  });
  afterAll(() => {
    const cost: FileCost = {
      path,
      loadMs: loadedMs - begunMs,
      takenMs: takenMs() - loadedMs,
      yardstickMs: yardstick,
    };
    appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(cost)}\n`);
  });
}
