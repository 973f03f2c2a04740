/**
 * A settlement file of a million lines: what is kept of each is no more than a number. By day:
 * `test/reconciliation/settlement-reader.test.ts` notices a reader that keeps its lines, in a hundred thousand of them.
 */
import { expect, test } from 'vitest';
import { peakOf } from '../reconciliation/settlement-peak.ts';

test('a million lines hold hardly more memory than fifty thousand', () => {
  // Eight to sixteen bytes a line to know doubled ones by, and as much again while that table grows.
  expect(peakOf(1_000_000) - peakOf(50_000)).toBeLessThan(32);
});
