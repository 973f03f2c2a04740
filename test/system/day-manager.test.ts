/** A manager's evening at the real till, by keyboard alone: open money, close, settlement file, limits, people. */
import { afterAll, beforeAll, test } from 'vitest';
import { english } from '../../src/words/en/said.ts';
import { en } from '../../src/words/tables.ts';
import type { Books } from '../support/day/books.ts';
import { openBooksDay, spendEvening } from '../support/day/evening.ts';
import { openEngine } from '../support/engines/engine.ts';
import type { Engine } from '../support/engines/page.ts';

let engine: Engine;
let day: Books;
beforeAll(async () => {
  engine = await openEngine('chromium');
  const size = { width: 1280, height: 800 };
  day = await openBooksDay(engine, {
    ...{ language: 'en', table: { words: en, said: english }, size, scheme: 'light', by: 'keys' },
  });
});
afterAll(async () => {
  await engine.close();
  await day.till.close();
});

test('a manager’s evening', () => spendEvening(day));
