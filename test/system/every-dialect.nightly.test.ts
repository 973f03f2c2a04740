/**
 * A day by command line at every dialect of every protocol, over TCP, with real processes, as `npm run
 * simulate:dialects` plays it. By day: `test/system/dialects.test.ts` plays the strictest of each protocol and one that
 * locks.
 */
import { expect, test } from 'vitest';
import { allRows, nameOf, playAll } from '../support/dialects/table.ts';

const rows = allRows().map((row) => [`${row.protocol}, ${nameOf(row)}`, row] as const);

test.each(rows)('%s', { timeout: 300_000 }, async (_, row) => {
  const [played] = await playAll([row], 1);
  expect(played?.wrong).toEqual([]);
});
