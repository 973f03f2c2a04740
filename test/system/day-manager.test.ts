/** A manager's evening at the real till, by keyboard alone: open money, close, settlement file, limits, people. */
import { afterAll, beforeAll, test } from 'vitest';
import { english } from '../../src/words/en/said.ts';
import { en } from '../../src/words/tables.ts';
import type { Books } from '../support/day/books.ts';
import { openBooksDay, spendEvening } from '../support/day/evening.ts';
import { type Browser, openBrowser } from '../support/screens/browser.ts';

let browser: Browser;
let day: Books;
beforeAll(async () => {
  browser = await openBrowser();
  const size = { width: 1280, height: 800 };
  day = await openBooksDay(browser, {
    ...{ language: 'en', table: { words: en, said: english }, size, scheme: 'light', by: 'keys' },
  });
});
afterAll(async () => {
  await browser.close();
  await day.till.close();
});

test('a manager’s evening', () => spendEvening(day));
