/** The till's SQLite file on a simulated disk: the same engine and settings, on a disk that fails. */
import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorText, Fault } from '../../../src/base/fault.ts';
import type { Sql, SqlValue } from '../../../src/journal/sql.ts';
import type { Disk } from './disk.ts';
import { failure, prepare, type Statement } from './statements.ts';
import { mount, sqlite3, unmount, VFS_NAME } from './vfs.ts';

const { capi, wasm } = sqlite3;

export type DiskSqlOptions = {
  /** NORMAL acknowledges before a sync: planted, to check that it is detected. */
  synchronous?: 'FULL' | 'NORMAL';
};

/** Opens or creates the file, as `openSql` does: `journal.busy`, `journal.unreadable`, `journal.unwritable`. */
export const openSqlOnDisk = (disk: Disk, path: string, { synchronous = 'FULL' }: DiskSqlOptions = {}): Sql => {
  const folder = mount(disk);
  const guard = guardFor(path);
  try {
    return guard(() => {
      const database = openDatabase(`${folder}/${path.replace(/^\/+/, '')}`);
      try {
        for (const setting of settings(synchronous)) execute(database, setting);
      } catch (error) {
        capi.sqlite3_close_v2(database);
        throw error;
      }
      return wrap(database, { disk, folder, guard });
    });
  } catch (error) {
    unmount(folder);
    throw error;
  }
};

/** The settings of src/journal/sql.ts, and those that its package has built in differently. */
const settings = (synchronous: string): string[] => [
  'PRAGMA page_size = 4096',
  'PRAGMA foreign_keys = ON',
  'PRAGMA locking_mode = EXCLUSIVE',
  'PRAGMA journal_mode = WAL',
  `PRAGMA synchronous = ${synchronous}`,
  'PRAGMA secure_delete = ON',
  'PRAGMA cache_size = -1000',
  'PRAGMA wal_autocheckpoint = 0',
  'BEGIN IMMEDIATE',
  'COMMIT',
];

const openDatabase = (path: string): number => {
  const stack = wasm.pstack.pointer;
  try {
    const out = wasm.pstack.allocPtr() as number;
    const flags = capi.SQLITE_OPEN_READWRITE | capi.SQLITE_OPEN_CREATE;
    const code = capi.sqlite3_open_v2(path, out, flags, VFS_NAME) as number;
    const database = wasm.peekPtr(out) as number;
    if (code !== capi.SQLITE_OK) {
      const error = failure(database, code);
      capi.sqlite3_close_v2(database);
      throw error;
    }
    capi.sqlite3_extended_result_codes(database, 1);
    return database;
  } finally {
    wasm.pstack.restore(stack);
  }
};

const execute = (database: number, text: string): void => {
  const code = capi.sqlite3_exec(database, text, 0 as never, 0 as never, 0 as never) as number;
  if (code !== capi.SQLITE_OK) throw failure(database, code);
};

type Guard = <T>(work: () => T) => T;

type Place = { disk: Disk; folder: string; guard: Guard };

const wrap = (database: number, { disk, folder, guard }: Place): Sql => {
  const statements = new Map<string, Statement>();
  let queries = 0;
  let isOpen = true;
  const prepared = (text: string, values: readonly SqlValue[]): Statement => {
    if (!isOpen) throw new TypeError('The database connection is not open');
    if (queries > 0) throw new TypeError('This database connection is busy executing a query');
    const statement = statements.get(text) ?? prepare(database, text);
    statements.set(text, statement);
    statement.bind(values);
    return statement;
  };
  const query = <T>(text: string, values: readonly SqlValue[], take: (statement: Statement) => T): T =>
    guard(() => {
      const statement = prepared(text, values);
      try {
        return take(statement);
      } finally {
        statement.reset();
      }
    });
  return {
    run(text, ...values) {
      if (text === 'VACUUM INTO ?') copyOut(disk, String(values[0]), (to) => query(text, [`${folder}/${to}`], exhaust));
      else query(text, values, exhaust);
    },
    get: (text, ...values) => query(text, values, (statement) => (statement.step() ? statement.row() : undefined)),
    all: (text, ...values) => query(text, values, (statement) => [...rows(statement)]),
    *iterate(text, ...values) {
      const statement = guard(() => prepared(text, values));
      queries += 1;
      try {
        while (guard(() => statement.step())) yield statement.row();
      } finally {
        queries -= 1;
        statement.reset();
      }
    },
    atomically: (work) => guard(() => transaction(database, work)),
    close() {
      if (!isOpen) return;
      isOpen = false;
      for (const statement of statements.values()) statement.end();
      capi.sqlite3_close_v2(database);
      unmount(folder);
    },
  };
};

/** A copy is expected on the machine's real disk, but is made on the simulated one. */
const copyOut = (disk: Disk, path: string, make: (file: string) => void): void => {
  if (disk.exists(COPY)) disk.delete(COPY);
  make(COPY);
  writeFileSync(path, disk.files().get(COPY) ?? new Uint8Array());
  disk.delete(COPY);
};

const COPY = 'copy.db';

const exhaust = (statement: Statement): void => {
  while (statement.step());
};

function* rows(statement: Statement) {
  while (statement.step()) yield statement.row();
}

/** Inside an open transaction it becomes a part of that, and is rolled back alone if it fails. */
const transaction = <T>(database: number, work: () => T): T => {
  const isInner = capi.sqlite3_get_autocommit(database) === 0;
  execute(database, isInner ? 'SAVEPOINT part' : 'BEGIN IMMEDIATE');
  try {
    const result = work();
    execute(database, isInner ? 'RELEASE part' : 'COMMIT');
    return result;
  } catch (error) {
    if (capi.sqlite3_get_autocommit(database) === 0) execute(database, isInner ? 'ROLLBACK TO part' : 'ROLLBACK');
    if (isInner) execute(database, 'RELEASE part');
    throw error;
  }
};

const guardFor =
  (path: string): Guard =>
  (work) => {
    try {
      return work();
    } catch (error) {
      if (error instanceof Fault) throw error;
      const code = (error as { code?: string }).code ?? '';
      if (code.startsWith('SQLITE_BUSY')) throw new Fault('journal.busy', { data: dirname(path) }, error);
      if (/NOTADB|CORRUPT/.test(code))
        throw new Fault('journal.unreadable', { why: errorText(error), data: dirname(path) }, error);
      throw new Fault('journal.unwritable', { why: errorText(error) }, error);
    }
  };
