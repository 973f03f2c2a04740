import { expect, test } from 'vitest';
import { budgets } from './house/budgets.ts';
import { isNight } from './support/night/night.ts';
import { costsByFolder, mayTake, nameOf, overBudget, readCosts } from './support/work/costs.ts';

const costs = readCosts(process.env['TEST_COSTS'] ?? '');
const folders = costsByFolder(costs);

/** A line a folder, for whoever looks for time. */
const table = folders.map(
  ({ folder, seconds, files }) =>
    `${seconds.toFixed(1).padStart(8)} s of ${mayTake(budgets[folder] ?? 0)
      .toFixed(0)
      .padStart(4)}  ${nameOf(folder)}, ${files.length} files`,
);

test('no folder of tests takes more work than it may, nor all of them together', () => {
  process.stdout.write(`\nWork of processors, by folder:\n${table.join('\n')}\n`);
  expect(folders.length).toBeGreaterThan(0);
  const rows = isNight ? Object.fromEntries(Object.keys(budgets).map((folder) => [folder, Infinity])) : budgets;
  expect(overBudget(folders, rows)).toEqual([]);
});
