/**
 * The main flows of a cashier's day at a real till in German, by touch alone, on a small light screen. By day:
 * `test/system/day-cashier.test.ts` notices a flow that breaks, and `test/system/screens-cashier-sizes.test.ts` a
 * screen that is too small or a language that is too long.
 */
import { test } from 'vitest';
import { load } from '../../src/locales/load.ts';
import * as counter from '../support/day/counter.ts';
import { endDay, openDay } from '../support/day/open-day.ts';
import * as afterwards from '../support/day/refunds-and-voids.ts';
import * as troubles from '../support/day/troubles.ts';

const day = openDay(async () => ({
  language: 'de',
  table: await load.de(),
  size: { width: 800, height: 480 },
  scheme: 'light',
  by: 'touch',
}));

test('sales', async () => {
  await counter.signInAtTill(day());
  await counter.chipSale(day());
  await counter.tapWithTip(day());
  await counter.split(day());
  await counter.decline(day());
});

test('refunds and holds', async () => {
  await afterwards.refundAndVoid(day());
  await afterwards.testHolds(day());
});

test('lost lines', async () => {
  await troubles.lineCut(day());
  await troubles.unknownSale(day());
});

test('the books agree, and there is no card number anywhere', () => endDay(day()));
