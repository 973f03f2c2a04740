/**
 * Runs before and after each test file: records what the file cost, as a line of JSON in the folder that the run names.
 * `test/budget.test.ts` adds it up.
 */
import { appendFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import type { FileCost } from './costs.ts';
import { childrenMs } from './cpu-time.ts';
import { processStartMs, yardstickMs } from './yardstick.ts';

const folder = process.env['TEST_COSTS'];

/** The time used by this process and those that it started, ms. */
const takenMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000 + childrenMs();
};

if (folder !== undefined) {
  const path = relative('test', expect.getState().testPath ?? '').replaceAll('\\', '/');
  const yardstick = yardstickMs();
  // Tests of the whole product start processes by the hundred; those of modules hardly any.
  const startMs = path.startsWith('system/') ? processStartMs() : undefined;
  const begunMs = takenMs();
  const childrenBefore = childrenMs();
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
      ...(startMs !== undefined && { children: { takenMs: childrenMs() - childrenBefore, startMs } }),
    };
    appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(cost)}\n`);
  });
}
