/** The store on one SQLite file, or in memory: opened so that what was acknowledged survives a power cut. */
import Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { Fault, isFault, wordsOf } from '../../base/fault.ts';
import { whyTooOld } from '../../base/sqlite-version.ts';
import { migrate, type Tables } from './schema.ts';
import type { Store } from './store.ts';
import { storeOn } from './tables.ts';

const BUSY_MS = 1000;

/**
 * Opens the store, or makes it. `path` is a file's or ':memory:'. One process at a time has a file.
 * Throws `gateway.state`: not a database, of a newer program, held by another process, not writable.
 */
export const openSqliteStore = async (path: string): Promise<Store> => {
  const file = guarded(() => open(path));
  const database = new Kysely<Tables>({ dialect: new SqliteDialect({ database: file }) });
  try {
    await migrate(database);
  } catch (error) {
    file.close();
    throw unusable(error);
  }
  return storeOn(database);
};

const open = (path: string): Database.Database => {
  const file = new Database(path, { timeout: BUSY_MS });
  try {
    prepare(file, path);
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
};

const prepare = (file: Database.Database, path: string): void => {
  refuseOld(String(file.prepare('select sqlite_version() as version').pluck().get()));
  // The lock goes with the process: a crash leaves none behind.
  file.pragma('locking_mode = EXCLUSIVE');
  const mode = file.pragma('journal_mode = WAL', { simple: true });
  // In WAL mode this build would fall to NORMAL, which loses acknowledged rows in a power cut.
  file.pragma('synchronous = FULL');
  file.pragma('foreign_keys = ON');
  // The package's own 16 MB of cache would be most of a till's memory.
  file.pragma('cache_size = -4000');
  if (path !== ':memory:' && mode !== 'wal') throw new Fault('gateway.state', { why: `journal mode is ${mode}` });
  if (Number(file.pragma('synchronous', { simple: true })) !== 2) {
    throw new Fault('gateway.state', { why: 'synchronous=FULL was not taken' });
  }
  // Amounts are 64-bit whole numbers and come back as bigint, never through a float.
  file.defaultSafeIntegers(true);
  file.exec('begin immediate; commit');
};

const refuseOld = (version: string): void => {
  const why = whyTooOld(version);
  if (why !== undefined) throw new Fault('gateway.state', { why });
};

const guarded = <T>(work: () => T): T => {
  try {
    return work();
  } catch (error) {
    throw unusable(error);
  }
};

const unusable = (error: unknown): Fault => {
  if (isFault(error)) return error;
  const busy = error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
  return new Fault('gateway.state', { why: busy ? 'another gateway works on it' : wordsOf(error) }, error);
};
