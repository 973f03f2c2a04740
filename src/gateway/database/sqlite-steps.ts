/** The tables on SQLite, step by step, and the functions that the steps call. */
import { shortIdOf } from '../payments/short-id.ts';
import type { Statements } from '../store/migrate.ts';
import { registrationTable, stepsFrom } from './common-steps.ts';

/** Functions that SQL lacks: the steps call them by these names, with one text each. */
export const stepFunctions: Readonly<Record<string, (text: string) => string>> = {
  short_id_of: shortIdOf,
  root_id_of: (facts) => (JSON.parse(facts) as FactsOfVersion1).rootId,
  /** The root became the acquirer's id, and custom parameters moved into the echo, under their wire names. */
  facts_of_version_2: (facts) => {
    const { rootId, customParameters, echo, ...rest } = JSON.parse(facts) as FactsOfVersion1;
    const custom = Object.entries(customParameters).map(([name, value]) => [`customParameters[${name}]`, value]);
    return JSON.stringify({ ...rest, acquirerId: rootId, echo: { ...echo, ...Object.fromEntries(custom) } });
  },
};

type FactsOfVersion1 = {
  rootId: string;
  echo: Readonly<Record<string, string>>;
  customParameters: Readonly<Record<string, string>>;
};

const version1: Statements = [
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
];

const version2: Statements = [
  `create table payment_2 (
      sequence integer primary key autoincrement,
      id text not null unique,
      entity_id text not null,
      payment_type text not null,
      payment_method text not null,
      amount_minor integer not null check (amount_minor >= 0),
      currency text not null,
      at integer not null,
      short_id text not null,
      merchant_transaction_id text,
      referenced_id text,
      root_id text not null,
      registration_id text,
      state text not null check (state in ('processing', 'done')),
      result_code text check ((result_code is null) = (state = 'processing')),
      facts text not null
    ) strict`,
  `insert into payment_2 (sequence, id, entity_id, payment_type, payment_method, amount_minor, currency, at, short_id,
      merchant_transaction_id, referenced_id, root_id, state, result_code, facts)
    select sequence, id, entity_id, payment_type, 'CC', amount_minor, currency, at, short_id_of(id),
      merchant_transaction_id, referenced_id, root_id_of(facts), state, result_code, facts_of_version_2(facts)
    from payment order by sequence`,
  `create table claim_2 (
      key text primary key,
      fingerprint text not null,
      payment_id text references payment_2 (id),
      status integer,
      body text,
      check ((payment_id is null) = (status is not null) and (status is null) = (body is null))
    ) strict, without rowid`,
  'insert into claim_2 (key, fingerprint, payment_id) select key, fingerprint, payment_id from claim',
  'create table acquirer_memory_2 (key text primary key, value text not null) strict, without rowid',
  'insert into acquirer_memory_2 (key, value) select key, value from acquirer_memory',
  'drop table acquirer_memory',
  'alter table acquirer_memory_2 rename to acquirer_memory',
  'drop table claim',
  'drop table payment',
  'alter table payment_2 rename to payment',
  'alter table claim_2 rename to claim',
  `create index payment_reference on payment (entity_id, merchant_transaction_id)
    where merchant_transaction_id is not null`,
  'create index payment_period on payment (entity_id, at)',
  'create index payment_follower on payment (referenced_id) where referenced_id is not null',
  'create index payment_chain on payment (root_id) where root_id <> id',
  "create index payment_unfinished on payment (sequence) where state = 'processing'",
  'create index claim_payment on claim (payment_id) where payment_id is not null',
  ...registrationTable('sqlite'),
  `create table sighting (
      entity_id text not null,
      subject text not null,
      at integer not null,
      minor integer not null
    ) strict`,
  'create index sighting_subject on sighting (entity_id, subject, at, minor)',
  'create table store_fact (name text primary key, value text not null) strict, without rowid',
];

export const sqliteSteps = stepsFrom([version1, version2], 'sqlite');
