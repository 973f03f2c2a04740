/**
 * A till's folder as a newer version would leave it: extra columns and tables in the journal's and the gateway's files,
 * entries and messages of unknown kinds, unknown keys. The version that wrote it says that this one may continue with
 * it.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { systemClock } from '../../../src/base/clock.ts';
import { type NewEntry, openJournal } from '../../../src/journal/journal.ts';
import { schemaPlan } from '../../../src/ledger/schema.ts';

type Json = Record<string, unknown>;

/** A newer version's entry on this subject. `ignorable`: the entry says that it may be skipped. */
export const entryOfFuture = (subject: string, kind: string, fields: Json = {}): NewEntry => ({
  subject,
  kind,
  body: JSON.stringify({ on: kind, ...fields }),
});

/** Appends entries to the journal of a stopped till, chained as a newer version chains them. */
export const writeEntries = (folder: string, entries: readonly NewEntry[]): void => {
  const journal = openJournal(join(folder, 'journal.db'), systemClock);
  journal.write(entries);
  journal.close();
};

/** Changes the file and leaves it closed, with nothing beside it, as a till does. */
export const changeFile = (file: string, statements: readonly string[]): void => {
  const database = new Database(file);
  try {
    for (const statement of statements) database.exec(statement);
  } finally {
    database.close();
  }
};

const known = schemaPlan.steps.at(-1)?.to ?? 1;

/** The journal's file one version later: records what the step added, on a table of each kind. */
export const journalOfFuture = (folder: string): void =>
  changeFile(join(folder, 'journal.db'), [
    'ALTER TABLE message ADD COLUMN lane TEXT',
    "ALTER TABLE sale ADD COLUMN channel TEXT NOT NULL DEFAULT 'counter'",
    'ALTER TABLE sale_search ADD COLUMN phone TEXT',
    'ALTER TABLE till_machine ADD COLUMN region TEXT',
    'ALTER TABLE ledger_index ADD COLUMN made_by TEXT',
    'CREATE TABLE loyalty (card TEXT PRIMARY KEY, points INTEGER NOT NULL) STRICT',
    "INSERT INTO loyalty VALUES ('7', 3)",
    `PRAGMA user_version = ${known + 1}`,
    `UPDATE journal_reach SET worked_by = ${known + 1}`,
  ]);

/** The same for the bundled gateway, if there is one. */
export const gatewayOfFuture = (folder: string): void => {
  const file = join(folder, 'gateway.db');
  if (!existsSync(file)) return;
  changeFile(file, [
    'alter table payment add column lane text',
    'create table loyalty (card text primary key) strict',
    'update schema_version set version = version + 1, worked_by = version + 1',
  ]);
};

/** Adds keys to one of the folder's JSON files. */
export const addKeys = (folder: string, name: string, change: (file: Json) => Json): Json => {
  const file = join(folder, name);
  const after = change(JSON.parse(readFileSync(file, 'utf8')) as Json);
  writeFileSync(file, JSON.stringify(after));
  return after;
};
