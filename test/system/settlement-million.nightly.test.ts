/**
 * A settlement file of a million lines: no more than a number is kept of each. By day:
 * `test/reconciliation/settlement-reader.test.ts` notices a reader that keeps its lines, with a hundred thousand of
 * them.
 */
import { expect, test } from 'vitest';
import { peakOf } from '../reconciliation/settlement-peak.ts';

test('a million lines take hardly more memory than fifty thousand', () => {
  // Eight to sixteen bytes a line to recognise duplicates, and as much again while that table grows.
  expect(peakOf(1_000_000) - peakOf(50_000)).toBeLessThan(32);
});
