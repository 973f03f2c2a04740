/** Journals of older programs are upgraded completely or left unchanged, and nothing of value is lost. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SchemaPlan } from '../../src/journal/migrate.ts';
import { schemaPlan } from '../../src/ledger/schema.ts';
import {
  copiesIn,
  fixtures,
  journalOf,
  keysIn,
  lay,
  newest,
  newFolder,
  openAndClose,
  removeFolder,
  stateOf,
} from './older-journal.ts';

let folder = '';
beforeEach(() => {
  folder = newFolder();
});
afterEach(() => removeFolder(folder));
const path = () => journalOf(folder);

test.each(fixtures)('%s: upgraded, with a checked copy of the old file that holds no keys', (name) => {
  lay(folder, name);
  const before = stateOf(path());
  expect(before).toMatchObject({ version: 0, isUpgraded: false });
  expect(keysIn(path())).toBeGreaterThan(0);
  openAndClose(folder);
  expect(stateOf(path())).toEqual({ version: newest, isUpgraded: true, holdings: before.holdings });
  expect(readdirSync(folder).filter((file) => file.endsWith('.bak'))).toEqual(['journal.db.v1.bak']);
  expect(keysIn(join(folder, 'journal.db.v1.bak'))).toBe(0);
  expect(stateOf(join(folder, 'journal.db.v1.bak'))).toMatchObject({ version: 0, isUpgraded: false });
  openAndClose(folder);
  expect(readdirSync(folder).filter((file) => file.endsWith('.bak'))).toHaveLength(1);
});

test('a step that would lose something is rolled back and named', () => {
  lay(folder, 'terminals');
  const before = stateOf(path());
  const change: SchemaPlan['steps'][number]['change'] = (sql) => sql.run("DELETE FROM message WHERE kind = 'forward'");
  const plan = {
    ...schemaPlan,
    steps: [...schemaPlan.steps, { to: 99, kind: 'expands' as const, says: 'loses stored sales', change }],
  };
  expect(() => openAndClose(folder, plan)).toThrow('would have changed what the till holds');
  expect(stateOf(path())).toEqual(before);
});

test('a journal of a newer program is refused by name and not changed', () => {
  openAndClose(folder);
  const database = new Database(path());
  database.pragma('user_version = 77');
  database.exec('UPDATE journal_reach SET readable_since = 77');
  database.close();
  expect(() => openAndClose(folder)).toThrow(
    expect.objectContaining({ code: 'journal.newer', facts: expect.objectContaining({ version: 77, newest }) }),
  );
  expect(existsSync(`${path()}.v77.bak`)).toBe(false);
  expect(stateOf(path()).version).toBe(77);
});

test('a damaged old journal is neither upgraded nor copied', () => {
  lay(folder, 'host-api');
  const database = new Database(path());
  database.exec("UPDATE entry SET body = '{}' WHERE entry = 3");
  database.close();
  const before = stateOf(path());
  expect(() => openAndClose(folder)).toThrow('Journal entry 3 fails');
  expect(stateOf(path())).toEqual(before);
  expect(copiesIn(folder)).toEqual([]);
});
