/** Somebody who browses all receipts is noticed and stopped; somebody who serves customers is not hindered. */
import { expect, test } from 'vitest';
import { openLookups } from '../../src/staff/lookups.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const HOUR = 3_600_000;

test('each sale counts once a day; beyond the limit no sale is opened until an hour has passed', async () => {
  const clock = virtualClock();
  const lookups = openLookups(clock);
  const open = (sale: string) => lookups.open('Ana', sale, 3);
  await clock.advance(1);
  expect(['1', '1', '2', '3', '4', '5', '1'].map(open)).toEqual([
    ...['new', 'known', 'new', 'new', 'full', 'stillFull', 'known'],
  ]);
  expect(lookups.open('Ben', '4', 3)).toBe('new');
  await clock.advance(HOUR);
  expect(['4', '1'].map(open)).toEqual(['new', 'known']);
  await clock.advance(23 * HOUR);
  expect(open('1')).toBe('new');
});

test('a manager can allow the same number of sales again', async () => {
  const clock = virtualClock();
  const lookups = openLookups(clock);
  const open = (sale: string) => lookups.open('Ana', sale, 2);
  await clock.advance(1);
  expect(['1', '2', '3'].map(open)).toEqual(['new', 'new', 'full']);
  lookups.allow('Ana');
  await clock.advance(1);
  expect(['3', '4', '5', '6'].map(open)).toEqual(['new', 'new', 'full', 'stillFull']);
});
