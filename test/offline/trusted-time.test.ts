/** How long ago the gateway last answered: exact while the machine is up, and never fooled by the wall clock. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import { openSql, type Sql } from '../../src/journal/sql.ts';
import { openTrustedTime, type TrustedTime } from '../../src/offline/trusted-time.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const HOUR = 3_600_000;
const YEAR = 8_760 * HOUR;
const START = Date.UTC(2026, 0, 2, 12, 0, 0);
const unknown = { unknown: expect.stringContaining('nobody knows') };

let folder = '';
let sql: Sql;
/** The wall clock and the machine's uptime, which the test moves independently. */
let wallMs = START;
let machine = { boot: 'first', upMs: 5_000 };
let time: TrustedTime;

const open = (): TrustedTime => {
  const clock: Clock = { ...virtualClock(), now: () => wallMs };
  const { boot } = machine;
  return openTrustedTime({ sql, clock, machine: { boot, upMs: () => machine.upMs, freeBytes: () => 0 } });
};

/** Both advance together, as they do when nobody sets the clock. */
const pass = (ms: number): void => {
  wallMs += ms;
  machine.upMs += ms;
};

/** The machine is off for this long; `wallSaysMs` is what the wall clock shows of it. */
const reboot = (offMs: number, wallSaysMs = offMs): void => {
  wallMs += wallSaysMs;
  machine = { boot: `after ${machine.boot}`, upMs: 0 };
  time = open();
};

const keep = (): void => sql.atomically(() => time.keep());

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'time-'));
  sql = openSql(join(folder, 'journal.db'));
  wallMs = START;
  machine = { boot: 'first', upMs: 5_000 };
  time = open();
});
afterEach(() => {
  sql.close();
  rmSync(folder, { recursive: true, force: true });
});

test('before the first answer the time is unknown', () => {
  expect(time.sinceAnswer()).toEqual({ unknown: 'this till has not heard its gateway yet' });
  expect(time.now()).toEqual({ at: START, boot: 'first', upMs: 5_000 });
});

test.each([
  ['as it is', 0],
  ['a year back', -YEAR],
  ['a year on', YEAR],
])('while the machine is up, with the wall clock set %s, the time is exact', (_, jumpMs) => {
  time.noteAnswer(START + 7);
  pass(HOUR);
  wallMs += jumpMs;
  pass(HOUR);
  expect(time.sinceAnswer()).toEqual({ ms: 2 * HOUR });
  expect(time.now().at).toBe(START + 7 + 2 * HOUR);
  keep();
  time = open();
  expect(time.sinceAnswer()).toEqual({ ms: 2 * HOUR });
});

test('an answer that was not stored is forgotten with the process', () => {
  time.noteAnswer(START);
  keep();
  pass(2 * HOUR);
  time.noteAnswer(START + 2 * HOUR);
  time = open();
  expect(time.sinceAnswer()).toEqual({ ms: 2 * HOUR });
});

test.each([
  ['a short stop', HOUR, { ms: 3 * HOUR, byClock: true }],
  ['a long one', 30 * HOUR, { ms: 32 * HOUR, byClock: true }],
])('after %s the wall clock adds the time that the machine was off', (_, offMs, since) => {
  time.noteAnswer(START);
  pass(HOUR);
  keep();
  reboot(offMs);
  pass(HOUR);
  expect(time.sinceAnswer()).toEqual(since);
  expect(time.now().at).toBe(START + since.ms);
});

test.each([
  ['back a year while off', 30 * HOUR, 30 * HOUR - YEAR],
  ['back by the time it was off', 30 * HOUR, 0],
  ['to where it never was', HOUR, -START],
])('a wall clock set %s does not reopen the window', (_, offMs, wallSaysMs) => {
  time.noteAnswer(START);
  pass(HOUR);
  keep();
  reboot(offMs, wallSaysMs - 2 * 60_000);
  expect(time.sinceAnswer()).toEqual(unknown);
});

test('a wall clock set forward a year while off counts, marked as known from the clock only', () => {
  time.noteAnswer(START);
  keep();
  reboot(HOUR, YEAR);
  expect(time.sinceAnswer()).toEqual({ ms: YEAR, byClock: true });
});

test('a clock set forward, stored and then set back is not believed until the gateway answers', () => {
  time.noteAnswer(START);
  keep();
  reboot(HOUR, YEAR);
  keep();
  reboot(HOUR, HOUR - YEAR);
  expect(time.sinceAnswer()).toEqual(unknown);
  time.noteAnswer(START + 2 * HOUR);
  expect(time.sinceAnswer()).toEqual({ ms: 0 });
  expect(time.now().at).toBe(START + 2 * HOUR);
});

