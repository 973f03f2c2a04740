/** A folder with the journal of an older program, for tests of its upgrade. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { journalIn } from '../../src/journal/journal.ts';
import type { SchemaPlan } from '../../src/journal/migrate.ts';
import { openSqlCopy } from '../../src/journal/sql.ts';
import { schemaPlan } from '../../src/ledger/schema.ts';
import { openSqlUnsynced } from '../support/disk/unsynced-sql.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

export const fixtures = ['first-card-sale', 'host-api', 'terminals'] as const;
export const newest = schemaPlan.steps.at(-1)?.to ?? 1;

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'migrate-'));
export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });
export const journalOf = (folder: string): string => join(folder, 'journal.db');

/** The folder as that program left it. */
export const lay = (folder: string, fixture: string): void => {
  removeFolder(folder);
  cpSync(join(import.meta.dirname, 'fixtures', fixture), folder, { recursive: true });
};

/** What the file holds, and which version it is of, as anybody would read it. */
export const stateOf = (file: string) => {
  const database = new Database(file, { readonly: true });
  const version = database.pragma('user_version', { simple: true });
  const columns = database.prepare("SELECT name FROM pragma_table_info('message')").pluck().all();
  database.close();
  const sql = openSqlCopy(file);
  const holdings = schemaPlan.holdings(sql);
  sql.close();
  return { version, isUpgraded: columns.includes('after_sale'), holdings };
};

/** How many keys of what is sealed are in the file. */
export const keysIn = (file: string): unknown => {
  const database = new Database(file, { readonly: true });
  const keys = database.prepare('SELECT count(*) FROM message WHERE wrapped IS NOT NULL').pluck().get();
  database.close();
  return keys;
};

export const openAndClose = (folder: string, plan: SchemaPlan = schemaPlan): void =>
  journalIn(openSqlUnsynced(journalOf(folder)), journalOf(folder), { clock: virtualClock(), plan }).close();

export const copiesIn = (folder: string): string[] => readdirSync(folder).filter((file) => file.includes('bak'));

/** After whatever happened: all old or all new, and the next start ends with the new. */
export const expectWhole = (folder: string, held: string, what: string): void => {
  const { version, isUpgraded, holdings } = stateOf(journalOf(folder));
  expect([version, isUpgraded], what).toEqual(isUpgraded ? [newest, true] : [0, false]);
  expect(holdings, what).toBe(held);
  openAndClose(folder);
  expect(stateOf(journalOf(folder)), what).toEqual({ version: newest, isUpgraded: true, holdings: held });
  expect(copiesIn(folder), what).toEqual(['journal.db.v1.bak']);
  expect(keysIn(join(folder, 'journal.db.v1.bak')), what).toBe(0);
};

/** All of its files, as one text: two folders with the same are the same to whoever starts on them. */
export const contentOf = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((file) => `${file.slice(folder.length)} ${readFileSync(file, 'latin1')}`)
    .join('\n');
