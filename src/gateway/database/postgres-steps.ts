/** The tables on PostgreSQL, step by step. The first step equals version 2 on SQLite. */
import type { Statements } from '../store/migrate.ts';
import { registrationTable, stepsFrom } from './common-steps.ts';

const version1: Statements = [
  `create table payment (
      sequence bigint generated always as identity primary key,
      id text not null unique,
      entity_id text not null,
      payment_type text not null,
      payment_method text not null,
      amount_minor bigint not null check (amount_minor >= 0),
      currency text not null,
      at bigint not null,
      short_id text not null,
      merchant_transaction_id text,
      referenced_id text,
      root_id text not null,
      registration_id text,
      state text not null check (state in ('processing', 'done')),
      result_code text check ((result_code is null) = (state = 'processing')),
      facts text not null
    )`,
  `create index payment_reference on payment (entity_id, merchant_transaction_id)
    where merchant_transaction_id is not null`,
  'create index payment_period on payment (entity_id, at, sequence)',
  'create index payment_follower on payment (referenced_id) where referenced_id is not null',
  'create index payment_chain on payment (root_id) where root_id <> id',
  'create index payment_short on payment (short_id)',
  "create index payment_unfinished on payment (sequence) where state = 'processing'",
  `create table claim (
      key text primary key,
      fingerprint text not null,
      payment_id text references payment (id),
      status bigint,
      body text,
      check ((payment_id is null) = (status is not null) and (status is null) = (body is null))
    )`,
  'create index claim_payment on claim (payment_id) where payment_id is not null',
  ...registrationTable('postgres'),
  'create table sighting (entity_id text not null, subject text not null, at bigint not null, minor bigint not null)',
  'create index sighting_subject on sighting (entity_id, subject, at, minor)',
  'create table acquirer_memory (key text primary key, value text not null)',
  'create table store_fact (name text primary key, value text not null)',
];

export const postgresSteps = stepsFrom([version1], 'postgres');
