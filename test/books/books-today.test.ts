/** The figures of a day by hours since the cut-off, also on clock changes, compared with the week before. */
import { afterEach, describe, expect, test } from 'vitest';
import { QUARTER_MS, totalsOf } from '../../src/books/lines/totals.ts';
import { businessDays } from '../../src/books/today.ts';
import { reportOf } from '../../src/reconciliation/report.ts';
import { cpuTimeMs } from '../support/work/cpu-time.ts';
import { booksRig, type Rig } from './manager-rig.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
let rig: Rig;
afterEach(() => rig?.remove());

describe('business days have their real length', () => {
  const rows = [
    ['2026-06-10', '04:00', 'Europe/Vienna', '2026-06-10T02:00:00.000Z', 24],
    // The night in which the clock goes forward is the end of the previous business day.
    ['2026-03-28', '04:00', 'Europe/Vienna', '2026-03-28T03:00:00.000Z', 23],
    ['2026-03-29', '04:00', 'Europe/Vienna', '2026-03-29T02:00:00.000Z', 24],
    ['2026-10-24', '04:00', 'Europe/Vienna', '2026-10-24T02:00:00.000Z', 25],
    ['2026-03-29', '00:00', 'Europe/Vienna', '2026-03-28T23:00:00.000Z', 23],
    ['2026-10-25', '00:00', 'Europe/Vienna', '2026-10-24T22:00:00.000Z', 25],
    // A cut-off that does not exist in this night: the first moment after it.
    ['2026-03-29', '02:30', 'Europe/Vienna', '2026-03-29T01:00:00.000Z', 23.5],
    ['2026-06-10', '04:00', 'Asia/Kolkata', '2026-06-09T22:30:00.000Z', 24],
    ['2026-06-10', '04:00', 'Pacific/Kiritimati', '2026-06-09T14:00:00.000Z', 24],
    ['2026-06-10', '04:00', 'Pacific/Pago_Pago', '2026-06-10T15:00:00.000Z', 24],
  ] as const;
  test.each(rows)('%s from %s in %s', (date, cutOff, timeZone, begins, hours) => {
    const days = businessDays({ cutOff, timeZone });
    const { from, to } = days.span(date);
    expect(new Date(from).toISOString()).toBe(begins);
    expect((to - from) / HOUR).toBe(hours);
    expect(days.dateOf(from)).toBe(date);
    expect(days.dateOf(from - 1)).not.toBe(date);
    expect(days.dateOf(to - 1)).toBe(date);
  });
});

test('a day of 25 hours has 25, compared with the day a week before by hours since the cut-off', async () => {
  // A week before Saturday 24 October, whose night has one hour twice.
  rig = booksRig({ startMs: Date.parse('2026-10-17T02:30:00Z') });
  const till = await rig.open();
  await till.sell(1_000n);
  await rig.clock.advance(7 * DAY);
  await till.sell(250n);
  await rig.clock.advance(24 * HOUR);
  const last = await till.sell(300n);
  const { day, byHour, taken, sales, byDay } = till.service.today();
  expect([day, byHour.length, taken.amount, sales]).toEqual(['2026-10-24', 25, '5.50', 2]);
  expect(byHour[0]).toMatchObject({ hour: 0, taken: '2.50', lastWeek: '10.00' });
  expect(byHour[24]).toMatchObject({ hour: 24, taken: '3.00', lastWeek: '0.00' });
  expect(byHour.at(-1)?.at).toBeLessThanOrEqual(last.intent.at);
  expect(byDay).toHaveLength(14);
  expect(byDay.filter((one) => one.taken !== '0.00')).toEqual([
    { day: '2026-10-17', taken: '10.00' },
    { day: '2026-10-24', taken: '5.50' },
  ]);
  await till.close();
});

