/** What goes wrong on a cashier's day at a real till: lost lines, killed programs, pulled cables, impatient hands. */
import { test } from 'vitest';
import { english } from '../../src/locales/messages/en/faults.ts';
import { en } from '../../src/locales/screens.ts';
import { signInAtTill } from '../support/day/counter.ts';
import { endDay, openDay } from '../support/day/open-day.ts';
import * as troubles from '../support/day/troubles.ts';

const day = openDay(async () => ({
  language: 'en',
  table: { words: en, messages: english },
  size: { width: 1280, height: 800 },
  scheme: 'dark',
  by: 'keys',
}));

test('lost lines', async () => {
  await signInAtTill(day());
  await troubles.firstSale(day());
  await troubles.lineCut(day());
  await troubles.unknownSale(day());
});

test('terminals', async () => {
  await troubles.sideBySide(day());
  await troubles.unplug(day());
});

test('impatient hands', async () => {
  await troubles.impatience(day());
  await troubles.lockedInTheMiddle(day());
});

test('a power cut', () => troubles.powerCut(day()));

test('training', () => troubles.training(day()));

test('the books agree, and there is no card number anywhere', () => endDay(day()));
