/** How far a clock may be corrected before the till stops believing it: one minute, and not a millisecond more. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openSql, type Sql } from '../../src/journal/sql.ts';
import { openTrustedTime, type TrustedTime } from '../../src/offline/trusted-time.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const HOUR = 3_600_000;
const TOLERANCE = 60_000;
const START = Date.UTC(2026, 0, 2, 12, 0, 0);
const set = { unknown: expect.stringContaining('its clock was set') };

/** A till whose wall clock and uptime the test moves independently. */
const openTill = () => {
  const folder = mkdtempSync(join(tmpdir(), 'tolerance-'));
  const sql: Sql = openSql(join(folder, 'journal.db'));
  let wallMs = START;
  let upMs = 5_000;
  const open = (boot: string): TrustedTime =>
    openTrustedTime({
      sql,
      clock: { ...virtualClock(), now: () => wallMs },
      machine: { boot, upMs: () => upMs, freeBytes: () => 0 },
    });
  let time = open('first');
  return {
    time: () => time,
    pass(ms: number, wallSaysMs = ms): void {
      wallMs += wallSaysMs;
      upMs += ms;
    },
    keep: () => sql.atomically(() => time.keep()),
    /** Restarts the machine; the wall clock says that it was off this long. */
    reboot(wallSaysMs: number): void {
      wallMs += wallSaysMs;
      upMs = 0;
      time = open('second');
    },
    close(): void {
      sql.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

type Till = ReturnType<typeof openTill>;
const tills: Till[] = [];
afterEach(() => {
  for (const till of tills.splice(0)) till.close();
});

/** A till that heard from its gateway an hour ago. */
const heard = (): Till => {
  const till = openTill();
  tills.push(till);
  till.time().noteAnswer(START);
  till.pass(HOUR);
  till.keep();
  return till;
};

test.each<[string, (till: Till, ms: number) => void]>([
  [
    'set forward while the machine was up',
    (till, ms) => {
      till.pass(HOUR, HOUR + ms);
      till.keep();
      till.reboot(HOUR);
    },
  ],
  [
    'set back while the machine was up',
    (till, ms) => {
      till.pass(HOUR, HOUR - ms);
      till.keep();
      till.reboot(HOUR);
    },
  ],
  ['behind its value when the machine was last seen', (till, ms) => till.reboot(-ms)],
  [
    'behind the time that the uptime proves to have passed',
    (till, ms) => {
      till.reboot(0);
      till.pass(HOUR + ms, HOUR);
    },
  ],
])('a wall clock that is %s by a minute is believed; by more, the time is unknown', (_, setClock) => {
  const atTolerance = heard();
  setClock(atTolerance, TOLERANCE);
  expect(atTolerance.time().sinceAnswer()).toHaveProperty('ms');
  const beyondTolerance = heard();
  setClock(beyondTolerance, TOLERANCE + 1);
  expect(beyondTolerance.time().sinceAnswer()).toEqual(set);
});

test('an answer more than a minute ahead of the till’s time says that the till was behind', () => {
  const till = heard();
  till.time().noteAnswer(START + HOUR + TOLERANCE);
  expect(till.time().corrected()).toBeUndefined();
  till.time().noteAnswer(START + HOUR + TOLERANCE + TOLERANCE + 1);
  expect(till.time().corrected()).toBe(START + HOUR + TOLERANCE + TOLERANCE + 1);
});

test('an answer less than five seconds behind tells the time; an answer further behind is a repeated one', () => {
  const till = heard();
  till.time().noteAnswer(START + HOUR - 5_000);
  expect(till.time().now().at).toBe(START + HOUR);
  till.time().noteAnswer(START + HOUR - 4_999);
  expect(till.time().now().at).toBe(START + HOUR - 4_999);
});
