/** The numbers of a second copy, and that nobody waits long for a disk that hangs. */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunningTill } from '../../src/app/start-till.ts';
import { systemClock } from '../../src/base/clock.ts';
import { copyNumbers } from '../../src/takeover/copy-numbers.ts';
import { posixTest } from '../support/platform/platform.ts';
import { NUMBER, openCopies, sell } from '../support/till/folder-copies.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

let shop: ReturnType<typeof openCopies>;
let copy = '';
beforeEach(() => {
  shop = openCopies((config, place) => {
    copy = join(place, 'second');
    return { ...config, secondCopy: copy };
  });
});
afterEach(() => shop.remove());

const asked = ({ journal }: RunningTill, secondCopy: string | undefined = copy, clock = systemClock) =>
  copyNumbers({ journal, clock, terminalIds: [NUMBER], secondCopy });

test('reads the numbers of the copy, and none without a copy', async () => {
  await shop.during(async (till) => {
    await sell(till, 1_000n);
    await sell(till, 2_000n);
    await till.secondCopy?.waitUntilCaughtUp();
    expect(await asked(till)).toEqual({ [NUMBER]: { sequence: 2, batch: 1, z: 0 } });
    expect(await asked(till, join(copy, 'nowhere'))).toBeUndefined();
    expect(await copyNumbers({ journal: till.journal, clock: systemClock, terminalIds: [NUMBER] })).toBeUndefined();
  });
});

test('another till’s copy is not believed', async () => {
  const other = openCopies();
  try {
    await shop.during(async (till) => {
      await sell(till, 1_000n);
      await till.secondCopy?.waitUntilCaughtUp();
      await other.during(async (stranger) => expect(await asked(stranger)).toBeUndefined());
    });
  } finally {
    other.remove();
  }
});

posixTest('a hanging disk is waited for ten seconds, outside the selling thread', async () => {
  const folder = join(copy, '../hanging');
  mkdirSync(folder);
  // Opening a named pipe for reading blocks until somebody opens it for writing.
  expect(spawnSync('mkfifo', [join(folder, 'journal.db')]).status).toBe(0);
  const clock = virtualClock();
  await shop.during(async (till) => {
    const answer = asked(till, folder, clock);
    await clock.advance(9_000);
    expect(await Promise.race([answer, 'still waiting'])).toBe('still waiting');
    expect(await sell(till, 1_000n)).toMatchObject({ ending: 'approved' });
    const end = openSync(join(folder, 'journal.db'), 'r+');
    expect(await clock.until(answer)).toBeUndefined();
    closeSync(end);
  });
});
