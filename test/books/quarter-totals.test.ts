/**
 * The sums of each quarter-hour: the amount a sale moves is counted once in each part, whatever becomes of the sale.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openQuarterTotals, QUARTER_MS, type Worth } from '../../src/books/lines/totals.ts';
import type { Sql } from '../../src/journal/sql.ts';
import { intent } from '../reconciliation/sale-cases.ts';
import { openSqlUnsynced } from '../support/disk/unsynced-sql.ts';

let folder = '';
let sql: Sql;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'takings-'));
  sql = openSqlUnsynced(join(folder, 'sums.db'));
});
afterEach(() => {
  sql.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The rows that are not zero: name, sales, taken, refunded, begun. */
const rows = () =>
  sql
    .all('SELECT name, made, taken, refunded, begun FROM takings_quarter ORDER BY at, part, name')
    .map((row) => Object.values(row))
    .filter(([, ...sums]) => sums.some((sum) => sum !== 0));

test('follows a sale that begins, charges, changes its brand, gives back, and ends with nothing moved', () => {
  const sums = openQuarterTotals(sql);
  const sale = intent({ at: 5 * QUARTER_MS - 1 });
  const steps: readonly [Worth, unknown][] = [
    [{ brand: '', minor: 0n }, [['', 0, 0, 0, 1]]],
    [
      { brand: 'VISA', minor: 500n },
      [
        ['VISA', 1, 500, 0, 0],
        ['1', 1, 500, 0, 0],
        ['', 1, 500, 0, 1],
      ],
    ],
    [
      { brand: 'MASTER', minor: 300n },
      [
        ['MASTER', 1, 300, 0, 0],
        ['1', 1, 300, 0, 0],
        ['', 1, 300, 0, 1],
      ],
    ],
    [
      { brand: 'MASTER', minor: -200n },
      [
        ['MASTER', 0, 0, 200, 0],
        ['1', 0, 0, 200, 0],
        ['', 0, 0, 200, 1],
      ],
    ],
    [{ brand: 'MASTER', minor: 0n }, [['', 0, 0, 0, 1]]],
  ];
  let was: Worth | undefined;
  for (const [is, expected] of steps) {
    sums.move(sale, was, is);
    expect(rows()).toEqual(expected);
    was = is;
  }
  expect(sums.begun()).toBe(1);
  sums.move({ ...sale, at: 5 * QUARTER_MS }, undefined, { brand: 'VISA', minor: 100n });
  expect(sql.all("SELECT at, begun FROM takings_quarter WHERE part = 'total' ORDER BY at")).toEqual([
    { at: 4 * QUARTER_MS, begun: 1 },
    { at: 5 * QUARTER_MS, begun: 1 },
  ]);
  sums.clear();
  expect(sums.begun()).toBe(0);
});
