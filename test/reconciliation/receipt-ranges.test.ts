import { expect, test } from 'vitest';
import { rangesContain, rangesOf } from '../../src/books/reconciling-store.ts';

test.each([
  [[], ''],
  [[7], '7'],
  [[3, 1, 2, 2], '1-3'],
  [[1, 2, 4, 9, 10, 11], '1-2,4,9-11'],
])('%j is %s', (receipts, text) => {
  expect(rangesOf(receipts)).toBe(text);
  const has = rangesContain([text]);
  const all = Array.from({ length: 15 }, (_, n) => n);
  expect(all.filter(has)).toEqual([...new Set(receipts)].sort((a, b) => a - b));
});

test('a number is found in any of several texts', () => {
  const has = rangesContain(['1-3', '', '7']);
  expect([0, 1, 3, 4, 7, 8].map(has)).toEqual([false, true, true, false, true, false]);
});
