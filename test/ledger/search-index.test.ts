/** Sales are found by what people have in their hands, and through an index: never by reading all of them. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { searchSales } from '../../src/ledger/search-index.ts';
import { type Rig, type TillRun, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
let run: TillRun;
beforeEach(async () => {
  rig = tillRig();
  run = rig.open();
  for (const minor of [1_250n, 700n, 1_250n]) await rig.clock.until(run.sell(minor).done);
  await rig.clock.advance(86_400_000);
  await rig.clock.until(run.sell(1_000n).done);
});
afterEach(() => {
  run.close();
  rig.remove();
});

const findReceipts = (text: string, most = 10): number[] =>
  searchSales(run.journal.sql, { words: text, currency: 'EUR', most }).sales.map(
    (id) => run.till.findSale(id).intent.receipt,
  );

test.each([
  ['12.50', [3, 1]],
  ['12,50', [3, 1]],
  ['7.00', [2]],
  ['2026-01-02', [3, 2, 1]],
  ['2026-01-03', [4]],
  ['2026-01-04', []],
  ['2', [2]],
  ['000002', [2]],
  ['0010', [4, 3, 2, 1]],
  ['9999', []],
  ['', []],
  ["' OR 1 --", []],
  ['99.999', []],
])('"%s" finds receipts %j', (text, receipts) => {
  expect(findReceipts(text)).toEqual(receipts);
});

test('a day is the shop’s day, which can be ahead of UTC', () => {
  const findInZone = (text: string) =>
    searchSales(run.journal.sql, { words: text, currency: 'EUR', most: 10, timeZone: 'Pacific/Kiritimati' }).total;
  expect([findInZone('2026-01-02'), findInZone('2026-01-03'), findInZone('2026-01-04')]).toEqual([0, 3, 1]);
});

test('sales are found by reference and by the gateway’s payment id, at most as many as requested', () => {
  const sale = run.till.find(2);
  expect(findReceipts(sale.intent.sale.toUpperCase())).toEqual([2]);
  expect(findReceipts(sale.answer?.payment ?? '')).toEqual([2]);
  expect(findReceipts('0010', 2)).toEqual([4, 3]);
});

test('results come a page at a time, with their total number', () => {
  const page = (text: string, from: number) => {
    const { sales, total } = searchSales(run.journal.sql, { words: text, currency: 'EUR', from, most: 3 });
    return [...sales.map((id) => run.till.findSale(id).intent.receipt), `of ${total}`];
  };
  expect([page('0010', 0), page('0010', 3), page('0010', 6)]).toEqual([[4, 3, 2, 'of 4'], [1, 'of 4'], ['of 4']]);
  // Each of them once, though it is found as a receipt and as an approval code.
  expect(page('2', 0)).toEqual([2, 'of 1']);
});

test('a lost index is rebuilt', () => {
  run.journal.sql.run('DELETE FROM sale_search');
  run.close();
  run = rig.open();
  expect(findReceipts('12.50')).toEqual([3, 1]);
});

test('no search reads the whole table', () => {
  const { sql } = run.journal;
  const plans: string[] = [];
  const explain = (statement: string, ...values: (string | number)[]): void =>
    void plans.push(...sql.all(`EXPLAIN QUERY PLAN ${statement}`, ...values).map(({ detail }) => String(detail)));
  const watched = {
    ...sql,
    all: (statement: string, ...values: (string | number)[]) => {
      explain(statement, ...values);
      return sql.all(statement, ...values);
    },
    get: (statement: string, ...values: (string | number)[]) => {
      explain(statement, ...values);
      return sql.get(statement, ...values);
    },
  };
  for (const text of ['12.50', '2026-01-02', '0010', 'a'.repeat(32), 'A1B2C3'])
    searchSales(watched, { words: text, currency: 'EUR', most: 20 });
  expect(plans.filter((plan) => plan.startsWith('SEARCH sale_search')).length).toBeGreaterThanOrEqual(10);
  expect(plans.filter((plan) => plan.includes('SCAN sale_search'))).toEqual([]);
});
