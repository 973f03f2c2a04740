/** Many ranges at once answer as each of them would alone. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { within } from '../../../src/gateway/risk/ranges.ts';

test('a number is within many ranges if it is within one of them', () => {
  const number = fc.bigInt({ min: 0n, max: 40n });
  const range = fc.tuple(number, number).map(([a, b]) => (a <= b ? { first: a, last: b } : { first: b, last: a }));
  fc.assert(
    fc.property(fc.array(range, { maxLength: 8 }), (ranges) => {
      const holds = within(ranges);
      for (let at = -1n; at <= 41n; at += 1n) {
        expect(holds(at)).toBe(ranges.some(({ first, last }) => first <= at && at <= last));
      }
    }),
  );
});

test('the ranges that were given stay as they are', () => {
  const ranges = [
    { first: 5n, last: 9n },
    { first: 1n, last: 6n },
  ];
  within(ranges);
  expect(ranges).toEqual([
    { first: 5n, last: 9n },
    { first: 1n, last: 6n },
  ]);
});
