/** Ids and random bytes from the system. */
import { expect, test } from 'vitest';
import { systemIds, systemRandom } from '../../src/base/ids.ts';

test('ids are 32 lower-case hex digits and differ', () => {
  const ids = Array.from({ length: 1000 }, () => systemIds.next());
  expect(ids.filter((id) => !/^[0-9a-f]{32}$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(1000);
});

test.each([0, 1, 8, 16, 1000])('%i random bytes come in that number, in a plain array', (length) => {
  const bytes = systemRandom(length);
  expect(bytes.length).toBe(length);
  expect(Object.getPrototypeOf(bytes)).toBe(Uint8Array.prototype);
});

test('random bytes differ', () => {
  expect(systemRandom(16)).not.toEqual(systemRandom(16));
});
