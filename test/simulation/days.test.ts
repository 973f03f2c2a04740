import { expect, test } from 'vitest';
import { playDay } from './shop-day.ts';

/** More: npm run simulate:days -- --seeds 1000 */
const FIRST = 1;
const SEEDS = 60;

test(`whole shop days under faults and power cuts add up to the cent, seeds ${FIRST} to ${FIRST + SEEDS - 1}`, async () => {
  const seen = new Set<string>();
  let crashes = 0;
  for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
    const day = await playDay(seed);
    expect(day.account.broken, `seed ${seed}`).toEqual([]);
    for (const ending of Object.keys(day.account.endings)) seen.add(ending);
    crashes += day.crashes;
  }
  // A simulation that meets no trouble proves nothing: the days must have been bad ones.
  expect(crashes).toBeGreaterThan(20);
  expect([...seen]).toEqual(
    expect.arrayContaining([
      'approved approved',
      'approved approvedOffline',
      'declined reversed',
      'declined chipRefusedApproval',
      'notSent neverArrived',
      'declined restartedAfterApproval',
    ]),
  );
});
