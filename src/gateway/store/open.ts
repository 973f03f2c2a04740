/** Which engine a store's address means. */
import type { PostgresOptions } from './postgres.ts';
import { openSqliteStore, type SqliteOptions } from './sqlite.ts';
import type { Store } from './store.ts';

/** Each engine takes what is its own. */
export type StoreOptions = Pick<SqliteOptions, 'group' | 'committed'> & PostgresOptions;

/**
 * Opens the store at `where`: a file's path, ':memory:', or a postgres:// or postgresql:// address.
 * Throws `gateway.state`, in whose words no password stands.
 */
export const openStore = async (where: string, options: StoreOptions = {}): Promise<Store> => {
  if (!/^postgres(ql)?:\/\//i.test(where)) return openSqliteStore(where, options);
  // Loaded only where it is used: a till has no PostgreSQL.
  const { openPostgresStore } = await import('./postgres.ts');
  return openPostgresStore(where, options);
};
