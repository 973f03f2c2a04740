/** The budget of tests can fail: too much work, a missing row; a slow machine is neither an excuse nor an error. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { costsByFolder, type FileCost, LOADING, overBudget, readCosts } from './costs.ts';
import { START_MS, YARDSTICK_MS } from './yardstick.ts';

const cost = (path: string, takenMs: number, slower = 1): FileCost => ({
  path,
  loadMs: 0,
  takenMs,
  yardstickMs: YARDSTICK_MS * slower,
});

const costs = [cost('till/a.test.ts', 4_900), cost('till/deep/b.test.ts', 8_100), cost('house.test.ts', 500)];

test('the costs of files are added up by folder, highest first', () => {
  expect(costsByFolder(costs).filter(({ folder }) => folder !== LOADING)).toEqual([
    {
      folder: 'till',
      seconds: expect.closeTo(13),
      files: [
        { path: 'till/deep/b.test.ts', seconds: expect.closeTo(8.1) },
        { path: 'till/a.test.ts', seconds: expect.closeTo(4.9) },
      ],
    },
    { folder: '.', seconds: expect.closeTo(0.5), files: [{ path: 'house.test.ts', seconds: expect.closeTo(0.5) }] },
  ]);
});

test('loading is counted separately, whichever file imports first', () => {
  const loading = costsByFolder(costs.map((one, index) => ({ ...one, loadMs: index === 1 ? 700 : 0 }))).find(
    ({ folder }) => folder === LOADING,
  );
  expect(loading?.seconds).toBeCloseTo(0.7);
  expect(loading?.files[0]?.path).toBe('till/deep/b.test.ts');
});

test('a folder far over its budget is named with its files, and so is one without a budget', () => {
  expect(overBudget(costsByFolder(costs), { till: 9, '.': 1, loading: 0 })).toEqual([]);
  expect(overBudget(costsByFolder(costs), { till: 6.5, loading: 0 })).toEqual([
    'test/till took 13.0 s of work and may take 12.5: till/deep/b.test.ts 8.1, till/a.test.ts 4.9',
    'test/. has no budget: give it a row in test/house/budgets.ts',
    'all of them took 13.5 s of work, and by their rows 6.5 s',
  ]);
});

test('many folders that are each a little over their budgets are over together', () => {
  const many = ['a', 'b', 'c', 'd'].map((folder) => cost(`${folder}/a.test.ts`, 5_600));
  const rows = { a: 4, b: 4, c: 4, d: 4, loading: 0 };
  expect(overBudget(costsByFolder(many), rows)).toEqual(['all of them took 22.4 s of work, and by their rows 16.0 s']);
  expect(overBudget(costsByFolder(many), { ...rows, a: 5 })).toEqual([]);
});

test('slow starts excuse only the work of started processes, and a slow processor only a test’s own work', () => {
  const starting = (takenMs: number, startMs: number, own = 0): FileCost => ({
    ...cost('system/a.test.ts', takenMs + own),
    children: { takenMs, startMs },
  });
  const secondsOf = (one: FileCost) => costsByFolder([one]).find(({ folder }) => folder === 'system')?.seconds;
  expect(secondsOf(starting(9_000, 3 * START_MS))).toBeCloseTo(3);
  expect(secondsOf(starting(9_000, START_MS))).toBeCloseTo(9);
  expect(secondsOf(starting(9_000, 3 * START_MS, 4_000))).toBeCloseTo(7);
  expect(secondsOf({ ...starting(9_000, START_MS, 4_000), yardstickMs: 2 * YARDSTICK_MS })).toBeCloseTo(11);
});

test('a machine at half the speed gets twice the time', () => {
  const slowed = costs.map(({ path, takenMs }) => cost(path, 2 * takenMs, 2));
  expect(costsByFolder(slowed)).toEqual(costsByFolder(costs));
});

test('every line written by a worker is read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'costs-'));
  try {
    writeFileSync(join(folder, '1.jsonl'), `${costs.map((one) => `${JSON.stringify(one)}\n`).join('')}`);
    writeFileSync(join(folder, '2.jsonl'), `${JSON.stringify(cost('emv/c.test.ts', 1))}\n`);
    expect(readCosts(folder)).toEqual([...costs, cost('emv/c.test.ts', 1)]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
