/** The store on one SQLite file, or in memory: opened so that what was acknowledged survives a power cut. */
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { sqliteTrouble, whyTooOld } from '../../base/databases.ts';
import { Fault, isFault, wordsOf } from '../../base/fault.ts';
import { systemCode } from '../../base/system-words.ts';
import { durableWrites } from './durable-writes.ts';
import type { Connection, Engine } from './engine.ts';
import { type MigrationStep, pending, type VersionRow, versionTable } from './migrate.ts';
import type { Tables } from './schema.ts';
import { groupsOn } from './sqlite-groups.ts';
import { statementsOn } from './sqlite-turn.ts';

const BUSY_MS = 1000;
const GROUP_MAX = 1024;

export type SqliteOptions = {
  /** At most so many works share one sync of the disk; 1024 unless told, 1 for none. */
  group?: number;
  /** Told after each commit how many works it made durable. */
  committed?: (works: number) => void;
  /** The file grows to so many pages of 4096 bytes at most; what does not fit is refused. */
  maxPages?: number;
  /** Runs one statement of a migration: for those who want to see them, or to stop one. */
  execute?: (sql: string, run: (sql: string) => void) => void;
};

/** What a file is brought to: the steps, and by name what they call beside SQL, with one text each. */
export type SqliteSchema = {
  readonly steps: readonly MigrationStep[];
  readonly functions: Readonly<Record<string, (text: string) => string>>;
};

/**
 * Opens the file, or makes it, and brings its tables to the schema. `path` is a file's or ':memory:'. One process at a
 * time has a file.
 * Throws `gateway.busy` when another process has it, and `gateway.state`: not a database, of a newer program, not
 * writable.
 */
export const openSqliteEngine = async (
  path: string,
  schema: SqliteSchema,
  options: SqliteOptions = {},
): Promise<Engine> => {
  const isCopy = path === ':memory:' && options.execute === undefined && options.maxPages === undefined;
  const file = guarded(() => open(path, isCopy ? empties.get(schema) : undefined));
  try {
    if (options.maxPages !== undefined) file.pragma(`max_page_count = ${options.maxPages}`);
    migrate(file, schema, options.execute ?? ((sql, run) => run(sql)));
    if (isCopy && !empties.has(schema)) empties.set(schema, file.serialize());
    return engineOn(file, options);
  } catch (error) {
    file.close();
    throw unusable(error);
  }
};

/** A store in memory with nothing in it yet: the first of a process is made step by step, the others are its copies. */
const empties = new WeakMap<SqliteSchema, Buffer>();

/** All of it or nothing: a file that could not be brought to the newest version stays as it was. */
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
      for (const statement of pending(steps, row)) execute(statement, run);
    })
    .immediate();
};

const engineOn = (file: Database.Database, { group = GROUP_MAX, committed }: SqliteOptions): Engine => {
  const statements = statementsOn(file);
  const writes = durableWrites();
  const groups = groupsOn(file, statements, {
    group,
    unusable: (error) => unusable(error, file.name),
    wrote: writes.happened,
    committed,
  });
  const direct: Connection = {
    rows: async (query, values) => guarded(() => statements.rows(query, values)),
    row: async (query, values) => guarded(() => statements.row(query, values)),
    change: async () => {
      throw new Fault('gateway.state', { why: 'a write outside of a transaction' });
    },
  };
  let closed = false;
  const add: typeof groups.add = (work, writes) =>
    closed ? Promise.reject(new Fault('gateway.state', { why: 'it is closed' })) : groups.add(work, writes);
  // What an open group has written is not durable yet: whoever reads meanwhile reads, and is told, with the group.
  const read: Engine['read'] = (work) => (groups.open || closed ? add(work, 'once') : work(direct));
  return {
    sql: new Kysely<Tables>({ dialect }),
    shared: false,
    writes,
    read,
    single: (query, values) => add((on) => on.change(query, values), 'once'),
    // All works run one after another here, whatever they name.
    transact: (_, work) => add(work, 'often'),
    ping: () => read(async () => void guarded(() => file.prepare('select 1').get())),
    async close() {
      closed = true;
      await groups.idle();
      file.close();
    },
  };
};

/** Kysely only writes the SQL: the statements are prepared and run here, without its layers between. */
const dialect = {
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (database: Kysely<Tables>) => new SqliteIntrospector(database),
  createQueryCompiler: () => new SqliteQueryCompiler(),
};

const open = (path: string, image?: Buffer): Database.Database => {
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
  // The lock goes with the process: a crash leaves none behind.
  file.pragma('locking_mode = EXCLUSIVE');
  const mode = file.pragma('journal_mode = WAL', { simple: true });
  // In WAL mode this build would fall to NORMAL, which loses acknowledged rows in a power cut.
  file.pragma('synchronous = FULL');
  file.pragma('foreign_keys = ON');
  // What is overwritten is gone from its page too: a deleted registration's sealed account, and the key to it.
  file.pragma('secure_delete = fast');
  // The package's own 16 MB of cache would be most of a till's memory.
  file.pragma('cache_size = -2000');
  // 16 MB of log before it is folded into the file: a page that changes often is then written there less often.
  file.pragma('wal_autocheckpoint = 4000');
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

const unusable = (error: unknown, path?: string): Fault => {
  if (isFault(error)) return error;
  const trouble = sqliteTrouble(error, path);
  const why = wordsOf(error);
  return new Fault('gateway.state', trouble === undefined ? { why } : { why, trouble }, error);
};
