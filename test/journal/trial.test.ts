/** A trial write finds a full disk as a sale would, and leaves the chain, the seals and the size unchanged. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Journal } from '../../src/journal/journal.ts';
import { openJournalUnsynced } from '../support/disk/unsynced-sql.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

let folder = '';
let journal: Journal;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trial-'));
  journal = openJournalUnsynced(join(folder, 'journal.db'), virtualClock());
});
afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

const pageCount = (): number => Number(journal.sql.get('PRAGMA page_count')?.['page_count']);
const writeSale = (): void => journal.write([{ subject: 's', kind: 'x', body: 'y'.repeat(3_000) }]);
const isTaken = (work: () => void): boolean => {
  try {
    work();
    return true;
  } catch {
    return false;
  }
};

test('every trial finds a full disk, and later the free space', () => {
  journal.tryWrite();
  journal.sql.all(`PRAGMA max_page_count = ${pageCount() + 4}`);
  let sales = 0;
  while (isTaken(writeSale)) sales += 1;
  expect(sales).toBeGreaterThan(0);
  const full = expect.objectContaining({
    code: 'journal.unwritable',
    facts: expect.objectContaining({ trouble: 'diskFull' }),
  });
  for (const _ of [1, 2, 3]) expect(() => journal.tryWrite()).toThrow(full);
  journal.sql.all('PRAGMA max_page_count = 100000');
  journal.tryWrite();
  writeSale();
});

test('a thousand trials add no entry and no more pages than three trials, and the chain is intact', () => {
  writeSale();
  for (const _ of [1, 2, 3]) journal.tryWrite();
  const [before, length] = [pageCount(), journal.length];
  let steps = 0;
  journal.watch(() => {
    steps += 1;
  });
  for (let turn = 0; turn < 1_000; turn += 1) journal.tryWrite();
  expect([pageCount(), journal.length, steps]).toEqual([before, length, 0]);
  expect(journal.sql.all('SELECT count(*) AS n FROM trial')).toEqual([{ n: 1 }]);
  // Trials count towards folding too: the log beside the file does not grow forever.
  expect(journal.steps - journal.tidiedAt).toBeGreaterThan(1_000);
  writeSale();
  journal.close();
  journal = openJournalUnsynced(join(folder, 'journal.db'), virtualClock());
  expect([...journal.entries()]).toHaveLength(2);
});
