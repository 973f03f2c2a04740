/** Small named texts: the acquirer's documents, and facts about the whole store. */
import type { Kysely } from 'kysely';
import type { DocumentEntry, HeldDocuments } from '../acquirers/acquirer.ts';
import type { Connection } from './engine.ts';
import { manyRows, type Query, query } from './query.ts';
import type { FactTable, Tables } from './schema.ts';

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
