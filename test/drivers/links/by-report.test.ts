/** Messages of any length on a link of reports. */
import { expect, test } from 'vitest';
import { splitWrites } from '../../../drivers/mms/protocol/messages.ts';
import { memoryLinks } from '../../support/devices/memory-link.ts';

test.each([
  ['nothing', 0, []],
  ['a piece', 5, [64]],
  ['a report', 64, [64]],
  ['more', 130, [64, 64, 64]],
])('%s', async (_, length, sizes) => {
  const [nearEnd, farEnd] = memoryLinks('reports');
  const received: Uint8Array[] = [];
  farEnd.listen({ bytes: (bytes) => received.push(bytes), closed: () => {} });
  const link = splitWrites(nearEnd);
  expect(link.carries).toBe('reports');
  await link.write(new Uint8Array(length).fill(7));
  expect(received.map((report) => report.length)).toEqual(sizes);
  const all = received.flatMap((report) => [...report]);
  expect(all).toEqual(all.map((_, index) => (index < length ? 7 : 0)));
});

test('a stream stays unchanged', () => {
  const [nearEnd] = memoryLinks();
  expect(splitWrites(nearEnd)).toBe(nearEnd);
});
