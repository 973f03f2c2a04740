/** Small named texts: the acquirer's documents, and facts about the whole store. */
import type { Kysely } from 'kysely';
import type { Connection } from './engine.ts';
import { manyRows, type Query, query } from './query.ts';
import type { FactTable, Tables } from './schema.ts';

/** An acquirer's data between requests: small named documents in the gateway's own store. */
export interface AcquirerMemory {
  get(key: string): Promise<string | undefined>;
  /**
   * Runs transactions that share a name one after another, in all processes. A transaction's writes are atomic, and
   * durable when this resolves; one that throws changes nothing.
   */
  withLocks<T>(names: readonly string[], work: (documents: Documents) => Promise<T>): Promise<T>;
}

export type DocumentEntry = { key: string; value: string };

export interface Documents {
  get(key: string): Promise<string | undefined>;
  /** Each key only once: not every engine accepts a key twice in a statement. */
  set(entries: readonly DocumentEntry[]): Promise<void>;
}

/** The acquirer's documents inside a transaction of the gateway. */
export interface HeldDocuments extends Documents {
  /**
   * Locks these names for the rest of the transaction, as `withLocks` does, and after all of the gateway's own names.
   * Undefined: the transaction already has exclusive access to everything.
   */
  lock(names: readonly string[]): Promise<void> | undefined;
}

export interface DocumentRows {
  get(db: Connection, key: string): Promise<string | undefined>;
  set(db: Connection, entries: readonly DocumentEntry[]): Promise<void>;
  /** The documents of one transaction. */
  inTransaction(db: Connection): HeldDocuments;
  fact(db: Connection, name: string): Promise<string | undefined>;
  /** Stores a fact unless one with its name exists. */
  readonly insertFact: Query<FactTable, unknown>;
}

/** The lock names of the acquirer's transactions, distinct from all other names. */
export const lockNameOf = (name: string): string => `acquirer ${name}`;

export const documents = (sql: Kysely<Tables>): DocumentRows => {
  const byKey = query((key: { key: string }) =>
    sql.selectFrom('acquirer_memory').select('value').where('key', '=', key.key),
  );
  const upsertDocuments = manyRows<DocumentEntry, unknown>(['key', 'value'], (rows) =>
    sql
      .insertInto('acquirer_memory')
      .values(rows)
      .onConflict((conflict) => conflict.column('key').doUpdateSet((row) => ({ value: row.ref('excluded.value') }))),
  );
  const byName = query((key: { name: string }) =>
    sql.selectFrom('store_fact').select('value').where('name', '=', key.name),
  );
  const get = (db: Connection, key: string) => db.row(byKey, { key }).then(textOf);
  const set = async (db: Connection, entries: readonly DocumentEntry[]) => {
    for (const [statement, portion] of upsertDocuments.portions(entries)) await db.change(statement, portion);
  };
  return {
    get,
    set,
    inTransaction: (db) => ({
      get: (key) => get(db, key),
      set: (entries) => set(db, entries),
      lock: (names) => db.lock?.(names.map(lockNameOf)),
    }),
    fact: (db, name) => db.row(byName, { name }).then(textOf),
    insertFact: query((of: FactTable) =>
      sql
        .insertInto('store_fact')
        .values({ name: of.name, value: of.value })
        .onConflict((conflict) => conflict.column('name').doNothing()),
    ),
  };
};

const textOf = (row: { value: string } | undefined): string | undefined => row?.value;
