/** Some days of the simulated store, and proof that a day finds errors. */
import { describe, expect, test } from 'vitest';
import { byNight } from '../support/night/night.ts';
import { playDay } from './day.ts';
import { describeRows, OPERATIONS, type Row, rowsOfDay, TILLS } from './day-rows.ts';
import { operations } from './operations.ts';
import { type PlantedBug, plantedBugs } from './planted-bugs.ts';
import { shrink } from './shrink.ts';

/** The first two meet every ending that is required below. For more days: npm run simulate:days -- --seeds 1000 */
const FIRST = 3;
const SEEDS = byNight({ day: 2, night: 60 });

test(
  `whole days of two tills under faults and power cuts add up to the cent, seeds ${FIRST} to ${FIRST + SEEDS - 1}`,
  async () => {
    const seenEndings = new Set<string>();
    let crashes = 0;
    for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
      const day = await playDay(seed);
      expect(day.problems, `seed ${seed}: npm run simulate:days -- --first-seed ${seed} --seeds 1 --shrink`).toEqual(
        [],
      );
      for (const ending of Object.keys(day.endings)) seenEndings.add(ending);
      crashes += day.crashes;
    }
    // A simulation without faults proves nothing: the days must have been bad.
    expect(crashes).toBeGreaterThan(15);
    expect([...seenEndings]).toEqual(
      expect.arrayContaining([
        'approved approved',
        'approved approvedOffline',
        'approved takenOffline',
        'declined reversed',
        'notSent neverArrived',
        'approved refunded',
        'approved voided',
        'approved held',
        'approved completed',
        'approved voidedBeforeSending',
      ]),
    );
  },
  byNight({ day: 120_000, night: 1_200_000 }),
);

test('the same seed gives the same day, and each till has its operations in it', async () => {
  const rows = rowsOfDay(5);
  expect(rows).toEqual(rowsOfDay(5));
  // The daytime test plays only the morning.
  const played = rows.slice(0, byNight({ day: 50, night: rows.length }));
  const first = await playDay(5, { rows: played });
  expect(await playDay(5, { rows: played })).toEqual(first);
  for (let till = 0; till < TILLS; till++)
    expect(rows.filter((row) => row.till === till && row.actionName in operations)).toHaveLength(OPERATIONS);
}, 60_000);

/** A sale whose bank decides after the till has given up, and then an hour without customers. */
const rowsWithLateBank = (bank: string, till: number): Row[] => [
  { n: 1, till, actionName: bank, a: 0, b: 0 },
  // A chip payment; at an integrated terminal the cashier cancels it after six seconds.
  { n: 2, till, actionName: 'sell', a: 699, b: 14 * 33 },
  { n: 3, till, actionName: 'wait', a: 59, b: 1 },
];
const slowBanks = ['bankAfter16s', 'bankAfter20s', 'bankAfter60s'];

describe('a bank that approves late', () => {
  test.each(slowBanks)('is reversed before the next customer: %s', async (bank) => {
    const { problems, endings } = await playDay(3, { rows: rowsWithLateBank(bank, 0) });
    expect(problems).toEqual([]);
    expect(endings).toEqual({ 'declined reversed': 1 });
  });

  test.each(slowBanks)('behind an integrated terminal: %s', async (bank) => {
    const { problems, endings } = await playDay(3, { rows: rowsWithLateBank(bank, 1) });
    expect(problems).toEqual([]);
    expect(endings).toEqual({ 'declined cancelledAfterApproval': 1 });
  });

  test('a till that repeats its first key is detected', async () => {
    const { problems } = await playDay(3, { rows: rowsWithLateBank('bankAfter60s', 0), plantedBug: 'firstKey' });
    expect(problems.join('\n')).toMatch(/left in the queue: 700\.400\.570/);
  });
});

type Found = readonly [PlantedBug, number, RegExp];
/** A seed whose day meets each planted bug early, and the broken rule that it must report. */
const found: readonly Found[] = [
  ['doubleSend', 5, /2 times in the issuer's books/],
  ['lostWrite', 9, /acknowledged steps of .* are left/],
  ['wrongOrder', 8, /was sent before/],
  ['droppedReversal', 5, /the till holds 0, the issuer/],
  ['normalSync', 1, /acknowledged steps of .* are left/],
  ['impatience', 13, /was sent \d+ ms before its turn/],
  // These appear late in their days.
  ...byNight<readonly Found[]>({
    day: [],
    night: [
      ['doubleSend', 12, /2 times in the issuer's books/],
      ['wrongOrder', 4, /was sent before/],
      ['firstKey', 14, /left in the queue: 700\.400\.570/],
      ['droppedReversal', 6, /the till holds 0, the issuer/],
    ],
  }),
];

describe('a planted bug is found', () => {
  test.each(found)(
    '%s, by seed %i',
    async (plantedBug, seed, message) => {
      const { problems } = await playDay(seed, { plantedBug });
      expect(problems.join('\n'), plantedBugs[plantedBug]).toMatch(message);
    },
    60_000,
  );

  test('its day is shrunk: a dropped reversal needs a sale and a lost answer', async () => {
    const rows = byNight({ day: rowsOfDay(5).slice(0, 60), night: rowsOfDay(5) });
    const shrunk = await shrink(5, { plantedBug: 'droppedReversal', triesMost: 25, rows });
    expect(shrunk?.problems.join('\n')).toMatch(/the till holds 0, the issuer/);
    expect(shrunk?.rows.length).toBeLessThan(30);
    expect(describeRows(shrunk?.rows ?? []).join('\n')).toMatch(/sells for|gives to a card|holds/);
  }, 60_000);
});
