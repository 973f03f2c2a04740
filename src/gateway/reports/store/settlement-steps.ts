/**
 * The settlement tables on both engines. Every payment that moved money is in settlement_due from the transaction that
 * ended it until the transaction that settles it: however late it ends, in whichever gateway, it is in the next batch,
 * and in exactly one.
 */
import { codeGroups } from '../../../base/result-codes.ts';
import type { Statements } from '../../store/migrate.ts';

const settlement = (integerType: string, order: string): Statements => [
  `create table settlement_due (
      entity_id text not null,
      at ${integerType} not null,
      payment_id text not null,
      primary key (entity_id, at, payment_id)
    )${order}`,
  `create table settlement (
      id text primary key,
      entity_id text not null,
      day text not null,
      made_at ${integerType} not null,
      closed_at ${integerType},
      records ${integerType} not null,
      unique (entity_id, day)
    )${order}`,
  `create table settlement_sum (
      id text primary key,
      settlement_id text not null references settlement (id),
      currency text not null,
      settlement_currency text not null,
      test_mode text not null,
      records ${integerType} not null,
      paid_minor ${integerType} not null,
      taken_minor ${integerType} not null,
      fee_minor ${integerType} not null
    )${order}`,
  'create index settlement_sums on settlement_sum (settlement_id)',
  `create table settlement_record (
      settlement_id text not null references settlement (id),
      number ${integerType} not null,
      key text not null unique,
      sum_id text,
      record_type text,
      line text,
      primary key (settlement_id, number),
      check ((line is null) = (sum_id is null) and (sum_id is null) = (record_type is null))
    )${order}`,
  'create index settlement_records on settlement_record (sum_id, record_type, number) where sum_id is not null',
  ...createAsideTables(integerType, order),
];

const createAsideTables = (integerType: string, order: string): Statements => [
  `create table chargeback_notice (
      entity_id text not null,
      id text not null,
      at ${integerType} not null,
      status text not null check (status in ('MATCHED', 'MULTIPLE_MATCHES', 'NOT_MATCHED')),
      chargeback_id text,
      state text not null check (state in ('due', 'settled')),
      facts text not null,
      primary key (entity_id, id)
    )${order}`,
  "create index chargeback_notice_due on chargeback_notice (entity_id, at) where state = 'due'",
  `create table settlement_delivery (
      settlement_id text not null references settlement (id),
      target text not null check (target in ('folder', 'sftp')),
      tries ${integerType} not null,
      next_at ${integerType} not null,
      done_at ${integerType},
      bytes ${integerType},
      hash text,
      why text,
      primary key (settlement_id, target)
    )${order}`,
];

/** The condition of the triggers: every approval code begins like this. A batch checks the whole code. */
const moveRow = (row: string): string =>
  `${row}state = 'done' and ${row}amount_minor > 0 and substr(${row}result_code, 1, 4) = '${codeGroups.successes}'`;

const insertDue = `insert into settlement_due (entity_id, at, payment_id)
    select entity_id, at, id from payment where ${moveRow('')}`;

const add = 'insert into settlement_due (entity_id, at, payment_id) values (new.entity_id, new.at, new.id);';

export const settlementSteps: { readonly sqlite: Statements; readonly postgres: Statements } = {
  sqlite: [
    ...settlement('integer', ' strict, without rowid'),
    insertDue,
    `create trigger settlement_of_added after insert on payment when ${moveRow('new.')} begin ${add} end`,
    `create trigger settlement_of_ended after update of state on payment
      when old.state = 'processing' and ${moveRow('new.')} begin ${add} end`,
  ],
  postgres: [
    ...settlement('bigint', ''),
    insertDue,
    `create function settlement_due_add() returns trigger language plpgsql as $$ begin ${add} return null; end $$`,
    `create trigger settlement_of_added after insert on payment
      for each row when (${moveRow('new.')}) execute function settlement_due_add()`,
    `create trigger settlement_of_ended after update of state on payment
      for each row when (old.state = 'processing' and ${moveRow('new.')}) execute function settlement_due_add()`,
  ],
};

// Payments are due only for settled channels: otherwise settlement_due would grow forever, and each payment would write
// one more row. The first row of a channel here adds the payments that moved money before, in the same transaction.

/** Channels with batches continue. The due payments of the others are found again when those are settled. */
const knownChannels: Statements = [
  'insert into settlement_channel (entity_id) select distinct entity_id from settlement',
  'delete from settlement_due where entity_id not in (select entity_id from settlement_channel)',
];

const earlierMoves = `insert into settlement_due (entity_id, at, payment_id)
    select entity_id, at, id from payment where entity_id = new.entity_id and ${moveRow('')};`;

const settles = 'exists (select 1 from settlement_channel where entity_id = new.entity_id)';

export const settlingChannelSteps: { readonly sqlite: Statements; readonly postgres: Statements } = {
  sqlite: [
    'create table settlement_channel (entity_id text primary key) strict, without rowid',
    ...knownChannels,
    `create trigger settlement_of_channel after insert on settlement_channel begin ${earlierMoves} end`,
    'drop trigger settlement_of_added',
    'drop trigger settlement_of_ended',
    `create trigger settlement_of_added after insert on payment
      when ${moveRow('new.')} and ${settles} begin ${add} end`,
    `create trigger settlement_of_ended after update of state on payment
      when old.state = 'processing' and ${moveRow('new.')} and ${settles} begin ${add} end`,
  ],
  postgres: [
    'create table settlement_channel (entity_id text primary key)',
    ...knownChannels,
    // Waits for payments in progress, which have not seen the channel; every later payment sees it.
    `create function settlement_channel_add() returns trigger language plpgsql as $$ begin
      lock table payment in share row exclusive mode; ${earlierMoves} return null; end $$`,
    `create trigger settlement_of_channel after insert on settlement_channel
      for each row execute function settlement_channel_add()`,
    `create or replace function settlement_due_add() returns trigger language plpgsql as $$ begin
      if ${settles} then ${add} end if; return null; end $$`,
  ],
};
