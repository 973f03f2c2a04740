/** A manager's evening from the first look to the last: every flow in its order, at a till that has sold all day. */
import { expect } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import type { Engine } from '../engines/page.ts';
import { reconfigured } from './bench.ts';
import {
  askNow,
  type Books,
  closeInPeace,
  closeOverOpenMoney,
  lookAtToday,
  sayNotCharged,
  sellAllDay,
  takeOut,
} from './books.ts';
import { handsAt, type Look } from './hands.ts';
import { changeStaff, lowerLimits, readAudit, reconcile, resolveDifferences, settlementFile } from './office.ts';
import { counterOf } from './sales.ts';
import { openDayTill } from './till.ts';

export const openBooksDay = async (engine: Engine, look: Look): Promise<Books> => {
  const till = await openDayTill();
  // The acquirer's days are those of UTC; so whenever this runs, a day of the one is a day of the other.
  await reconfigured(till, (before) => ({ ...before, businessDay: { cutOff: '00:00', timeZone: 'UTC' } }));
  const at = await handsAt(engine, look);
  await at.visit.keeps(till.url, { key: 'tillgate.language', value: look.language });
  return { till, at, anna: await counterOf(till, 'Anna'), max: await counterOf(till, 'Max') };
};

/** Prints how many keys each flow took, where it was done by keys. */
export const tellPresses = ({ at }: Pick<Books, 'at'>): void => {
  for (const [name, presses] of at.presses)
    if (presses > 0) process.stdout.write(`${name.padEnd(30)} ${presses} keys\n`);
};

export const spendEvening = async (day: Books): Promise<void> => {
  await sellAllDay(day);
  await lookAtToday(day);
  await sayNotCharged(day);
  await closeOverOpenMoney(day);
  await askNow(day);
  await closeInPeace(day);
  await takeOut(day);
  const file = await settlementFile(day, new Date(systemClock.now()).toISOString().slice(0, 10));
  await reconcile(day, file);
  await resolveDifferences(day, file);
  await lowerLimits(day);
  await changeStaff(day);
  await readAudit(day);
  tellPresses(day);
  expect(day.at.complaints()).toEqual([]);
};
