/**
 * The main screens of a cashier's day at a real till in Arabic, from right to left, by touch, on a dark screen. By day:
 * `test/system/day-cashier.test.ts` notices a flow that breaks, and `test/system/screens-cashier-sizes.test.ts` a
 * screen that does not fit from right to left.
 */
import { expect, test } from 'vitest';
import { load } from '../../src/locales/load.ts';
import * as counter from '../support/day/counter.ts';
import { endDay, openDay } from '../support/day/open-day.ts';
import * as afterwards from '../support/day/refunds-and-voids.ts';
import * as troubles from '../support/day/troubles.ts';

const day = openDay(async () => ({
  language: 'ar',
  table: await load.ar(),
  size: { width: 1280, height: 800 },
  scheme: 'dark',
  by: 'touch',
}));

test('a sale, its receipt, and a lost line', async () => {
  await counter.signInAtTill(day());
  expect(await day().user.page.evaluate<string>('document.documentElement.dir')).toBe('rtl');
  await counter.chipSale(day());
  await afterwards.testReceipts(day());
  await troubles.lineCut(day());
});

test('the books agree, and there is no card number anywhere', () => endDay(day()));
