/**
 * The file's version, how an older file is upgraded, and which versions may work on a newer one. All steps and the
 * version are one transaction. Before the first step a copy of the file is made and checked; each step must leave the
 * till's data unchanged. A crash leaves either the old file or the new one, and the next start continues from there.
 */
import { closeSync, existsSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorText, Fault } from '../base/fault.ts';
import { renameFile, replaceFile, syncFolder } from '../base/files.ts';
import { verifyEntries } from './chain.ts';
import { openSqlCopy, type Sql } from './sql.ts';

export type SchemaStep = {
  readonly to: number;
  /** What it does, in words, for readers of the list. */
  readonly says: string;
  /**
   * After a step that `expands`, an older version works on the file as before: every addition has a default, or is a
   * table that nobody needs to know. After one that `contracts` no older version may open it.
   */
  readonly kind: 'expands' | 'contracts';
  /**
   * Must tolerate tables that are already up to date: it runs again after an older version has worked on the file, and
   * then updates what that version did not know.
   */
  change(sql: Sql): void;
};

export type SchemaPlan = {
  /** In order, to versions 2, 3 … A file without a version number is version 1. */
  readonly steps: readonly SchemaStep[];
  /** A text that stays the same as long as nothing of value is lost or changed. */
  holdings(sql: Sql): string;
  /** Removes the keys of sealed messages from the copy: no second key may exist once a message is sent. */
  withoutKeys(copy: Sql): void;
};

/**
 * Creates a new file's tables, or upgrades an older file. A newer file is opened unchanged if it allows this version.
 * Throws `journal.newer`, `journal.unproven`.
 */
export const migrate = (sql: Sql, path: string, { plan, create }: { plan: SchemaPlan; create(): void }): void => {
  const newest = plan.steps.at(-1)?.to ?? 1;
  const version = versionOf(sql);
  if (version === 0) {
    sql.atomically(() => {
      create();
      markCurrent(sql, plan);
    });
    return;
  }
  const { readableSince, workedBy } = reachOf(sql, version);
  if (version > newest) {
    if (readableSince > newest) throw new Fault('journal.newer', { data: dirname(path), version, newest });
    if (workedBy > newest) noteWork(sql, newest);
  } else if (version < newest) {
    copyTo(freshCopy(path), { sql, version, path });
    upgrade(sql, { path, from: Math.min(version, workedBy), plan });
  } else if (workedBy < newest) upgrade(sql, { path, from: workedBy, plan });
  finishCopy(path, plan);
};

/** 0 for an empty file, 1 for one from before there were versions. */
export const versionOf = (sql: Sql): number => {
  const storedVersion = Number(sql.get('PRAGMA user_version')?.['user_version'] ?? 0);
  if (storedVersion > 0) return storedVersion;
  return sql.get("SELECT 1 FROM sqlite_master WHERE name = 'entry'") === undefined ? 0 : 1;
};

/** Marks the file as the plan's newest version, with everything in it up to date. */
const markCurrent = (sql: Sql, { steps }: SchemaPlan): void => {
  const version = steps.at(-1)?.to ?? 1;
  sql.run(`PRAGMA user_version = ${version}`);
  setReach(sql, { readableSince: steps.findLast(({ kind }) => kind === 'contracts')?.to ?? 1, workedBy: version });
};

const upgrade = (sql: Sql, { path, from, plan }: { path: string; from: number; plan: SchemaPlan }): void => {
  const holdingsBefore = plan.holdings(sql);
  sql.atomically(() => {
    for (const step of plan.steps.filter(({ to }) => to > from)) {
      step.change(sql);
      if (plan.holdings(sql) !== holdingsBefore)
        throw new Fault('journal.unproven', { data: dirname(path), step: step.to });
    }
    markCurrent(sql, plan);
  });
};

/** While it contains keys, the copy has another name than the one that is kept. */
const freshCopy = (path: string): string => `${path}.before.bak`;

