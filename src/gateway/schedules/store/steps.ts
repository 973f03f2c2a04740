/** The tables of schedules and of their runs, on both engines. */
import type { Statements } from '../../store/migrate.ts';

/** An active plan has a next due time; an ended plan has none. */
const scheduleColumns = (number: string): string => `
      id text not null unique,
      entity_id text not null,
      root_id text not null,
      registration_id text not null,
      payment_type text not null check (payment_type in ('DB', 'PA', 'CD')),
      amount_minor ${number} not null check (amount_minor >= 0),
      currency text not null,
      at ${number} not null,
      state text not null check (state in ('active', 'ended')),
      result_code text not null,
      next_at ${number} check ((next_at is null) = (state = 'ended')),
      ends_at ${number},
      facts text not null`;

/** An unfinished run has the time from which on any gateway may check it; a finished run has none. */
const runColumns = (number: string): string => `
      schedule_id text not null references schedule (id),
      due_at ${number} not null,
      root_id text not null,
      entity_id text not null,
      state text not null check (state in ('claimed', 'waiting', 'done', 'missed')),
      look_at ${number} check ((look_at is null) = (state in ('done', 'missed'))),
      attempts ${number} not null,
      missed ${number} not null,
      payment_id text,
      result_code text,
      why text,
      primary key (schedule_id, due_at)`;

const indexes: Statements = [
  "create index schedule_next on schedule (next_at) where state = 'active'",
  'create index schedule_registration on schedule (registration_id)',
  'create index schedule_chain on schedule (root_id)',
  'create index schedule_run_look on schedule_run (look_at) where look_at is not null',
  'create index schedule_run_chain on schedule_run (root_id, due_at)',
];

export const scheduleSteps: { sqlite: Statements; postgres: Statements } = {
  sqlite: [
    `create table schedule (
      sequence integer primary key autoincrement,${scheduleColumns('integer')}
    ) strict`,
    `create table schedule_run (${runColumns('integer')}
    ) strict`,
    ...indexes,
  ],
  postgres: [
    `create table schedule (
      sequence bigint generated always as identity primary key,${scheduleColumns('bigint')}
    )`,
    `create table schedule_run (${runColumns('bigint')}
    )`,
    ...indexes,
  ],
};
