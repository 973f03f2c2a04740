import { expect, test } from 'vitest';
import { exactBounds } from '../../bench/saturday/bounds.ts';
import { compareBooks } from '../../bench/saturday/compared.ts';
import { playDay } from '../../bench/saturday/day.ts';
import { planOf } from '../../bench/saturday/plan.ts';
import { SEED } from '../support/chance/dice.ts';
import { byNight } from '../support/night/night.ts';
import { program } from '../support/servers/program.ts';

const width = byNight({
  day: { sales: 30, dayMs: 5_000, counters: 4, perProcess: 4, isShort: true },
  night: { sales: 1_500, dayMs: 120_000, counters: 8, perProcess: 1, isShort: false },
});

test('after a busy Saturday each cent is in every book once', async () => {
  const { perProcess, isShort, ...options } = width;
  const plan = planOf({ seed: SEED, ...options, isMild: isShort });
  const day = await playDay(plan, {
    program,
    speed: 25,
    perProcess,
    timeoutMs: 1_000,
    stuck: 0,
    settleMs: 60_000,
    isShort,
  });
  const compared = compareBooks(day.books);
  expect(compared.differences).toEqual([]);
  expect(day.openItems).toEqual([]);
  expect(exactBounds(day, compared).filter(({ isMet: holds }) => !holds)).toEqual([]);
  expect(day.rows.flatMap(({ saleMs }) => saleMs).length).toBeGreaterThan(plan.sales.length / 2);
});
