/** Small named texts: the acquirer's documents, and facts about the whole store. */
import type { Kysely } from 'kysely';
import type { Connection } from './engine.ts';
import { manyRows, type Query, query } from './query.ts';
import type { FactTable, Tables } from './schema.ts';

/** What an acquirer keeps between requests: small named documents in the gateway's own store. */
export interface AcquirerMemory {
  get(key: string): Promise<string | undefined>;
  /**
   * Works that share a name run one after another, in all processes. What a work sets is kept all or nothing, and
   * durable when this resolves; a work that throws changes nothing.
   */
  exclusively<T>(names: readonly string[], work: (documents: Documents) => Promise<T>): Promise<T>;
}

export type DocumentEntry = { key: string; value: string };

export interface Documents {
  get(key: string): Promise<string | undefined>;
  /** Each key once: not every engine takes one twice in a statement. */
  set(entries: readonly DocumentEntry[]): Promise<void>;
}

/** The acquirer's documents inside a work of the gateway. */
export interface HeldDocuments extends Documents {
  /**
   * Takes these names for the rest of the work, as `exclusively` does, and after all names of the gateway's own.
   * Undefined: the work has everything to itself already.
   */
  hold(names: readonly string[]): Promise<void> | undefined;
}

export interface DocumentRows {
  get(on: Connection, key: string): Promise<string | undefined>;
  set(on: Connection, entries: readonly DocumentEntry[]): Promise<void>;
  /** All of one transaction. */
  within(on: Connection): HeldDocuments;
  fact(on: Connection, name: string): Promise<string | undefined>;
  /** Keeps a fact if there is none of its name. */
  readonly keeping: Query<FactTable, unknown>;
}

/** What the acquirer's works name, beside all other names. */
export const turnOf = (name: string): string => `acquirer ${name}`;

export const documents = (sql: Kysely<Tables>): DocumentRows => {
  const byKey = query((of: { key: string }) =>
    sql.selectFrom('acquirer_memory').select('value').where('key', '=', of.key),
  );
  const setting = manyRows<DocumentEntry, unknown>(['key', 'value'], (rows) =>
    sql
      .insertInto('acquirer_memory')
      .values(rows)
      .onConflict((conflict) => conflict.column('key').doUpdateSet((row) => ({ value: row.ref('excluded.value') }))),
  );
  const byName = query((of: { name: string }) =>
    sql.selectFrom('store_fact').select('value').where('name', '=', of.name),
  );
  const get = (on: Connection, key: string) => on.row(byKey, { key }).then(textOf);
  const set = async (on: Connection, entries: readonly DocumentEntry[]) => {
    for (const [statement, portion] of setting.portions(entries)) await on.change(statement, portion);
  };
  return {
    get,
    set,
    within: (on) => ({
      get: (key) => get(on, key),
      set: (entries) => set(on, entries),
      hold: (names) => on.lock?.(names.map(turnOf)),
    }),
    fact: (on, name) => on.row(byName, { name }).then(textOf),
    keeping: query((of: FactTable) =>
      sql
        .insertInto('store_fact')
        .values({ name: of.name, value: of.value })
        .onConflict((conflict) => conflict.column('name').doNothing()),
    ),
  };
};

const textOf = (row: { value: string } | undefined): string | undefined => row?.value;
