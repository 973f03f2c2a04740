/** Which engine a store's address means. */
import { openPostgresStore, type PostgresOptions } from './postgres.ts';
import { openSqliteStore, type SqliteOptions } from './sqlite.ts';
import type { Store } from './store.ts';

/** Each engine takes what is its own. */
export type StoreOptions = Pick<SqliteOptions, 'group' | 'committed'> & PostgresOptions;

/**
 * Opens the store at `where`: a file's path, ':memory:', or a postgres:// or postgresql:// address.
 * Throws `gateway.state`, in whose words no password stands.
 */
export const openStore = (where: string, options: StoreOptions = {}): Promise<Store> =>
  /^postgres(ql)?:\/\//i.test(where) ? openPostgresStore(where, options) : openSqliteStore(where, options);
