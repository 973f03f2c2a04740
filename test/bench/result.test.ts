import { expect, test } from 'vitest';
import { benchLine, measure, median } from '../../bench/result.ts';

test.each([
  [[], 0],
  [[3], 3],
  [[9, 1, 5], 5],
  [[4, 1, 10, 2], 3],
])('the median of %j is %d', (values, middle) => {
  expect(median(values)).toBe(middle);
});

test('runs both sides and divides by what each did', () => {
  let ours = 0;
  let peer = 0;
  const rates = measure(
    () => {
      ours += 1;
    },
    () => {
      for (let step = 0; step < 100; step += 1) peer += Math.sqrt(step);
    },
    { rounds: 3, roundMs: 5, warmUpMs: 5 },
  );
  expect([ours > 0, peer > 0, rates.peer > 0, rates.ours > rates.peer]).toEqual([true, true, true, true]);
});

test('a line shows the wanted ratio and whether it was reached', () => {
  const row = { name: 'decode', ours: 3000, peer: 1000, peerName: 'other', expected: 2 };
  expect(benchLine(row)).toBe('decode: 3,000/s, other 1,000/s, ratio 3.00 (wanted 2): enough');
  expect(benchLine({ ...row, ours: 1900 })).toContain('ratio 1.90 (wanted 2): TOO SLOW');
});
