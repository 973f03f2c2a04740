/** The tables, as numbered steps: a store of an older version is brought forward, a newer one is refused. */
import { type Generated, type Kysely, sql } from 'kysely';
import { Fault } from '../../base/fault.ts';

export type Tables = {
  payment: PaymentTable;
  claim: { key: string; fingerprint: string; payment_id: string };
  acquirer_memory: { key: string; value: string };
  schema_version: { version: number | bigint };
};

export type PaymentTable = {
  sequence: Generated<bigint>;
  id: string;
  entity_id: string;
  payment_type: string;
  amount_minor: bigint;
  currency: string;
  at: bigint;
  merchant_transaction_id: string | null;
  referenced_id: string | null;
  state: 'processing' | 'done';
  result_code: string | null;
  facts: string;
};

/** Never edit a step that was released: add one. */
const steps: readonly (readonly string[])[] = [
  [
    `create table payment (
      sequence integer primary key autoincrement,
      id text not null unique,
      entity_id text not null,
      payment_type text not null,
      amount_minor integer not null check (amount_minor >= 0),
      currency text not null,
      at integer not null,
      merchant_transaction_id text,
      referenced_id text,
      state text not null check (state in ('processing', 'done')),
      result_code text check ((result_code is null) = (state = 'processing')),
      facts text not null
    ) strict`,
    'create index payment_reference on payment (entity_id, merchant_transaction_id)',
    'create index payment_follower on payment (referenced_id) where referenced_id is not null',
    "create index payment_unfinished on payment (sequence) where state = 'processing'",
    `create table claim (
      key text primary key,
      fingerprint text not null,
      payment_id text not null references payment (id)
    ) strict`,
    'create table acquirer_memory (key text primary key, value text not null) strict',
  ],
];

/** Brings the tables to the newest version. Throws `gateway.state` for a store of a newer program. */
export const migrate = (database: Kysely<Tables>): Promise<void> =>
  database.transaction().execute(async (transaction) => {
    await sql`create table if not exists schema_version (version integer not null)`.execute(transaction);
    const row = await transaction.selectFrom('schema_version').select('version').executeTakeFirst();
    const version = Number(row?.version ?? 0);
    if (version > steps.length) {
      throw new Fault('gateway.state', { why: `it is of version ${version}, this program knows ${steps.length}` });
    }
    for (const step of steps.slice(version)) {
      for (const statement of step) await sql.raw(statement).execute(transaction);
    }
    await transaction.deleteFrom('schema_version').execute();
    await transaction.insertInto('schema_version').values({ version: steps.length }).execute();
  });
