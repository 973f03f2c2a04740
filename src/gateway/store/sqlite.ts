/** The store in one SQLite file or in memory, opened so that acknowledged data survive a power failure. */
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { sqliteTrouble, tooOldReason } from '../../base/databases.ts';
import { errorText, Fault, isFault } from '../../base/fault.ts';
import { systemCode } from '../../base/system-error-text.ts';
import { type Connection, createDurableWrites, type Engine } from './engine.ts';
import { type MigrationStep, pendingStatements, type VersionRow, versionTable } from './migrate.ts';
import type { Tables } from './schema.ts';
import { createGroups } from './sqlite-groups.ts';
import { createStatements } from './sqlite-turn.ts';

const BUSY_MS = 1000;
const GROUP_MAX = 1024;

export type SqliteOptions = {
  /** The maximum number of units of work per sync of the disk; default 1024, 1 for no groups. */
  group?: number;
  /** Called after each commit with the number of units of work that it made durable. */
  onCommit?: (workCount: number) => void;
  /** The maximum size of the file in pages of 4096 bytes; a write beyond it is refused. */
  maxPages?: number;
  /** Runs one statement of a migration: lets tests observe or stop one. */
  execute?: (sql: string, run: (sql: string) => void) => void;
};

/** The target of a migration: the steps, and by name the functions that they call from SQL, with one text each. */
export type SqliteSchema = {
  readonly steps: readonly MigrationStep[];
  readonly functions: Readonly<Record<string, (text: string) => string>>;
};

/**
 * Opens the file, or creates it, and migrates its tables. `path` is a file path or ':memory:'. One process at a time
 * can have a file. Throws `gateway.busy` if another process has it, and `gateway.state`: not a database, from a newer
 * version, not writable.
 */
export const openSqliteEngine = async (
  path: string,
  schema: SqliteSchema,
  options: SqliteOptions = {},
): Promise<Engine> => {
  const isCopy = path === ':memory:' && options.execute === undefined && options.maxPages === undefined;
  const file = guard(() => openFile(path, isCopy ? emptyImages.get(schema) : undefined));
  try {
    if (options.maxPages !== undefined) file.pragma(`max_page_count = ${options.maxPages}`);
    migrate(file, schema, options.execute ?? ((sql, run) => run(sql)));
    if (isCopy && !emptyImages.has(schema)) emptyImages.set(schema, file.serialize());
    return createEngine(file, options);
  } catch (error) {
    file.close();
    throw unusable(error);
  }
};

/** An empty in-memory store: the first of a process is made step by step, the others are copies of it. */
const emptyImages = new WeakMap<SqliteSchema, Buffer>();

/** Atomic: a file that could not be migrated to the newest version stays as it was. */
const migrate = (
  file: Database.Database,
  { steps, functions }: SqliteSchema,
  execute: NonNullable<SqliteOptions['execute']>,
): void => {
  for (const [name, work] of Object.entries(functions)) {
    file.function(name, { deterministic: true }, (text) => work(String(text)));
  }
  const run = (sql: string) => void file.exec(sql);
  file
    .transaction(() => {
      execute(versionTable, run);
      const row = file.prepare<[], VersionRow>('select * from schema_version').get();
      for (const statement of pendingStatements(steps, row)) execute(statement, run);
    })
    .immediate();
};

const createEngine = (file: Database.Database, { group = GROUP_MAX, onCommit }: SqliteOptions): Engine => {
  const statements = createStatements(file);
  const writes = createDurableWrites();
  const groups = createGroups(file, statements, {
    group,
    unusable: (error) => unusable(error, file.name),
    onWrite: writes.notify,
    onCommit,
  });
  const direct: Connection = {
    rows: async (query, values) => guard(() => statements.rows(query, values)),
    row: async (query, values) => guard(() => statements.row(query, values)),
    change: async () => {
      throw new Fault('gateway.state', { why: 'a write outside of a transaction' });
    },
  };
  let closed = false;
  const add: typeof groups.add = (work, writes) =>
    closed ? Promise.reject(new Fault('gateway.state', { why: 'it is closed' })) : groups.add(work, writes);
  // An open group's writes are not durable yet: a read meanwhile joins the group, and gets its result with it.
  const read: Engine['read'] = (work) => (groups.open || closed ? add(work, 'once') : work(direct));
  return {
    sql: new Kysely<Tables>({ dialect }),
    shared: false,
    writes,
    read,
    changeOnce: (query, values) => add((db) => db.change(query, values), 'once'),
    // All transactions run one after another here, whatever they name.
    transact: (_, work) => add(work, 'often'),
    ping: () => read(async () => void guard(() => file.prepare('select 1').get())),
    async close() {
      closed = true;
      await groups.whenIdle();
      file.close();
    },
  };
};

/** Kysely only writes the SQL: statements are prepared and run here, without its layers in between. */
const dialect = {
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (database: Kysely<Tables>) => new SqliteIntrospector(database),
  createQueryCompiler: () => new SqliteQueryCompiler(),
};

const openFile = (path: string, image?: Buffer): Database.Database => {
  const file = new Database(image ?? path, { timeout: BUSY_MS });
  try {
    prepare(file, path);
    return file;
  } catch (error) {
    file.close();
    if (!systemCode(error).startsWith('SQLITE_BUSY')) throw error;
    throw new Fault('gateway.busy', { data: dirname(path) }, error);
  }
};

const prepare = (file: Database.Database, path: string): void => {
  refuseOld(String(file.prepare('select sqlite_version() as version').pluck().get()));
  // The lock ends with the process: a crash leaves none behind.
  file.pragma('locking_mode = EXCLUSIVE');
  const mode = file.pragma('journal_mode = WAL', { simple: true });
  // In WAL mode this build would default to NORMAL, which loses acknowledged rows in a power failure.
  file.pragma('synchronous = FULL');
  file.pragma('foreign_keys = ON');
  // Overwritten data are erased from their page too: a deleted registration's encrypted account, and its key.
  file.pragma('secure_delete = fast');
  // The package's default cache of 16 MB would be most of a till's memory.
  file.pragma('cache_size = -2000');
  // 16 MB of log before a checkpoint: frequently changed pages are then written to the file less often.
  file.pragma('wal_autocheckpoint = 4000');
  if (path !== ':memory:' && mode !== 'wal') throw new Fault('gateway.state', { why: `journal mode is ${mode}` });
  if (Number(file.pragma('synchronous', { simple: true })) !== 2) {
    throw new Fault('gateway.state', { why: 'synchronous=FULL was not accepted' });
  }
  // Amounts are 64-bit integers and are read as bigint, never through a float.
  file.defaultSafeIntegers(true);
  file.exec('begin immediate; commit');
};

const refuseOld = (version: string): void => {
  const reason = tooOldReason(version);
  if (reason !== undefined) throw new Fault('gateway.state', { why: reason });
};

const guard = <T>(work: () => T): T => {
  try {
    return work();
  } catch (error) {
    throw unusable(error);
  }
};

const unusable = (error: unknown, path?: string): Fault => {
  if (isFault(error)) return error;
  const trouble = sqliteTrouble(error, path);
  const reason = errorText(error);
  return new Fault('gateway.state', trouble === undefined ? { why: reason } : { why: reason, trouble }, error);
};
