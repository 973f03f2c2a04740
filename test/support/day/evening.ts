/** A manager's evening from first to last, with a test for each part, at a till that has sold all day. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { openEngine } from '../engines/engine.ts';
import type { Engine } from '../engines/page.ts';
import { takePicture } from '../screens/browser.ts';
import { reconfigure } from './bench.ts';
import {
  askNow,
  type Books,
  closeInPeace,
  closeOverOpenMoney,
  exportReports,
  lookAtToday,
  sayNotCharged,
  sellAllDay,
} from './books.ts';
import { changeStaff, lowerLimits, readAudit, reconcile, resolveDifferences, settlementFile } from './office.ts';
import { counterOf } from './sales.ts';
import { openScreenUser, type UserOptions } from './screen-user.ts';
import { openDayTill } from './till.ts';

/** The hour half a day after this moment, `HH:MM` in UTC, so that the shop's day does not end during the test. */
const farFrom = (at: number): string => `${new Date(at + 12 * 3_600_000).toISOString().slice(11, 13)}:00`;

const openBooksDay = async (engine: Engine, userOptions: UserOptions, begunAt: number): Promise<Books> => {
  const till = await openDayTill();
  await reconfigure(till, (previous) => ({ ...previous, businessDay: { cutOff: farFrom(begunAt), timeZone: 'UTC' } }));
  const user = await openScreenUser(engine, userOptions);
  await user.visit.storeItem(till.url, { key: 'tillgate.language', value: userOptions.language });
  return { till, user, anna: await counterOf(till, 'Anna'), max: await counterOf(till, 'Max') };
};

/** Prints how many key presses each flow took, when it was done by keys. */
const tellPresses = ({ user }: Pick<Books, 'user'>): void => {
  for (const [name, presses] of user.presses)
    if (presses > 0) process.stdout.write(`${name.padEnd(30)} ${presses} keys\n`);
};

/** What exists while the evening's tests run. `begunAt`: ms, before the first sale. */
export type Evening = { engine: Engine; day: Books; begunAt: number };

/** Registers the evening's tests in order; `lookOf` is how this manager views the screen. */
export const managerEvening = (lookOf: () => Promise<UserOptions>): (() => Evening) => {
  let evening: Evening | undefined;
  let engine: Engine | undefined;
  beforeAll(async () => {
    const userOptions = await lookOf();
    engine = await openEngine(userOptions.engine ?? 'chromium');
    const begunAt = systemClock.now();
    evening = { engine, day: await openBooksDay(engine, userOptions, begunAt), begunAt };
  });
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail' || evening === undefined) return;
    const { page, visit } = evening.day.user;
    await takePicture(page, `failed-${visit.engine}-${task.name.replace(/\W+/g, '-')}`);
  });
  afterAll(async () => {
    await engine?.close();
    await evening?.day.till.close();
  });
  const current = (): Evening => {
    if (evening === undefined) throw new Error('the evening has not begun');
    return evening;
  };

  test('the manager looks at the day, and closes it with open money', async () => {
    const { day } = current();
    await sellAllDay(day);
    await lookAtToday(day);
    await sayNotCharged(day);
    await closeOverOpenMoney(day);
  });

  test('the open sale is inquired about; the day is closed without open money, and its files are saved', async () => {
    const { day } = current();
    await askNow(day);
    await closeInPeace(day);
    await exportReports(day);
  });

  test('the acquirer’s file agrees, and a doctored one differs', async () => {
    const { day, begunAt } = current();
    const file = await settlementFile(day, begunAt);
    await reconcile(day, file);
    await resolveDifferences(day, file);
  });

  test('limits and people are changed, and the audit list has it all', async () => {
    const { day } = current();
    await lowerLimits(day);
    await changeStaff(day);
    await readAudit(day);
    tellPresses(day);
    expect(day.user.problems()).toEqual([]);
  });
  return current;
};
