/** A cashier's day at a real till, by keyboard alone: each flow with its pictures, and how many keys it takes. */
import { expect, test } from 'vitest';
import { english } from '../../src/locales/messages/en/faults.ts';
import { en } from '../../src/locales/screens.ts';
import * as counter from '../support/day/counter.ts';
import { endDay, openDay } from '../support/day/open-day.ts';
import * as afterwards from '../support/day/refunds-and-voids.ts';

const day = openDay(async () => ({
  language: 'en',
  table: { words: en, messages: english },
  size: { width: 1280, height: 800 },
  scheme: 'light',
  by: 'keys',
}));

/** The most keys that each flow may take, including digits and PINs. */
const MOST_KEYS: Readonly<Record<string, number>> = {
  'sign in': 11,
  'sale of 12.50': 5,
  print: 1,
  'dismiss a result': 1,
  'sale with a tip': 7,
  'bill on two cards': 13,
  'part, and the rest': 50,
  'declined, then another card': 14,
  cancel: 5,
  'refund of a part': 10,
  void: 7,
  'hold 100.00': 8,
  'hold 20.00 more': 11,
  'charge 90.00 of it': 17,
  'release a hold': 9,
  'gift card': 21,
  'find and reprint a receipt': 12,
  'customer says they were charged': 12,
  'credit that the manager approves': 14,
};

test('sales of every kind', async () => {
  await counter.signInAtTill(day());
  await counter.chipSale(day());
  await counter.tapWithTip(day());
  await counter.split(day());
  await counter.partial(day());
  await counter.decline(day());
  await counter.cancel(day());
});

test('after a sale', async () => {
  await afterwards.refundAndVoid(day());
  await afterwards.testHolds(day());
  await afterwards.giftCard(day());
  await afterwards.creditWithManager(day());
});

test('receipts, and a customer’s question', async () => {
  await afterwards.testReceipts(day());
  await afterwards.claim(day());
});

test('no flow takes too many keys', () => {
  const { presses } = day().user;
  for (const [name, keys] of presses) process.stdout.write(`${name.padEnd(32)} ${String(keys).padStart(3)} keys\n`);
  expect([...presses.keys()].sort()).toEqual(Object.keys(MOST_KEYS).sort());
  expect([...presses].filter(([name, keys]) => keys > (MOST_KEYS[name] ?? 0))).toEqual([]);
});

test('the books agree, and there is no card number anywhere', () => endDay(day()));
