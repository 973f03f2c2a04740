/** The covering choice includes every pair, is small, and is the same each time. */
import { expect, test } from 'vitest';
import { pairwise } from './pairwise.ts';

type Row = readonly [string, number, boolean];

const matrix: readonly Row[] = ['a', 'b', 'c', 'd'].flatMap((letter) =>
  [1, 2, 3, 4, 5].flatMap((digit) => [true, false].map((flag): Row => [letter, digit, flag])),
);
const columns = ([letter, digit, flag]: Row) => [letter, digit, String(flag)];
const pairs = (rows: readonly Row[]): string[] => [
  ...new Set(rows.flatMap(([a, b, c]) => [`${a} ${b} .`, `${a} . ${c}`, `. ${b} ${c}`])),
];

test('every pair of two columns occurs, in as few rows as the two longest columns have pairs', () => {
  const chosen = pairwise(matrix, columns);
  expect(pairs(chosen).sort()).toEqual(pairs(matrix).sort());
  expect(pairs(matrix)).toHaveLength(38);
  expect(matrix).toHaveLength(40);
  expect(chosen).toHaveLength(20);
});

test('pairs that occur in no row are not required', () => {
  const incomplete = matrix.filter(([letter, digit]) => letter !== 'a' || digit !== 3);
  const chosen = pairwise(incomplete, columns);
  expect(pairs(chosen).sort()).toEqual(pairs(incomplete).sort());
  expect(pairs(chosen)).not.toContain('a 3 .');
});

test('the same text in two columns counts as two values', () => {
  const rows = ['xy', 'yx', 'xx'];
  expect(pairwise(rows, (row) => [...row])).toEqual(rows);
});

test('the choice keeps the order of the cases and is the same each time', () => {
  const chosen = pairwise(matrix, columns);
  expect(chosen).toEqual(matrix.filter((row) => chosen.includes(row)));
  expect(pairwise(matrix, columns)).toEqual(chosen);
});

test('nothing is chosen from no cases', () => {
  expect(pairwise([], () => [])).toEqual([]);
});