/** Writes a complete, checked copy to the disk, or none. */
const copyTo = (copy: string, { sql, version, path }: { sql: Sql; version: number; path: string }): void => {
  const part = `${copy}.part`;
  for (const old of [part, copy]) rmSync(old, { force: true });
  try {
    sql.run('VACUUM INTO ?', part);
    const copied = openSqlCopy(part);
    try {
      if (lastOf(copied, path) !== lastOf(sql, path)) throw new Error(`the copy of version ${version} is not whole`);
    } finally {
      copied.close();
    }
    sync(part);
    replaceFile(part, copy);
    syncFolder(dirname(copy));
  } catch (error) {
    rmSync(part, { force: true });
    if (error instanceof Fault) throw error;
    throw new Fault('journal.unwritable', { why: errorText(error) }, error);
  }
};

/** Checks every entry; returns the last one's number and hash. */
const lastOf = (sql: Sql, path: string): string => {
  const entries = verifyEntries(sql, dirname(path));
  for (;;) {
    const { value, done } = entries.next();
    if (done === true) return `${value.entry} ${Buffer.from(value.hash).toString('hex')}`;
  }
};

/** Once the upgrade is durable, the copy loses its keys and gets its final name, until somebody removes it. */
const finishCopy = (path: string, plan: SchemaPlan): void => {
  const copy = freshCopy(path);
  if (!existsSync(copy)) return;
  const copied = openSqlCopy(copy);
  const version = versionOf(copied);
  try {
    copied.atomically(() => plan.withoutKeys(copied));
  } finally {
    copied.close();
  }
  sync(copy);
  renameFile(copy, freeName(`${path}.v${version}`));
  syncFolder(dirname(path));
};

/** A copy from an earlier upgrade is never overwritten. */
const freeName = (stem: string): string => {
  for (let n = 1; ; n++) {
    const name = n === 1 ? `${stem}.bak` : `${stem}-${n}.bak`;
    if (!existsSync(name)) return name;
  }
};

const sync = (path: string): void => {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

// Which versions can use a file: the oldest that may open it, and the oldest that has worked on it since it got its
// version. An older version leaves the file's version unchanged; when the newer one is started again, this row tells it
// to update what the older one did not know.

export type Reach = {
  /** The lowest version that may open the file. */
  readonly readableSince: number;
  /** The lowest version that has worked on the file since its last upgrade. */
  readonly workedBy: number;
};

export const REACH_TABLE = 'journal_reach';

const table = `CREATE TABLE IF NOT EXISTS ${REACH_TABLE} (only INTEGER PRIMARY KEY CHECK (only = 1),
  readable_since INTEGER NOT NULL, worked_by INTEGER NOT NULL) STRICT`;

/** A file without the row is from before the row existed: only its own version may open it. */
const reachOf = (sql: Sql, version: number): Reach => {
  const isThere = sql.get('SELECT 1 FROM sqlite_master WHERE name = ?', REACH_TABLE) !== undefined;
  const row = isThere ? sql.get(`SELECT readable_since, worked_by FROM ${REACH_TABLE}`) : undefined;
  if (row === undefined) return { readableSince: version, workedBy: version };
  return { readableSince: Number(row['readable_since']), workedBy: Number(row['worked_by']) };
};

/** Notes that an older version works on the file from here on. */
const noteWork = (sql: Sql, workedBy: number): void =>
  sql.run(`UPDATE ${REACH_TABLE} SET worked_by = ? WHERE worked_by > ?`, workedBy, workedBy);

const setReach = (sql: Sql, { readableSince, workedBy }: Reach): void => {
  sql.run(table);
  sql.run(
    `INSERT INTO ${REACH_TABLE} (only, readable_since, worked_by) VALUES (1, ?, ?) ON CONFLICT DO UPDATE SET
     readable_since = excluded.readable_since, worked_by = excluded.worked_by`,
    readableSince,
    workedBy,
  );
};
