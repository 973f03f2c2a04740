/**
 * Only of channels that are settled anything is due: elsewhere settlement_due would grow for ever, and each payment
 * would write a row more. The first row of a channel here brings what moved money before it, in the same transaction.
 */
import type { Statements } from '../../store/migrate.ts';
import { moved } from './settlement-steps.ts';

/** Those that have batches go on. What is due of the others is found again when they are settled. */
const known: Statements = [
  'insert into settlement_channel (entity_id) select distinct entity_id from settlement',
  'delete from settlement_due where entity_id not in (select entity_id from settlement_channel)',
];

const add = 'insert into settlement_due (entity_id, at, payment_id) values (new.entity_id, new.at, new.id);';

const before = `insert into settlement_due (entity_id, at, payment_id)
    select entity_id, at, id from payment where entity_id = new.entity_id and ${moved('')};`;

const settles = 'exists (select 1 from settlement_channel where entity_id = new.entity_id)';

export const settlingChannelSteps: { readonly sqlite: Statements; readonly postgres: Statements } = {
  sqlite: [
    'create table settlement_channel (entity_id text primary key) strict, without rowid',
    ...known,
    `create trigger settlement_of_channel after insert on settlement_channel begin ${before} end`,
    'drop trigger settlement_of_added',
    'drop trigger settlement_of_ended',
    `create trigger settlement_of_added after insert on payment
      when ${moved('new.')} and ${settles} begin ${add} end`,
    `create trigger settlement_of_ended after update of state on payment
      when old.state = 'processing' and ${moved('new.')} and ${settles} begin ${add} end`,
  ],
  postgres: [
    'create table settlement_channel (entity_id text primary key)',
    ...known,
    // Payments under way have not seen the channel: they are waited for, and whoever comes next sees it.
    `create function settlement_channel_add() returns trigger language plpgsql as $$ begin
      lock table payment in share row exclusive mode; ${before} return null; end $$`,
    `create trigger settlement_of_channel after insert on settlement_channel
      for each row execute function settlement_channel_add()`,
    `create or replace function settlement_due_add() returns trigger language plpgsql as $$ begin
      if ${settles} then ${add} end if; return null; end $$`,
  ],
};
