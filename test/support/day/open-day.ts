/**
 * Opens a day at the real till for a test file, and afterwards checks the books: nothing is open, and no card number
 * leaked.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { testCards } from '../../../src/emv/test-cards.ts';
import { openEngine } from '../engines/engine.ts';
import type { Engine } from '../engines/page.ts';
import { scanForCardData } from '../leaks/leak-scan.ts';
import { takePicture } from '../screens/browser.ts';
import type { Day } from './counter.ts';
import { openScreenUser, type UserOptions } from './screen-user.ts';
import { type DayTill, openDayTill, people } from './till.ts';

/** All but one: packed, it is a digit and zeros, which occur in every database. */
const cardNumbers = Object.values(testCards)
  .map(({ pan }) => pan)
  .filter((pan) => !pan.endsWith('0000000000'));

/** The day, once the file's tests run; `readOptions` says how this cashier uses the screen. */
export const openDay = (readOptions: () => Promise<UserOptions>): (() => Day) => {
  let engine: Engine | undefined;
  let till: DayTill | undefined;
  let day: Day | undefined;
  beforeAll(async () => {
    const seen = await readOptions();
    engine = await openEngine(seen.engine ?? 'chromium');
    till = await openDayTill();
    day = { till, user: await openScreenUser(engine, seen) };
  });
  // The screen as the cashier saw it when it went wrong.
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail' || day === undefined) return;
    await takePicture(day.user.page, `failed-${day.user.visit.engine}-${task.name.replace(/\W+/g, '-')}`);
  });
  afterAll(async () => {
    await engine?.close();
    await till?.close();
  });
  return () => {
    if (day === undefined) throw new Error('the day has not begun');
    return day;
  };
};

/** Stops the till normally: its books and the gateway's agree to the cent, and no file has a card number. */
export const endDay = async ({ till, user }: Day): Promise<void> => {
  expect(user.problems()).toEqual([]);
  expect(till.terminals.map(({ unservedCount }) => unservedCount)).toEqual([0, 0]);
  await till.end();
  const pin = join(till.folder, 'pin-of-max');
  writeFileSync(pin, people.Max.pin, { mode: 0o600 });
  const { code, err } = await till.command('queue', '--verify', '--as', 'Max', '--pin-file', pin);
  expect(err).toContain('agree with the gateway, and nothing waits.');
  expect(code).toBe(0);
  expect(scanForCardData({ roots: [till.folder], needles: cardNumbers })).toEqual([]);
};
