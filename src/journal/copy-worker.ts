/**
 * Writes the second copy, in a separate thread: a path that is slow, full or gone delays nothing else. Each message is
 * one transaction: the copy is always a prefix of the journal.
 */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { renameFile } from '../base/files.ts';
import { makeCopyFolder } from './copy-disk.ts';
import { REACH_TABLE } from './migrate.ts';

export type CopyRow = Readonly<Record<string, string | number | Uint8Array | null>>;

/** What the till sends. */
export type CopyStep = {
  entries: readonly CopyRow[];
  /** The messages that changed, in their current state; only once all entries are copied. */
  messages: readonly CopyRow[];
  /** Whether the copy then has everything that the journal has. */
  whole: boolean;
};

export type CopyTask = {
  path: string;
  version: number;
  tables: readonly string[];
  /** The one row of each table that identifies this till. */
  till: Readonly<Record<string, CopyRow>>;
};

/** The thread's answer. `unsettled`: messages that are unsent according to the copy. */
export type CopyAnswer =
  | { kind: 'ready'; entry: number; hash: string; unsettled: readonly string[] }
  | { kind: 'added'; entry: number }
  | { kind: 'failed'; why: string };

const open = (task: CopyTask): Database.Database => {
  makeCopyFolder(dirname(task.path));
  const database = opened(task.path);
  if (database.prepare('SELECT count(*) FROM sqlite_master').pluck().get() === 0) return make(database, task);
  if (database.pragma('user_version', { simple: true }) === task.version) return withReach(database, task);
  database.exec('UPDATE message SET sealed = NULL, wrapped = NULL');
  database.close();
  renameFile(task.path, freeName(task.path));
  return make(opened(task.path), task);
};

const opened = (path: string): Database.Database => {
  const database = new Database(path, { timeout: 2000 });
  try {
    // No shared memory is needed, because the path may be a network share.
    database.pragma('journal_mode = TRUNCATE');
    database.pragma('synchronous = FULL');
    database.pragma('secure_delete = ON');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

const make = (database: Database.Database, { version, tables, till }: CopyTask): Database.Database => {
  database.transaction(() => {
    for (const table of tables) database.exec(table);
    database.exec(
      'CREATE TABLE second_copy (only INTEGER PRIMARY KEY CHECK (only = 1), whole INTEGER NOT NULL) STRICT',
    );
    database.exec('INSERT INTO second_copy (only, whole) VALUES (1, 0)');
    for (const [table, row] of Object.entries(till)) writeRow(database, table, row);
    database.pragma(`user_version = ${version}`);
  })();
  return database;
};

/** An older version may have worked on the journal since the copy was made: the copy must say so. */
const withReach = (database: Database.Database, { till }: CopyTask): Database.Database => {
  const row = till[REACH_TABLE];
  if (row !== undefined) writeRow(database, REACH_TABLE, row);
  return database;
};

const writeRow = (database: Database.Database, table: string, row: CopyRow): void => {
  const names = Object.keys(row);
  const placeholders = names.map(() => '?').join(', ');
  database
    .prepare(`INSERT OR REPLACE INTO ${table} (${names.join(', ')}) VALUES (${placeholders})`)
    .run(...Object.values(row));
};

/** An older copy is kept next to it, without the keys of its sealed messages. */
const freeName = (path: string): string => {
  for (let n = 1; ; n++) if (!existsSync(`${path}.old-${n}.bak`)) return `${path}.old-${n}.bak`;
};

const add = (database: Database.Database, { entries, messages, whole }: CopyStep): number => {
  database
    .transaction(() => {
      for (const row of entries) {
        const { entry } = (database.prepare('SELECT max(entry) AS entry FROM entry').get() ?? {}) as { entry?: number };
        if (row['entry'] !== (entry ?? 0) + 1)
          throw new Error(`entry ${String(row['entry'])} does not follow ${entry}`);
        writeRow(database, 'entry', row);
      }
      const last = entries.at(-1);
      if (last !== undefined)
        writeRow(database, 'head', { only: 1, entry: last['entry'] ?? 0, hash: last['hash'] ?? null });
      for (const row of messages) writeRow(database, 'message', row);
      database.prepare('UPDATE second_copy SET whole = ?').run(whole ? 1 : 0);
    })
    .immediate();
  return Number(database.prepare('SELECT entry FROM head').pluck().get() ?? 0);
};

const readyAnswer = (database: Database.Database): CopyAnswer => {
  const head = database.prepare('SELECT entry, hash FROM head').get() as
    | { entry: number; hash: Uint8Array }
    | undefined;
  const unsettled = database.prepare("SELECT id FROM message WHERE state IN ('waiting', 'parked')").pluck().all();
  const hash = head === undefined ? '' : Buffer.from(head.hash).toString('hex');
  return { kind: 'ready', entry: head?.entry ?? 0, hash, unsettled: unsettled as string[] };
};

const answer = (work: () => CopyAnswer): void => {
  try {
    parentPort?.postMessage(work());
  } catch (error) {
    parentPort?.postMessage({ kind: 'failed', why: error instanceof Error ? error.message : String(error) });
  }
};

let database: Database.Database | undefined;
answer(() => {
  database = open(workerData as CopyTask);
  return readyAnswer(database);
});
parentPort?.on('message', (step: CopyStep | 'close') => {
  if (step === 'close') {
    database?.close();
    parentPort?.close();
    return;
  }
  answer(() => {
    if (database === undefined) throw new Error('the copy is not open');
    return { kind: 'added', entry: add(database, step) };
  });
});
