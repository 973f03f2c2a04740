/** Compares the window with a plain set of all numbers ever used. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitOf, markUsed, type Window } from '../../../src/gateway/acquirers/simulator/used-counters.ts';

const SIZE = 16;

test('agrees with a complete set for every number that is not too old', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(200), { maxLength: 60 }), (numbers) => {
      const usedNumbers = new Set<number>();
      let window: Window | undefined;
      for (const number of numbers) {
        const isTooOld = usedNumbers.size > 0 && number <= Math.max(...usedNumbers) - SIZE;
        expect(fitOf(window, number, SIZE)).toBe(isTooOld ? 'tooOld' : usedNumbers.has(number) ? 'used' : 'fresh');
        window = markUsed(window, number, SIZE);
        if (!isTooOld) usedNumbers.add(number);
      }
    }),
  );
});

test('stays small after a jump over a million numbers', () => {
  const window = markUsed(markUsed(undefined, 1, SIZE), 1_048_575, SIZE);
  expect(window).toEqual({ highest: 1_048_575, used: '1' });
});
