/** Journals of older programs: upgraded whole or left as they were, whatever breaks, and nothing of value touched. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Fault } from '../../src/base/fault.ts';
import { journalIn, openJournal } from '../../src/journal/journal.ts';
import type { SchemaPlan } from '../../src/journal/migrate.ts';
import { openSql, openSqlCopy } from '../../src/journal/sql.ts';
import { schemaPlan } from '../../src/runtime/schema.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';
import { countedSql } from './counted-sql.ts';

const fixtures = ['first-card-sale', 'host-api', 'terminals'];
const fixture = (name: string) => join(import.meta.dirname, 'fixtures', name);
const newest = schemaPlan.steps.at(-1)?.to;
const child = join(import.meta.dirname, 'migrating-child.ts');

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'migrate-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const path = () => join(folder, 'journal.db');

const lay = (name: string): void => {
  rmSync(folder, { recursive: true, force: true });
  cpSync(fixture(name), folder, { recursive: true });
};

/** What the file holds, and which version it is of, as anybody would read it. */
const stateOf = (file = path()) => {
  const database = new Database(file, { readonly: true });
  const version = database.pragma('user_version', { simple: true });
  const columns = database.prepare("SELECT name FROM pragma_table_info('message')").pluck().all();
  database.close();
  const sql = openSqlCopy(file);
  const holdings = schemaPlan.holdings(sql);
  sql.close();
  return { version, isUpgraded: columns.includes('after_sale'), holdings };
};

const openAndClose = (plan: SchemaPlan = schemaPlan) => openJournal(path(), virtualClock(), { plan }).close();

const keysIn = (file: string): unknown => {
  const database = new Database(file, { readonly: true });
  const keys = database.prepare('SELECT count(*) FROM message WHERE wrapped IS NOT NULL').pluck().get();
  database.close();
  return keys;
};

test.each(fixtures)('%s: upgraded, with a checked copy of what it was that holds no keys', (name) => {
  lay(name);
  const before = stateOf();
  expect(before).toMatchObject({ version: 0, isUpgraded: false });
  expect(keysIn(path())).toBeGreaterThan(0);
  openAndClose();
  expect(stateOf()).toEqual({ version: newest, isUpgraded: true, holdings: before.holdings });
  expect(readdirSync(folder).filter((file) => file.endsWith('.bak'))).toEqual(['journal.db.v1.bak']);
  expect(keysIn(join(folder, 'journal.db.v1.bak'))).toBe(0);
  expect(stateOf(join(folder, 'journal.db.v1.bak'))).toMatchObject({ version: 0, isUpgraded: false });
  openAndClose();
  expect(readdirSync(folder).filter((file) => file.endsWith('.bak'))).toHaveLength(1);
});

/** After whatever happened: all old or all new, and the next start ends with the new. */
const holdsAfter = (before: ReturnType<typeof stateOf>, what: string): void => {
  const { version, isUpgraded, holdings } = stateOf();
  expect([version, isUpgraded], what).toEqual(isUpgraded ? [newest, true] : [0, false]);
  expect(holdings, what).toBe(before.holdings);
  openAndClose();
  expect(stateOf(), what).toEqual({ version: newest, isUpgraded: true, holdings: before.holdings });
  const left = readdirSync(folder).filter((file) => file.includes('bak'));
  expect(left, what).toEqual(['journal.db.v1.bak']);
  expect(keysIn(join(folder, 'journal.db.v1.bak')), what).toBe(0);
};

describe('an error at every statement', () => {
  test.each(fixtures)(
    '%s',
    (name) => {
      lay(name);
      const before = stateOf();
      for (const after of [false, true]) {
        for (let at = 1, ended = false; !ended; at++) {
          lay(name);
          const how = () => {
            throw new Fault('journal.unwritable', { why: 'as told' });
          };
          const counted = countedSql(openSql(path()), { at, after, how });
          try {
            journalIn(counted.sql, path(), { clock: virtualClock(), plan: schemaPlan }).close();
            ended = counted.count < at;
          } catch (error) {
            expect(error).toMatchObject({ code: 'journal.unwritable' });
          }
          holdsAfter(before, `${after ? 'after' : 'before'} statement ${at}`);
        }
      }
    },
    120_000,
  );

  test('while the copy loses its keys', () => {
    lay('terminals');
    const before = stateOf();
    const withoutKeys = () => {
      throw new Fault('journal.unwritable', { why: 'as told' });
    };
    expect(() => openAndClose({ ...schemaPlan, withoutKeys })).toThrow('as told');
    holdsAfter(before, 'while the copy loses its keys');
  });
});

test('a process that is killed at every statement', () => {
  lay('terminals');
  const before = stateOf();
  const run = (at: number, when: string) => {
    lay('terminals');
    const { signal } = spawnSync(process.execPath, [child, path(), String(at), when]);
    holdsAfter(before, `${when} statement ${at}`);
    return signal;
  };
  let killed = 0;
  while (run(killed + 1, 'before') === 'SIGKILL') killed += 1;
  expect(killed).toBeGreaterThan(10);
  for (let at = 1; at <= killed; at++) expect(run(at, 'after')).toBe('SIGKILL');
  expect(run(0, 'beforeCopy')).toBe('SIGKILL');
  expect(run(0, 'afterCopy')).toBe('SIGKILL');
}, 120_000);

test.skipIf(process.platform === 'win32')(
  'a disk that takes no file beyond so many kilobytes',
  () => {
    lay('terminals');
    const before = stateOf();
    const refused = new Set<boolean>();
    for (const kilobytes of [1, 4, 16, 32, 48, 64, 72, 76, 80, 88, 96, 128, 512]) {
      lay('terminals');
      const { status } = spawnSync('bash', [
        '-c',
        `ulimit -f ${kilobytes} && exec "$0" "$@"`,
        process.execPath,
        child,
        path(),
      ]);
      refused.add(status !== 0);
      holdsAfter(before, `${kilobytes} KB`);
    }
    expect([...refused]).toEqual([true, false]);
  },
  120_000,
);

test('a step that would lose something is undone, and named', () => {
  lay('terminals');
  const before = stateOf();
  const change: SchemaPlan['steps'][number]['change'] = (sql) => sql.run("DELETE FROM message WHERE kind = 'forward'");
  const plan = { ...schemaPlan, steps: [...schemaPlan.steps, { to: 99, says: 'loses stored sales', change }] };
  expect(() => openAndClose(plan)).toThrow('would have changed what the till holds');
  expect(stateOf()).toEqual({ version: newest, isUpgraded: true, holdings: before.holdings });
});

test('a journal of a newer program is refused by name, and left as it is', () => {
  openAndClose();
  const database = new Database(path());
  database.pragma('user_version = 77');
  database.close();
  expect(() => openAndClose()).toThrow(
    expect.objectContaining({ code: 'journal.newer', facts: expect.objectContaining({ version: 77, newest }) }),
  );
  expect(existsSync(`${path()}.v77.bak`)).toBe(false);
  expect(stateOf().version).toBe(77);
});

test('a damaged old journal is not upgraded, and not copied', () => {
  lay('host-api');
  const database = new Database(path());
  database.exec("UPDATE entry SET body = '{}' WHERE entry = 3");
  database.close();
  const before = stateOf();
  expect(() => openAndClose()).toThrow('Journal entry 3 fails');
  expect(stateOf()).toEqual(before);
  expect(readdirSync(folder).filter((file) => file.includes('bak'))).toEqual([]);
});
