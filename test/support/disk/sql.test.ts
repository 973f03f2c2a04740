/** The simulated disk's SQLite behaves like the real one: the same tests run on both. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { journalIn } from '../../../src/journal/journal.ts';
import { openSql, type Sql } from '../../../src/journal/sql.ts';
import { virtualClock } from '../time/virtual-clock.ts';
import { simulatedDisk } from './disk.ts';
import { openSqlOnDisk } from './sql.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0).reverse()) close();
});

type Place = { open(): Sql };

const realPlace = (): Place => {
  const folder = mkdtempSync(join(tmpdir(), 'sql-'));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  return { open: () => openSql(join(folder, 'journal.db')) };
};
const simulatedPlace = (): Place => {
  const disk = simulatedDisk();
  return { open: () => openSqlOnDisk(disk, 'journal.db') };
};

const opened = (place: Place): Sql => {
  const sql = place.open();
  closing.push(() => sql.close());
  return sql;
};
const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return String((error as { code?: string }).code);
  }
  return 'nothing was thrown';
};

describe.each([
  ['better-sqlite3 on a real disk', realPlace],
  ['SQLite on a simulated disk', simulatedPlace],
])('%s', (_, place) => {
  const table = 'CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT, c BLOB, d REAL) STRICT';

  test('has the settings that the journal needs', () => {
    const sql = opened(place());
    const setting = (name: string) => Object.values(sql.get(`PRAGMA ${name}`) ?? {})[0];
    expect(['journal_mode', 'synchronous', 'locking_mode', 'secure_delete', 'page_size'].map(setting)).toEqual([
      'wal',
      2,
      'exclusive',
      1,
      4096,
    ]);
  });

  test('returns each value as it was stored', () => {
    const sql = opened(place());
    sql.run(table);
    const rows = [
      { a: 1, b: 'grün 🌱', c: Buffer.from([0, 1, 255]), d: 1.5 },
      { a: 2 ** 40, b: '', c: null, d: null },
      { a: -3, b: 'x'.repeat(30_000), c: Buffer.alloc(0), d: -0.25 },
    ];
    for (const { a, b, c, d } of rows) sql.run('INSERT INTO t VALUES (?, ?, ?, ?)', a, b, c, d);
    expect(sql.all('SELECT * FROM t ORDER BY a')).toEqual([rows[2], rows[0], rows[1]]);
    expect([...sql.iterate('SELECT a FROM t ORDER BY a')]).toEqual([{ a: -3 }, { a: 1 }, { a: 2 ** 40 }]);
    expect(sql.get('SELECT a FROM t WHERE a = ?', 4)).toBeUndefined();
    sql.run('INSERT INTO t (a) VALUES (?)', 9_007_199_254_740_991n);
    expect(sql.get('SELECT max(a) AS most FROM t')).toEqual({ most: 9_007_199_254_740_991 });
  });

  test('keeps all of a transaction or nothing, also of a nested one', () => {
    const sql = opened(place());
    sql.run(table);
    const put = (a: number) => sql.run('INSERT INTO t (a) VALUES (?)', a);
    expect(() =>
      sql.atomically(() => {
        put(1);
        throw new Error('no');
      }),
    ).toThrow('no');
    sql.atomically(() => {
      put(2);
      expect(codeOf(() => sql.atomically(() => [put(3), put(2)]))).toBe('journal.unwritable');
      put(4);
    });
    expect(sql.all('SELECT a FROM t ORDER BY a')).toEqual([{ a: 2 }, { a: 4 }]);
  });

  test('names what is refused, and continues', () => {
    const sql = opened(place());
    expect(codeOf(() => sql.run('SELECT * FROM nothing'))).toBe('journal.unwritable');
    sql.run(table);
    sql.run('INSERT INTO t (a) VALUES (1)');
    expect(codeOf(() => sql.run('INSERT INTO t (a) VALUES (1)'))).toBe('journal.unwritable');
    expect(codeOf(() => sql.run("INSERT INTO t (a) VALUES ('x')"))).toBe('journal.unwritable');
    for (const row of sql.iterate('SELECT a FROM t'))
      expect([row, codeOf(() => sql.run('INSERT INTO t (a) VALUES (2)'))]).toEqual([{ a: 1 }, 'journal.unwritable']);
    expect(sql.all('SELECT a FROM t')).toEqual([{ a: 1 }]);
  });

  test('admits one till at a time', () => {
    const shared = place();
    const first = shared.open();
    expect(codeOf(() => shared.open())).toBe('journal.busy');
    first.close();
    opened(shared).run(table);
  });

  test('holds a journal (entries, chain, head) across closing and with a full disk', () => {
    const shared = place();
    const open = () => journalIn(shared.open(), 'journal.db', { clock: virtualClock(1000) });
    const journal = open();
    for (let n = 0; n < 20; n++) journal.write([{ subject: `s${n % 3}`, kind: 'x', body: 'y'.repeat(700) }]);
    journal.tidy();
    const pages = Number(journal.sql.get('PRAGMA page_count')?.['page_count']);
    journal.sql.all(`PRAGMA max_page_count = ${pages}`);
    const bigEntry = { subject: 'big', kind: 'x', body: 'y'.repeat(100_000) };
    expect(codeOf(() => journal.write([bigEntry]))).toBe('journal.unwritable');
    expect(journal.length).toBe(20);
    journal.close();
    const next = open();
    expect(next.about('s1').map(({ entry }) => entry)).toEqual([2, 5, 8, 11, 14, 17, 20]);
    expect([...next.entries()]).toHaveLength(20);
    next.close();
  });
});
