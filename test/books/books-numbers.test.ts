/**
 * The numbers of batches, X reports, Z reports and receipts have no gaps, whatever write fails and whatever the clock
 * says.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isFault } from '../../src/base/fault.ts';
import { checkBooks } from '../../src/books/check.ts';
import type { BatchEvent } from '../../src/reconciliation/batches.ts';
import type { Moment } from '../../src/reconciliation/business-day.ts';
import { verifyZ } from '../../src/reconciliation/z-report.ts';
import { type Dice, dice, SEED } from '../support/chance/dice.ts';
import { type Failing, fixedMoment, never, openRig, sell } from './books-rig.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'numbers-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Action = 'sell' | 'x' | 'close';
const day: readonly Action[] = ['sell', 'x', 'sell', 'close', 'sell', 'x', 'close'];

/** Runs the actions. After a failed write the till continues, or restarts. Each action is retried until it succeeds. */
const play = async (failing: Failing, chance: Dice, { restarts, now }: { restarts: boolean; now(): Moment }) => {
  let till = openRig(failing, { folder, chance, now });
  const act = async (what: Action): Promise<void> => {
    if (what === 'sell') sell(till.ledger, chance);
    else if (what === 'x') till.service.x();
    else await till.service.close();
  };
  for (const what of day) {
    try {
      await act(what);
    } catch (error) {
      if (!isFault(error, 'journal.unwritable')) throw error;
      if (restarts) {
        till.journal.close();
        till = openRig(failing, { folder, chance, now });
      }
      // The close succeeded although it reported a failure, so there is nothing more to close.
      await act(what).catch((retryError: unknown) => {
        if (!isFault(retryError, 'books.nothingToClose')) throw retryError;
      });
    }
  }
  return till;
};

const upTo = (n: number): number[] => Array.from({ length: n }, (_, index) => index + 1);

const proveNumbers = ({ journal, ledger, books }: ReturnType<typeof openRig>, reason: string): void => {
  const all = [...journal.entries()].filter(({ subject }) => subject.startsWith('batch '));
  const reported = all.map(({ body }) => JSON.parse(body) as BatchEvent);
  const numbers = <K extends BatchEvent['on']>(on: K, of: (event: Extract<BatchEvent, { on: K }>) => number) =>
    reported.flatMap((event) => (event.on === on ? [of(event as Extract<BatchEvent, { on: K }>)] : []));
  const opened = numbers('batchOpened', ({ batch }) => batch);
  const xs = numbers('xReport', ({ number }) => number);
  const zs = numbers('batchClosed', ({ z }) => z.number);
  expect(opened, reason).toEqual(upTo(opened.length));
  expect(xs, reason).toEqual(upTo(xs.length));
  expect(zs, reason).toEqual(upTo(zs.length));
  expect(zs.length, reason).toBe(opened.length);
  const sales = [...ledger.all()].map(({ intent: { sale, receipt } }) => ({ sale, receipt }));
  expect(
    sales.map(({ receipt }) => receipt),
    reason,
  ).toEqual(upTo(sales.length));
  const batched = books.batches().flatMap((batch) => books.sales(batch));
  expect(batched, reason).toEqual(sales.map(({ sale }) => sale));
  const reports = books.batches().flatMap(({ z }) => z ?? []);
  verifyZ(reports);
  expect(
    reports.reduce((sum, { report }) => sum + report.sales, 0),
    reason,
  ).toBe(sales.length);
  expect(checkBooks(journal.sql), reason).toEqual({
    overRefunded: [],
    zReports: zs.length,
    zBroken: [],
    staleLines: [],
  });
};

test.each(['before', 'after'] as const)(
  'each write in turn fails %s it is durable',
  { timeout: 120_000 },
  async (when) => {
    for (const restarts of [true, false]) {
      for (let index = 1; ; index += 1) {
        const failing: Failing = { at: index, when, writes: 0 };
        const till = await play(failing, dice(index), { restarts, now: fixedMoment });
        proveNumbers(till, `write ${index}, ${restarts ? 'started again' : 'going on'}`);
        till.journal.close();
        rmSync(folder, { recursive: true, force: true });
        folder = mkdtempSync(join(tmpdir(), 'numbers-'));
        if (failing.writes < index) break;
      }
    }
  },
);

test('with a clock set forward and back, numbers continue and trusted days never go back', async () => {
  const chance = dice(SEED);
  for (let round = 0; round < 12; round += 1) {
    const now = (): Moment => {
      const jump = chance.one([0, 0, 3_600_000, -3_600_000, 86_400_000, 365 * 86_400_000, -365 * 86_400_000] as const);
      const trusted = jump === 0 && chance.percent(50);
      return { at: Date.UTC(2026, 2, 28, 22) + round * 3_600_000 + jump, trusted };
    };
    const failing: Failing = { at: chance.between(1, 40), when: chance.one(['before', 'after'] as const), writes: 0 };
    const till = await play(failing, chance, { restarts: chance.percent(50), now });
    proveNumbers(till, `seed ${SEED}, round ${round}`);
    const certain = till.books.batches().flatMap(({ day: of }) => (of.trusted ? [of.date] : []));
    expect(certain, `seed ${SEED}, round ${round}`).toEqual([...certain].sort());
    till.journal.close();
    rmSync(folder, { recursive: true, force: true });
    folder = mkdtempSync(join(tmpdir(), 'numbers-'));
  }
});

test('a batch open for three days keeps its day, a day without sales has no batch', async () => {
  const moment = { at: Date.UTC(2026, 9, 23, 10), trusted: true };
  const till = openRig(never, { folder, chance: dice(1), now: () => moment });
  const DAY_MS = 86_400_000;
  sell(till.ledger, dice(2));
  // Across the night in which the clocks go back.
  moment.at += 3 * DAY_MS;
  sell(till.ledger, dice(3));
  expect(await till.service.close()).toMatchObject({ number: 1, day: { date: '2026-10-23' }, report: { sales: 2 } });
  moment.at += DAY_MS;
  await expect(till.service.close()).rejects.toMatchObject({ code: 'books.nothingToClose' });
  // 03:30 in Vienna, before the cut-off, belongs to the previous business day.
  moment.at = Date.UTC(2026, 9, 29, 2, 30);
  sell(till.ledger, dice(4));
  expect(await till.service.close()).toMatchObject({ number: 2, batch: 2, day: { date: '2026-10-28' } });
  till.journal.close();
});

test('two terminals of a till have their own numbers, and one can close what the other left open', async () => {
  const till = openRig(never, { folder, chance: dice(1), now: fixedMoment });
  const chance = dice(5);
  for (const terminalId of ['0', '1', '0', '1', '0']) sell(till.ledger, chance, terminalId);
  expect(till.books.batches().map(({ terminalId, batch }) => [terminalId, batch])).toEqual([
    ['0', 1],
    ['1', 1],
  ]);
  expect(await till.service.close()).toMatchObject({ terminalId: '1', number: 1, report: { sales: 2 } });
  expect(await till.service.close()).toMatchObject({ terminalId: '0', number: 1, report: { sales: 3 } });
  await expect(till.service.close()).rejects.toMatchObject({ code: 'books.nothingToClose' });
  sell(till.ledger, chance, '0');
  expect(await till.service.close()).toMatchObject({ terminalId: '0', number: 2, batch: 2 });
  expect(checkBooks(till.journal.sql)).toEqual({ overRefunded: [], zReports: 3, zBroken: [], staleLines: [] });
  till.journal.close();
});
