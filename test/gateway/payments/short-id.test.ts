import { expect, test } from 'vitest';
import { idRangesOf, shortIdOf } from '../../../src/gateway/payments/short-id.ts';
import { dice, SEED } from '../../support/chance/dice.ts';

const YEAR = 365 * 86_400_000;
const NOW = Date.parse('2026-11-02T00:00:00Z');
const chance = dice(SEED);
const idAt = (time: number): string => `a${time.toString(16).padStart(11, '0')}${chance.ids.next().slice(0, 20)}`;

test('is made from the time and the end of an id', () => {
  // 2026-11-02T00:00:00.199Z is 17,935,776,001 tenths of a second.
  expect(shortIdOf('a1a1998e44c700000000000000003039')).toBe('3577.6001.2345');
});

test(`tells where its id lies, among few others, seed ${SEED}`, () => {
  for (let n = 0; n < 500; n++) {
    const first = idAt(NOW - chance.between(0, 20) * YEAR);
    const last = idAt(NOW);
    const id = idAt(NOW - chance.between(0, Math.floor((NOW - Number.parseInt(first.slice(1, 12), 16)) / 1000)) * 1000);
    const ranges = idRangesOf(shortIdOf(id), first, last);
    expect(
      ranges.filter(([from, to]) => id >= from && id < to),
      id,
    ).toHaveLength(1);
    expect(ranges.length).toBeLessThanOrEqual(2 * (20 * 4));
  }
});

test.each(['', '1234.5678.901', '123456789012', 'abcd.efgh.ijkl', "1' or '1'='1"])('%j is none', (text) => {
  expect(idRangesOf(text, idAt(NOW - YEAR), idAt(NOW))).toEqual([]);
});