test.each([
  ['in the boot of the last answer', 0],
  ['in the boot after it', 1],
])('after a clock was set back ten hours while up, %s, and a day off, the time is unknown', (_, boots) => {
  time.noteAnswer(START);
  keep();
  if (boots === 1) reboot(HOUR);
  pass(HOUR);
  keep();
  wallMs -= 10 * HOUR;
  pass(HOUR);
  keep();
  reboot(24 * HOUR);
  expect(time.sinceAnswer()).toEqual(unknown);
});

test('uptime is proved over any number of boots, whatever the clock says', () => {
  time.noteAnswer(START);
  for (let run = 0; run < 3; run++) {
    pass(10 * HOUR);
    keep();
    reboot(0);
  }
  pass(HOUR);
  expect(time.sinceAnswer()).toEqual({ ms: 31 * HOUR });
  wallMs -= 5 * HOUR;
  expect(time.sinceAnswer()).toEqual(unknown);
  expect(time.now().at).toBe(START + 31 * HOUR);
});

test('small clock corrections change nothing', () => {
  time.noteAnswer(START);
  for (let hour = 0; hour < 5; hour++) {
    pass(HOUR);
    wallMs += hour % 2 === 0 ? 900 : -900;
    keep();
  }
  reboot(HOUR);
  expect(time.sinceAnswer()).toMatchObject({ byClock: true });
});

test('an answer that repeats an older one, or tells no time, leaves the calculated time as it is', () => {
  time.noteAnswer(START + 60_000);
  pass(HOUR);
  time.noteAnswer(START + 60_000);
  expect(time.now().at).toBe(START + 60_000 + HOUR);
  pass(HOUR);
  time.noteAnswer(undefined);
  expect(time.now().at).toBe(START + 60_000 + 2 * HOUR);
  expect(time.sinceAnswer()).toEqual({ ms: 0 });
});

test('a step that is undone loses its anchor, and the next step stores it again', () => {
  time.noteAnswer(START);
  expect(() =>
    sql.atomically(() => {
      time.keep();
      throw new Error('undone');
    }),
  ).toThrow('undone');
  expect(open().sinceAnswer()).toHaveProperty('unknown');
  keep();
  expect(open().sinceAnswer()).toEqual({ ms: 0 });
});

test('a clock set forward while the till was off does not outweigh the gateway’s own time', () => {
  time.noteAnswer(START);
  keep();
  reboot(HOUR, YEAR);
  time.noteAnswer(START + HOUR);
  expect(time.now().at).toBe(START + HOUR);
  expect(time.corrected()).toBeUndefined();
});

test.each([
  ['before the first answer the clock was years behind', () => (wallMs = START - 20 * YEAR), true],
  ['before the first answer the clock was right', () => {}, false],
  [
    'the clock was set back by less than the till was off',
    () => {
      time.noteAnswer(START - 2_000 * HOUR);
      keep();
      reboot(2_000 * HOUR, HOUR);
    },
    true,
  ],
  [
    'the till was off, and its clock kept running',
    () => {
      time.noteAnswer(START);
      keep();
      reboot(2_000 * HOUR);
    },
    false,
  ],
])('when %s, the answer shows it, and a restart still knows it', (_, before, wasBehind) => {
  before();
  const count = wasBehind ? START : wallMs;
  time.noteAnswer(count);
  expect(time.corrected()).toBe(wasBehind ? START : undefined);
  keep();
  pass(HOUR);
  time = open();
  time.noteAnswer(count + HOUR);
  expect(time.corrected()).toBe(wasBehind ? START : undefined);
});

test('of steps in quick succession only the first stores the time, until a second later or the next answer', () => {
  const stored = () => JSON.stringify(sql.get('SELECT * FROM trusted_time'));
  const countWrites = () => {
    const before = stored();
    keep();
    return stored() !== before;
  };
  time.noteAnswer(START);
  expect(countWrites()).toBe(true);
  pass(400);
  expect(countWrites()).toBe(false);
  pass(599);
  expect(countWrites()).toBe(false);
  pass(1);
  expect(countWrites()).toBe(true);
  pass(1);
  time.noteAnswer(undefined);
  expect(countWrites()).toBe(true);
  pass(1);
  wallMs += 1_000;
  expect(countWrites()).toBe(true);
});
