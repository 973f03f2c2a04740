/** The journal file fails while its rows are read. */
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSqlToRead } from '../../src/journal/sql.ts';
import { openJournalUnsynced } from '../support/disk/unsynced-sql.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

let folder = '';
const path = () => join(folder, 'journal.db');
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-sql-'));
  const journal = openJournalUnsynced(path(), virtualClock(1000));
  const body = JSON.stringify('x'.repeat(900));
  journal.write(Array.from({ length: 200 }, (_, n) => ({ subject: `s${n}`, kind: 'a', body })));
  journal.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const PAGE = 4096;

/** Overwrites the second half of the file. */
const damageFile = (): void => {
  const file = openSync(path(), 'r+');
  const { size } = statSync(path());
  const from = PAGE * Math.floor(size / PAGE / 2);
  writeSync(file, new Uint8Array(size - from).fill(0xa5), 0, size - from, from);
  closeSync(file);
};

test('a damaged page gives a fault with a text, after the rows before it', () => {
  damageFile();
  const sql = openSqlToRead(path());
  let seenCount = 0;
  const walk = () => {
    for (const _ of sql.iterate('SELECT * FROM entry ORDER BY entry')) seenCount += 1;
  };
  expect(walk).toThrow(expect.objectContaining({ name: 'Fault', code: 'journal.unreadable' }));
  expect(seenCount).toBeGreaterThan(0);
  sql.close();
});

test('an iteration that stops early or never starts leaves the file free', () => {
  const sql = openSqlToRead(path());
  for (const row of sql.iterate('SELECT entry FROM entry ORDER BY entry')) if (row['entry'] === 3) break;
  const walk = sql.iterate('SELECT entry FROM entry ORDER BY entry');
  expect(walk.return?.()).toMatchObject({ done: true });
  expect([...sql.iterate('SELECT entry FROM entry WHERE entry < ?', 3)]).toEqual([{ entry: 1 }, { entry: 2 }]);
  expect(sql.get('SELECT count(*) AS n FROM entry')).toEqual({ n: 200 });
  sql.close();
});
