/**
 * A cashier's day at a real till in Firefox and in WebKit, by keyboard: the same flows as in Chromium. By day:
 * `test/system/day-cashier.test.ts` notices a flow that breaks, and `test/system/engines.test.ts` a screen that does
 * not work in one of these engines.
 */
import { describe, test } from 'vitest';
import { english } from '../../src/locales/messages/en/faults.ts';
import { en } from '../../src/locales/screens.ts';
import * as counter from '../support/day/counter.ts';
import { endDay, openDay } from '../support/day/open-day.ts';
import * as afterwards from '../support/day/refunds-and-voids.ts';
import * as troubles from '../support/day/troubles.ts';

describe.each(['firefox', 'webkit'] as const)('%s', (engine) => {
  const day = openDay(async () => ({
    ...{ engine, language: 'en', table: { words: en, messages: english } },
    ...{ size: { width: 1280, height: 800 }, scheme: 'light', by: 'keys' },
  }));

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

  test('lost lines, pulled cables, impatient hands', async () => {
    await troubles.lineCut(day());
    await troubles.unknownSale(day());
    await troubles.sideBySide(day());
    await troubles.unplug(day());
    await troubles.impatience(day());
    await troubles.lockedInTheMiddle(day());
  });

  test('a power cut, and training', async () => {
    await troubles.powerCut(day());
    await troubles.training(day());
  });

  test('the books agree, and there is no card number anywhere', () => endDay(day()));
});
