/** Opens the database engine that a store's address selects, with the tables of all features. */
import type { PostgresOptions } from '../store/postgres.ts';
import { openSqliteEngine, type SqliteOptions, type SqliteSchema } from '../store/sqlite.ts';
import type { Store } from '../store/store.ts';
import { sqliteSteps, stepFunctions } from './sqlite-steps.ts';
import { createStore } from './tables.ts';

/** Each engine uses its own options. */
export type StoreOptions = Pick<SqliteOptions, 'group' | 'onCommit'> & PostgresOptions;

/**
 * Opens the store at `location`: a file path, ':memory:', or a postgres:// or postgresql:// address. Throws
 * `gateway.busy` and `gateway.state`, whose texts contain no password.
 */
export const openStore = (location: string, options: StoreOptions = {}): Promise<Store> =>
  /^postgres(ql)?:\/\//i.test(location) ? openPostgresStore(location, options) : openSqliteStore(location, options);

const sqliteSchema: SqliteSchema = { steps: sqliteSteps, functions: stepFunctions };

export const openSqliteStore = async (path: string, options: SqliteOptions = {}): Promise<Store> =>
  createStore(await openSqliteEngine(path, sqliteSchema, options));

export const openPostgresStore = async (url: string, options: PostgresOptions = {}): Promise<Store> => {
  // Loaded only when needed: a till has no PostgreSQL.
  const { openPostgresEngine } = await import('../store/postgres.ts');
  const { postgresSteps } = await import('./postgres-steps.ts');
  return createStore(await openPostgresEngine(url, postgresSteps, options));
};
