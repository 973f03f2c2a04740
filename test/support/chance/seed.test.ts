/** Random values of the product depend on the seed within tests, and differ between files and seeds. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { systemRandom } from '../../../src/base/ids.ts';
import { randomFor, SEED } from './dice.ts';

test('the first bytes of a file depend on the seed and its name', () => {
  const expected = randomFor(SEED, 'test/support/chance/seed.test.ts');
  expect(Buffer.from(systemRandom(16))).toEqual(expected(16));
  expect(randomBytes(7)).toEqual(expected(7));
});

test.each([
  ['another seed', SEED + 1, 'a'],
  ['another file', SEED, 'b'],
])('%s, other bytes', (_, seed, name) => {
  expect(randomFor(seed, name)(16)).not.toEqual(randomFor(SEED, 'a')(16));
});

test('no bytes are drawn twice', () => {
  const drawn = randomFor(SEED, 'a');
  expect(new Set(Array.from({ length: 1_000 }, () => drawn(8).toString('hex'))).size).toBe(1_000);
});