test('refunds, voids, declines and stored sales are counted as in the books', async () => {
  rig = booksRig();
  const till = await rig.open();
  const { intent: soldIntent } = await till.sell(1_000n);
  await till.follow(soldIntent.receipt, 'refund', 400n);
  const { intent: wrong } = await till.sell(700n);
  await till.follow(wrong.receipt, 'void');
  rig.approvals.push(false);
  await till.sell(9_900n);
  rig.line.up = false;
  await till.sell(1_500n);
  const today = till.service.today();
  expect(today.taken.amount).toBe('17.00');
  expect(today.refunded.amount).toBe('11.00');
  expect(today.offline).toEqual({
    exposure: { amount: '15.00', currency: 'EUR' },
    most: { amount: '500.00', currency: 'EUR' },
  });
  expect(today).toMatchObject({ sales: 2, begun: 6, openItems: 1 });
  expect(today.byBrand).toEqual([{ brand: 'VISA', count: 2, taken: '17.00' }]);
  expect(today.byTerminal).toEqual([{ counter: 'T1', count: 2, taken: '17.00' }]);
  rig.line.up = true;
  await till.drain();
  expect(till.service.today()).toMatchObject({ taken: { amount: '32.00' }, offline: { exposure: { amount: '0.00' } } });
  const [batch] = till.service.batches();
  const [row] = reportOf(till.running.books.lines(till.running.books.batch(1))).currencies;
  expect(batch?.net).toEqual([{ amount: row?.net, currency: 'EUR' }]);
  expect(row?.net).toBe('21.00');
  await till.close();
});

test('a day that begins within a quarter-hour has the figures of its own sales', async () => {
  rig = booksRig({ startMs: Date.parse('2026-06-10T02:05:00Z'), cutOff: '04:10' });
  const till = await rig.open();
  await till.sell(1_000n);
  await rig.clock.advance(6 * 60_000);
  // The same quarter of an hour, but the next day.
  const { intent } = await till.sell(250n);
  await till.follow(intent.receipt, 'refund', 50n);
  expect(till.service.today()).toMatchObject({
    ...{ day: '2026-06-10', taken: { amount: '2.50' }, refunded: { amount: '0.50' }, sales: 1, begun: 2 },
    byBrand: [{ brand: 'VISA', count: 1, taken: '2.50' }],
    byTerminal: [{ counter: 'T1', count: 1, taken: '2.50' }],
  });
  expect(till.service.today().byHour[0]).toMatchObject({ taken: '2.50' });
  expect(
    till.service
      .today()
      .byDay.slice(-2)
      .map(({ taken }) => taken),
  ).toEqual(['10.00', '2.50']);
  await till.close();
});

test('an index that is lost, or from another version, is rebuilt from the journal', async () => {
  rig = booksRig();
  const till = await rig.open();
  const { intent } = await till.sell(1_000n);
  await till.follow(intent.receipt, 'refund', 100n);
  const before = till.service.today();
  till.running.journal.sql.run('DELETE FROM takings_quarter');
  expect(till.service.today().taken.amount).toBe('0.00');
  await till.close();
  const reopened = await rig.opened();
  expect(reopened.service.today()).toEqual(before);
  await reopened.close();
});

test('the figures of a day do not read a year of sales', async () => {
  rig = booksRig();
  const till = await rig.open();
  const { sql } = till.running.journal;
  const now = rig.clock.now();
  const quarter = now - (now % QUARTER_MS);
  sql.atomically(() => {
    const parts = [
      ['total', ''],
      ['brand', 'VISA'],
      ['terminal_id', '10000001'],
    ] as const;
    for (let n = 1; n <= 35_000; n += 1)
      for (const [part, name] of parts)
        sql.run(
          "INSERT INTO takings_quarter VALUES (?, ?, 'EUR', ?, 3, 300, 0, 3)",
          ...[part, quarter - n * QUARTER_MS, name],
        );
  });
  const from = cpuTimeMs();
  const { byDay } = till.service.today();
  // The limit is generous for 14 days of 96 quarter-hours: reading all sales would take seconds.
  expect(cpuTimeMs() - from).toBeLessThan(500);
  expect(byDay.at(-2)?.taken).toBe('288.00');
  const plan = sql
    .all(
      `EXPLAIN QUERY PLAN SELECT sum(taken) FROM takings_quarter
       WHERE part = 'total' AND at >= 1 AND at < 2 AND currency = 'EUR'`,
    )
    .map(({ detail }) => String(detail));
  expect(plan.some((step) => step.startsWith('SCAN'))).toBe(false);
  expect(totalsOf(sql, { from: quarter - DAY, to: quarter, currency: 'EUR' }).count).toBe(288);
  await till.close();
});
