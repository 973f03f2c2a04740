import { describe, expect, test } from 'vitest';
import type { Books, TillSale } from '../../bench/saturday/books.ts';
import { exactBounds, speedBounds } from '../../bench/saturday/bounds.ts';
import { compareBooks } from '../../bench/saturday/compared.ts';
import type { PlayedDay } from '../../bench/saturday/day.ts';
import { emptyRow, type Look, openTable, type Row, views } from '../../bench/saturday/figures.ts';
import { countEndings } from '../../bench/saturday/listeners.ts';
import { type DayPlanOptions, planOf } from '../../bench/saturday/plan.ts';
import type { LiveSale } from '../../src/api/contract/sales.ts';

const request: DayPlanOptions = { seed: 7, sales: 400, dayMs: 60_000, counters: 8 };

describe('the day of a seed', () => {
  test('is the same each time; another seed gives another day', () => {
    expect(planOf(request)).toEqual(planOf(request));
    expect(planOf({ ...request, seed: 8 }).sales).not.toEqual(planOf(request).sales);
  });

  test('has two terminals of each kind, and no two sales of the same amount', () => {
    const { counters, sales } = planOf(request);
    expect(counters.map(({ protocol }) => protocol).sort()).toEqual([
      'mms',
      'mms',
      'mpi',
      'mpi',
      'neo2',
      'neo2',
      'zvt',
      'zvt',
    ]);
    expect(new Set(sales.map(({ minor }) => minor)).size).toBe(400);
    expect(sales.every(({ at }) => at >= 0 && at < request.dayMs)).toBe(true);
  });

  test('breaks everything, but nothing in its first and last tenth', () => {
    const { troubles } = planOf(request);
    expect(new Set(troubles.map(({ kind: troubleKind }) => troubleKind)).size).toBe(5);
    expect(troubles.filter(({ kind: troubleKind }) => troubleKind === 'tillKilled')).toHaveLength(2);
    expect(troubles.every(({ at, forMs }) => at >= 6_000 && at + forMs < 54_000)).toBe(true);
  });

  test('refunds only what was sold before', () => {
    const { follows, sales } = planOf(request);
    expect(follows.length).toBeGreaterThan(20);
    expect(follows.every(({ of: planned, at }) => (sales[planned]?.at ?? at) < at && at <= request.dayMs)).toBe(true);
  });
});

const [reader, , , zvt] = planOf(request).counters;
if (reader === undefined || zvt === undefined) throw new Error('there are no counters');

const sale = (receipt: number, changes: Partial<TillSale> = {}): TillSale => ({
  ...{ receipt, sale: `s${receipt}`, operation: 'sale', terminalId: reader.terminalId, minor: 100n * BigInt(receipt) },
  ...{ movedMinor: 100n * BigInt(receipt), ending: 'approved', reason: 'approved', entryMode: 'ICC', ...changes },
});

/**
 * A chip sale, a contactless sale that was voided at another counter, a sale at the ZVT terminal, and a sale declined
 * after an approval.
 */
const agreeingBooks = (): Books => ({
  till: [
    sale(1),
    sale(2, { entryMode: 'NFC_ICC' }),
    sale(3, {
      operation: 'void',
      terminalId: zvt.terminalId,
      minor: 200n,
      movedMinor: -200n,
      follows: 2,
      entryMode: '',
    }),
    sale(4, { terminalId: zvt.terminalId }),
    sale(5, { ending: 'declined', reason: 'reversed', movedMinor: 0n }),
  ],
  reports: 500n,
  gateway: [
    { payment: 'p1', sale: 's1', type: 'DB', minor: 100n, isApproved: true },
    { payment: 'p2', sale: 's2', type: 'DB', minor: 200n, isApproved: true },
    { payment: 'p3', sale: 's3', type: 'RV', minor: 200n, isApproved: true, follows: 'p2' },
    { payment: 'p5', sale: 's5', type: 'DB', minor: 500n, isApproved: true },
    { payment: 'p6', sale: 's5', type: 'RV', minor: 500n, isApproved: true, follows: 'p5' },
  ],
  settled: [{ sale: 's1', payment: 'p1', minor: 100n }],
  terminals: [
    {
      counter: reader,
      signed: [
        { card: 'typesPin', kind: 'ARQC', minor: 100n },
        { card: 'typesPin', kind: 'TC', minor: 100n },
        { card: 'taps', kind: 'ARQC', minor: 200n },
        { card: 'typesPin', kind: 'TC', minor: 500n },
      ],
    },
    { counter: zvt, booked: [{ kind: 'payment', amountMinor: 400n, receipt: '0001', trace: '000001' }] },
  ],
  reconciled: { differences: [], refusedCount: 0, matchedCount: 1 },
});

test('finds no difference in books that agree, and equal totals', () => {
  const { sums, differences } = compareBooks(agreeingBooks());
  expect(differences).toEqual([]);
  expect(sums.map(({ name, till, other: theirs }) => [name, till, theirs])).toEqual([
    ['the till’s own reports', 500n, 500n],
    ['gateway', 100n, 100n],
    ['settlement file', 100n, 100n],
    ['T1 mpi, signed by cards', 300n, 300n],
    ['T4 zvt', 400n, 400n],
  ]);
});

