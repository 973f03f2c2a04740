/** The till's one SQLite file, opened so that committed data survives a power cut. */
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { sqliteTrouble, tooOldReason } from '../base/databases.ts';
import { errorText, Fault } from '../base/fault.ts';

export type SqlValue = string | number | bigint | Uint8Array | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** The operations that the journal and the queue use. Statements are prepared once. */
export interface Sql {
  run(statement: string, ...values: SqlValue[]): void;
  get(statement: string, ...values: SqlValue[]): SqlRow | undefined;
  all(statement: string, ...values: SqlValue[]): SqlRow[];
  iterate(statement: string, ...values: SqlValue[]): IterableIterator<SqlRow>;
  /** Runs `work` in one transaction. When this returns, all of it is on the disk; when it throws, none of it is. */
  atomically<T>(work: () => T): T;
  close(): void;
}

/**
 * Opens or creates the file, for one process at a time: the operating system holds the lock, so a crash releases it.
 * Throws `journal.busy` when another process has it, `journal.unwritable` when it cannot be opened for writing.
 */
export const openSql = (path: string): Sql => {
  const database = guard(path, () => new Database(path, { timeout: 0 }));
  closeUnless(database, path, () => {
    refuseOldSqlite(database);
    database.pragma('locking_mode = EXCLUSIVE');
    database.pragma('journal_mode = WAL');
    // In WAL mode better-sqlite3 defaults to NORMAL, which loses acknowledged commits in a power cut.
    database.pragma('synchronous = FULL');
    database.pragma('secure_delete = ON');
    // The package's default of 16 MB is for servers: the journal reads little and writes at its end.
    database.pragma('cache_size = -1000');
    // A checkpoint costs two more syncs: `tidy` makes them between sales, never during one.
    database.pragma('wal_autocheckpoint = 0');
    database.exec('BEGIN IMMEDIATE; COMMIT');
  });
  return wrap(database, path);
};

/** Opens a copy that no till uses: one plain file, without a log. */
export const openSqlCopy = (path: string): Sql => {
  const database = guard(path, () => new Database(path, { fileMustExist: true, timeout: 0 }));
  closeUnless(database, path, () => {
    database.pragma('journal_mode = DELETE');
    database.pragma('synchronous = EXTRA');
    database.pragma('secure_delete = ON');
  });
  return wrap(database, path);
};

/** Opens the file read-only, as `journal verify` and `journal export` do. `waitMs`: how long to wait for its lock. */
export const openSqlToRead = (path: string, { waitMs = 2000 }: { waitMs?: number } = {}): Sql =>
  wrap(
    guard(path, () => new Database(path, { readonly: true, fileMustExist: true, timeout: waitMs })),
    path,
  );

/** On Windows an open handle would prevent the next attempt, and the removal of the file. */
const closeUnless = (database: Database.Database, path: string, setUp: () => void): void => {
  try {
    guard(path, setUp);
  } catch (error) {
    database.close();
    throw error;
  }
};

const wrap = (database: Database.Database, path: string): Sql => {
  const statements = new Map<string, Database.Statement<SqlValue[], SqlRow>>();
  // Created once: the package builds four functions for each transaction that it creates.
  const transact = database.transaction((work: () => unknown) => work());
  const prepare = (text: string) => {
    const existing = statements.get(text);
    if (existing !== undefined) return existing;
    const created = database.prepare<SqlValue[], SqlRow>(text);
    statements.set(text, created);
    return created;
  };
  return {
    run: (text, ...values) => void guard(path, () => prepare(text).run(...values)),
    get: (text, ...values) => guard(path, () => prepare(text).get(...values)),
    all: (text, ...values) => guard(path, () => prepare(text).all(...values)),
    iterate: (text, ...values) =>
      guardRows(
        path,
        guard(path, () => prepare(text).iterate(...values)),
      ),
    atomically: <T>(work: () => T): T => guard(path, () => transact.immediate(work) as T),
    close: () => void database.close(),
  };
};

/** A file can fail at any row, not only at the first. */
const guardRows = (path: string, rows: IterableIterator<SqlRow>): IterableIterator<SqlRow> => ({
  next: () => guard(path, () => rows.next()),
  return: () => rows.return?.() ?? { done: true, value: undefined },
  [Symbol.iterator]() {
    return this;
  },
});

const guard = <T>(path: string, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    if (error instanceof Fault) throw error;
    const code = (error as { code?: string }).code ?? '';
    if (code.startsWith('SQLITE_BUSY')) throw new Fault('journal.busy', { data: dirname(path) }, error);
    if (/NOTADB|CORRUPT/.test(code))
      throw new Fault('journal.unreadable', { why: errorText(error), data: dirname(path) }, error);
    const trouble = sqliteTrouble(error, path);
    throw new Fault('journal.unwritable', { why: errorText(error), ...(trouble && { trouble }) }, error);
  }
};

const refuseOldSqlite = (database: Database.Database): void => {
  const version = database.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? '';
  const reason = tooOldReason(version);
  if (reason !== undefined) throw new Fault('journal.unwritable', { why: reason });
};
