/** Small named texts: the acquirer's documents, and facts about the whole store. */
import type { Kysely } from 'kysely';
import type { Documents } from '../acquirers/acquirer.ts';
import type { Connection } from './engine.ts';
import { manyRows, type Query, query } from './query.ts';
import type { DocumentTable, FactTable, Tables } from './schema.ts';

export interface DocumentRows {
  get(on: Connection, key: string): Promise<string | undefined>;
  set(on: Connection, entries: Readonly<Record<string, string>>): Promise<void>;
  /** Both of one transaction. */
  within(on: Connection): Documents;
  fact(on: Connection, name: string): Promise<string | undefined>;
  /** Keeps a fact if there is none of its name. */
  readonly keeping: Query<FactTable, unknown>;
}

export const documents = (sql: Kysely<Tables>): DocumentRows => {
  const byKey = query((of: { key: string }) =>
    sql.selectFrom('acquirer_memory').select('value').where('key', '=', of.key),
  );
  const setting = manyRows<DocumentTable, unknown>(['key', 'value'], (rows) =>
    sql
      .insertInto('acquirer_memory')
      .values(rows)
      .onConflict((conflict) => conflict.column('key').doUpdateSet((row) => ({ value: row.ref('excluded.value') }))),
  );
  const byName = query((of: { name: string }) =>
    sql.selectFrom('store_fact').select('value').where('name', '=', of.name),
  );
  const get = async (on: Connection, key: string) => (await on.rows(byKey, { key }))[0]?.value;
  const set = async (on: Connection, entries: Readonly<Record<string, string>>) => {
    const rows = Object.entries(entries).map(([key, value]) => ({ key, value }));
    for (const [statement, portion] of setting.portions(rows)) await on.change(statement, portion);
  };
  return {
    get,
    set,
    within: (on) => ({ get: (key) => get(on, key), set: (entries) => set(on, entries) }),
    fact: async (on, name) => (await on.rows(byName, { name }))[0]?.value,
    keeping: query((of: FactTable) =>
      sql
        .insertInto('store_fact')
        .values({ name: of.name, value: of.value })
        .onConflict((conflict) => conflict.column('name').doNothing()),
    ),
  };
};
