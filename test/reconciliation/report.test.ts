/** The sums of a report: holds with their increments count once, and each account adds up to the intended amount. */
import { expect, test } from 'vitest';
import { bookLine } from '../../src/books/lines/lines.ts';
import { reportRows } from '../../src/books/reports/print-parts.ts';
import { englishReports } from '../../src/locales/reports.ts';
import { receiptText } from '../../src/receipt/text.ts';
import { reportOf } from '../../src/reconciliation/report.ts';
import type { Intent, ProgramKey } from '../../src/till/machine/facts.ts';
import { cases, events, follower, saleAfter, saleIn } from './sale-cases.ts';

const hold = saleAfter(cases.approved, { operation: 'preauthorisation' });
const increment = follower('increment', 200n);
const completion = follower('completion', 1_100n);

test('a hold, its increment and its completion are not counted twice', () => {
  const { currencies } = reportOf([
    bookLine(hold, { followers: [increment, completion] }),
    bookLine(increment, { parent: hold, origin: hold, isCountedThere: true }),
    bookLine(completion, { parent: hold, origin: hold }),
  ]);
  expect(currencies).toMatchObject([
    {
      net: '11.00',
      operations: [
        { name: 'completion', count: 1, sum: '11.00' },
        { name: 'increment', count: 1, sum: '2.00' },
        { name: 'preauthorisation', count: 1, sum: '10.00' },
      ],
      brands: [{ name: 'VISA', count: 1, sum: '11.00' }],
      places: [
        { account: 'charges', intended: '11.00', buckets: { approved: '11.00' } },
        { account: 'holds', intended: '12.00', buckets: { held: '1.00', completed: '11.00' } },
      ],
    },
  ]);
});

test('an increment of a hold in another batch is counted separately', () => {
  const [report] = reportOf([bookLine(increment, { parent: hold, origin: hold })]).currencies;
  expect(report?.places).toMatchObject([{ account: 'holds', intended: '2.00', buckets: { held: '2.00' } }]);
});

test('in any batch the places of each account add up to the intended amount', () => {
  const sales = Object.keys(cases).map((name) => saleIn(name as keyof typeof cases));
  const returns = [follower('refund', 300n), follower('void', 1_000n), follower('refund', 100n, [events.declined])];
  const { currencies } = reportOf([...sales, ...returns].map((sale) => bookLine(sale)));
  for (const { places } of currencies)
    for (const { intended, buckets } of places)
      expect(Object.values(buckets).reduce((sum, text) => sum + Number(text), 0)).toBeCloseTo(Number(intended), 6);
  expect(currencies[0]?.declined.count).toBeGreaterThan(1);
});

test('a void of a payout brings the money back', () => {
  const credit = saleAfter(cases.approved, { operation: 'credit' });
  const undone = follower('void', 1_000n);
  expect(bookLine(credit).moved).toBe(-1_000n);
  expect(bookLine(undone, { parent: credit }).moved).toBe(1_000n);
  expect(bookLine(undone, { parent: saleIn('approved') }).moved).toBe(-1_000n);
});

test('a program has a row for each pair of people behind its key, separate from a person of the same name', () => {
  const sold = (receipt: number, more: Partial<Intent>) => bookLine(saleAfter(cases.approved, { receipt, ...more }));
  const [report] = reportOf([
    sold(1, { cashier: 'Kiosk', program: { madeBy: 'Tom', approvedBy: 'Ana' } }),
    sold(2, { cashier: 'Kiosk', program: { madeBy: 'Tom', approvedBy: 'Max' } }),
    sold(3, { cashier: 'Kiosk', program: { madeBy: 'Tom', approvedBy: 'Ana' } }),
    sold(4, { cashier: 'Kiosk', program: {} }),
    sold(5, { cashier: 'Kiosk' }),
    sold(6, { cashier: 'Ana' }),
  ]).currencies;
  expect(report?.cashiers).toEqual([
    { name: 'Ana', count: 1, sum: '10.00' },
    { name: 'Kiosk', count: 1, sum: '10.00' },
    { name: 'Kiosk', program: {}, count: 1, sum: '10.00' },
    { name: 'Kiosk', program: { madeBy: 'Tom', approvedBy: 'Ana' }, count: 2, sum: '20.00' },
    { name: 'Kiosk', program: { madeBy: 'Tom', approvedBy: 'Max' }, count: 1, sum: '10.00' },
  ]);
});

test.each<[ProgramKey, string]>([
  [{ madeBy: 'Ana', approvedBy: 'Ana' }, 'Key created and approved by Ana'],
  [{ madeBy: 'Tom', approvedBy: 'Ana' }, 'Key created by Tom, approved by Ana'],
  [{ approvedBy: 'Ana' }, 'Key approved by Ana'],
  [{ madeBy: 'Tom' }, 'Key created by Tom, not approved'],
  [{}, 'Key not approved'],
])('%j is printed on X and Z reports as %s', (program, text) => {
  const report = reportOf([bookLine(saleIn('approved', { cashier: 'Kiosk', program }))]);
  const lines = receiptText(reportRows(report, englishReports), 42);
  expect(lines[lines.indexOf('   1 KIOSK                           10.00') + 1]).toBe(`  ${text}`);
});