const changedBooks: readonly (readonly [string, (books: Books) => Books, RegExp])[] = [
  [
    'a charge that the till does not hold',
    (books) => ({
      ...books,
      gateway: [...books.gateway, { payment: 'p9', sale: 's5', type: 'DB', minor: 500n, isApproved: true }],
    }),
    /receipt 5.*till 0\.00, gateway 5\.00/,
  ],
  [
    'a second charge that was taken out of the sums',
    (books) => ({
      ...books,
      gateway: [
        ...books.gateway,
        { payment: 'p9', sale: 's1', type: 'DB', minor: 100n, isApproved: true },
        { payment: 'p10', sale: 's1', type: 'RF', minor: 100n, isApproved: true, follows: 'p9' },
      ],
    }),
    /s1 is charged 2 times/,
  ],
  [
    'a payment of nobody',
    (books) => ({
      ...books,
      gateway: [...books.gateway, { payment: 'p9', sale: 'x', type: 'DB', minor: 1n, isApproved: true }],
    }),
    /gateway: 0\.01 of x/,
  ],
  ['a line that is missing in the settlement', (books) => ({ ...books, settled: [] }), /receipt 1.*settled 0\.00/],
  ['reports that are a cent off', (books) => ({ ...books, reports: 501n }), /5\.00 and 5\.01/],
  [
    'a payment that the terminal made and the till does not have',
    (books) => ({ ...books, till: books.till.filter(({ receipt }) => receipt !== 4), reports: 100n }),
    /T4: no sale: till and terminal 0\.00 and 4\.00/,
  ],
  [
    'a sale that no card signed',
    (books) => ({
      ...books,
      terminals: books.terminals.map((terminalBook) =>
        'signed' in terminalBook ? { ...terminalBook, signed: [] } : terminalBook,
      ),
    }),
    /receipt 1.*signed 0 times/,
  ],
  [
    'an approval by a chip whose sale was declined and not returned',
    (books) => ({
      ...books,
      till: books.till.map((item) => (item.receipt === 5 ? { ...item, reason: 'declinedByHost' } : item)),
    }),
    /receipt 5.*its chip approved/,
  ],
  [
    'a difference that the till itself finds',
    (books) => ({ ...books, reconciled: { differences: ['receipt 1: fees'], refusedCount: 2, matchedCount: 0 } }),
    /own reconciliation: receipt 1: fees\n.*refused 2/,
  ],
];

test.each(changedBooks)('lists the sale if there is %s', (_, change, pattern) => {
  expect(compareBooks(change(agreeingBooks())).differences.join('\n')).toMatch(pattern);
});

const endedSale = (id: string): LiveSale => ({ id, result: { ending: 'approved', reason: 'approved' } }) as LiveSale;

test('counts an ending as seen once, never or twice; one that nobody could have seen does not count', () => {
  const counts = new Map([
    ['a approved approved', 1],
    ['b approved approved', 2],
  ]);
  const sales = ['a', 'b', 'c', 'd', 'e'].map((id, n) => ({
    ...{ sale: endedSale(id), at: n, byProgram: true, wasKilled: id === 'd' },
  }));
  expect(countEndings({ name: 'x', gaps: [[3.5, 4.5]] }, counts, sales)).toEqual({
    ...{ listener: 'x', endings: 3, onceCount: 1, neverCount: 1, moreCount: 1, mostTimes: 2 },
    ...{ awayCount: 2, lateCount: 0 },
  });
});

const rowOf = (ms: number, workMs: number): Row => ({
  ...emptyRow(),
  endings: { ...emptyRow().endings, approved: 40 },
  saleMs: [100],
  viewMs: Object.fromEntries(views.map((look) => [look, [ms]])) as Record<Look, number[]>,
  workMs,
  memoryMb: 150,
});

const counts = {
  ...{ listener: 'x', endings: 2, onceCount: 2, neverCount: 0, moreCount: 0, mostTimes: 1, awayCount: 0 },
  lateCount: 0,
};
const dayOf = (rows: Row[], changes: Partial<PlayedDay> = {}): PlayedDay => ({
  ...{ plan: planOf(request), rows, startMs: 500, notes: new Map(), openItems: [], serverErrors: [] },
  ...{ books: agreeingBooks(), endingCounts: [counts], receiptCounts: counts },
  ...changes,
});

const missedBounds = (day: PlayedDay, differences: string[] = []): string[] =>
  [...speedBounds(day), ...exactBounds(day, { differences })].flatMap(({ name, isMet: holds }) =>
    holds ? [] : [name],
  );

test('a day that does not grow meets every limit', () => {
  expect(missedBounds(dayOf([rowOf(10, 400), rowOf(12, 440)]))).toEqual([]);
});

test('each limit can be missed', () => {
  const slow = rowOf(500, 800);
  slow.busyCount = 1;
  slow.memoryMb = 300;
  slow.refusals.set('close: books.openMoney', 1);
  const reported = [{ ...counts, onceCount: 1, moreCount: 1, mostTimes: 2 }];
  const day = dayOf([rowOf(10, 400), slow], {
    endingCounts: reported,
    receiptCounts: { ...reported[0] } as PlayedDay['receiptCounts'],
    startMs: 900,
  });
  const all = [...speedBounds(day), ...exactBounds(day, { differences: [] })].map(({ name }) => name);
  const left = [{ receipt: 1 }] as PlayedDay['openItems'];
  expect(missedBounds({ ...day, openItems: left }, ['one'])).toEqual(all);
});

test('a row of the table has its start, its sales and their outcomes', () => {
  const { header: head, line } = openTable(60_000);
  const cellsOf = (text: string): string[] => text.trim().split(/ +/);
  expect(cellsOf(line(rowOf(10, 400), 1)).slice(0, 3)).toEqual(['1:00', '40', '40']);
  expect(cellsOf(line(rowOf(10, 400), 1))).toHaveLength(cellsOf(head).length);
});
