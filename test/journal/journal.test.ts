import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Fault, isFault } from '../../src/base/fault.ts';
import type { Entry } from '../../src/journal/chain.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

let folder = '';
const path = () => join(folder, 'journal.db');
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (seen?: (entry: Entry) => void) => openJournal(path(), virtualClock(1000), seen ? { onEntry: seen } : {});
const entry = (subject: string, kind: string) => ({ subject, kind, body: '{}' });

const write = (): void => {
  const journal = open();
  journal.write([entry('s1', 'a'), entry('s1', 'b')]);
  journal.write([entry('s2', 'a')]);
  journal.close();
};

const faultOf = (work: () => unknown): Fault => {
  try {
    work();
  } catch (error) {
    if (isFault(error)) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};

test('written entries are there after reopening, in order and numbered without gaps', () => {
  write();
  const seen: string[] = [];
  const journal = open(({ entry, subject, kind }) => seen.push(`${entry} ${subject} ${kind}`));
  expect(seen).toEqual(['1 s1 a', '2 s1 b', '3 s2 a']);
  expect(journal.about('s1').map(({ kind }) => kind)).toEqual(['a', 'b']);
  journal.close();
});

test('the file is fully synced at each commit', () => {
  const journal = open();
  expect(journal.sql.get('PRAGMA synchronous')).toEqual({ synchronous: 2 });
  expect(journal.sql.get('PRAGMA journal_mode')).toEqual({ journal_mode: 'wal' });
  journal.close();
});

test('an entry and its related rows are written together or not at all', () => {
  const journal = open();
  journal.sql.run('CREATE TABLE beside (n INTEGER) STRICT');
  expect(() =>
    journal.write([entry('s1', 'a')], () => {
      journal.sql.run('INSERT INTO beside VALUES (1)');
      throw new Fault('journal.unwritable', { why: 'test' });
    }),
  ).toThrow(Fault);
  expect(journal.sql.all('SELECT * FROM beside')).toEqual([]);
  journal.write([entry('s1', 'b')]);
  journal.close();
  const kinds: string[] = [];
  open(({ kind }) => kinds.push(kind)).close();
  expect(kinds).toEqual(['b']);
});

test('a second till on the same data is refused while the first runs, and accepted after it', () => {
  const first = open();
  expect(faultOf(open).code).toBe('journal.busy');
  first.close();
  open().close();
});

describe('a corrupt journal stops the till with the number of the entry', () => {
  const tamperWith = (statement: string) => () => {
    const database = new Database(path());
    database.exec(statement);
    database.close();
  };
  const cases: [string, () => void, number][] = [
    ['a body changed', tamperWith('UPDATE entry SET body = \'{"x":1}\' WHERE entry = 2'), 2],
    ['a time changed', tamperWith('UPDATE entry SET at = 5 WHERE entry = 3'), 3],
    ['a hash changed', tamperWith('UPDATE entry SET hash = zeroblob(32) WHERE entry = 1'), 1],
    ['an entry removed', tamperWith('DELETE FROM entry WHERE entry = 2'), 2],
    ['the last entry removed', tamperWith('DELETE FROM entry WHERE entry = 3'), 3],
    ['all entries removed', tamperWith('DELETE FROM entry'), 1],
    [
      'two entries swapped',
      tamperWith('UPDATE entry SET entry = 9 WHERE entry = 1; UPDATE entry SET entry = 1 WHERE entry = 2'),
      1,
    ],
  ];
  for (const [name, damage, number] of cases) {
    test(name, () => {
      write();
      damage();
      const before = readFileSync(path());
      const fault = faultOf(open);
      expect(fault.code).toBe('journal.corrupt');
      expect(fault.facts['entry']).toBe(number);
      expect(fault.next).toContain(`journal export --data ${folder}`);
      expect(readFileSync(path()).equals(before)).toBe(true);
    });
  }
});

test('a file that is not a journal is refused by name and not changed', () => {
  writeFileSync(path(), 'x'.repeat(8192));
  const fault = faultOf(open);
  expect(fault.code).toBe('journal.unreadable');
  expect(fault.next).toContain(`--data ${folder}`);
  expect(readFileSync(path(), 'utf8')).toBe('x'.repeat(8192));
});
