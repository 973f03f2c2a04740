/** A folder with the journal of an older program, to test its upgrade. */
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

/** Creates the folder as that program left it. */
export const lay = (folder: string, fixture: string): void => {
  removeFolder(folder);
  cpSync(join(import.meta.dirname, 'fixtures', fixture), folder, { recursive: true });
};

/** The file's content and version, as any reader would see them. */
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

/** The number of keys for sealed content in the file. */
export const keysIn = (file: string): unknown => {
  const database = new Database(file, { readonly: true });
  const keys = database.prepare('SELECT count(*) FROM message WHERE wrapped IS NOT NULL').pluck().get();
  database.close();
  return keys;
};

export const openAndClose = (folder: string, plan: SchemaPlan = schemaPlan): void =>
  journalIn(openSqlUnsynced(journalOf(folder)), journalOf(folder), { clock: virtualClock(), plan }).close();

export const copiesIn = (folder: string): string[] => readdirSync(folder).filter((file) => file.includes('bak'));

/** After any failure the journal is all old or all new, and the next start ends with the new version. */
export const expectWhole = (folder: string, held: string, what: string): void => {
  const { version, isUpgraded, holdings } = stateOf(journalOf(folder));
  expect([version, isUpgraded], what).toEqual(isUpgraded ? [newest, true] : [0, false]);
  expect(holdings, what).toBe(held);
  openAndClose(folder);
  expect(stateOf(journalOf(folder)), what).toEqual({ version: newest, isUpgraded: true, holdings: held });
  expect(copiesIn(folder), what).toEqual(['journal.db.v1.bak']);
  expect(keysIn(join(folder, 'journal.db.v1.bak')), what).toBe(0);
};

/** All files of the folder as one text: equal texts are equal starting points. */
export const contentOf = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((file) => `${file.slice(folder.length)} ${readFileSync(file, 'latin1')}`)
    .join('\n');
