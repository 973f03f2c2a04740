/** The day of a daily limit begins at the shop's midnight. */
import { afterEach, expect, test } from 'vitest';
import { storeLimits } from '../support/till/store-limits.ts';
import { booksRig, type Rig } from './manager-rig.ts';

let rig: Rig;
afterEach(() => rig.remove());

test.each([
  ['Pacific/Auckland', 'approved'],
  ['UTC', 'notSent'],
])('a limit’s day is the shop’s day: at 10:30 and 11:10 UTC in %s', async (timeZone, ending) => {
  const limits = { ...storeLimits, chip: { ...storeLimits.chip, perDay: { count: 1 } } };
  rig = booksRig({ startMs: Date.UTC(2026, 0, 1, 10, 30), timeZone, limits });
  const till = await rig.open();
  await till.sell(100n);
  rig.line.up = false;
  expect(await till.sell(1_000n)).toMatchObject({ ending: 'approved', offline: 'chip' });
  await rig.clock.advance(40 * 60_000);
  expect(await till.sell(1_000n)).toMatchObject({ ending });
  await till.close();
});
