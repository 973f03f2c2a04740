/**
 * The tables of webhooks on both engines. Triggers write the events, in the transaction of the change: no code that
 * changes a payment, a registration or a schedule can forget one, and a rolled back change leaves none.
 */
import type { MigrationStep, Statements } from '../../store/migrate.ts';

type Dialect = {
  /** A 64-bit integer. */
  whole: string;
  /** The key that counts up. */
  counting: string;
  end: string;
  /** A new id of 32 hex digits. */
  id: string;
  object: (pairs: string) => string;
  /** A member of the facts, null if there is none. */
  fact: (row: string, name: string) => string;
  /**
   * The facts without data that a snapshot must not keep alive: an encrypted account is destroyed with its
   * registration.
   */
  facts: (row: string) => string;
  trigger: (trigger: Trigger) => readonly string[];
};

type Trigger = { name: string; on: string; event: string; when?: string; entity: string; inserts: readonly string[] };

/** Facts of a payment that contain encrypted data. */
const SEALED = ['stores', 'waiting', 'sealed'] as const;
const sealedNames = SEALED.map((name) => `'${name}'`).join(', ');

const sqlite: Dialect = {
  whole: 'integer',
  counting: 'integer primary key autoincrement',
  end: ' strict',
  id: 'lower(hex(randomblob(16)))',
  object: (pairs) => `json_object(${pairs})`,
  fact: (row, name) => `json_extract(${row}.facts, '$.${name}')`,
  // Converted to text again: otherwise it would be an object in the snapshot.
  facts: (row) => `(json_remove(${row}.facts, ${SEALED.map((name) => `'$.${name}'`).join(', ')}) || '')`,
  trigger: ({ name, on, event, when, entity, inserts }) => [
    `create trigger ${name} after ${event} on ${on}
      when exists (select 1 from webhook where entity_id = ${entity} and state = 'active')
        ${when === undefined ? '' : `and ${when}`}
      begin ${inserts.join('; ')}; end`,
  ],
};

const postgres: Dialect = {
  whole: 'bigint',
  counting: 'bigint generated always as identity primary key',
  end: '',
  id: "replace(gen_random_uuid()::text, '-', '')",
  object: (pairs) => `json_build_object(${pairs})::text`,
  fact: (row, name) => `(${row}.facts::json -> '${name}')`,
  // Facts unchanged wherever possible: removing a member changes the order of the others.
  facts: (row) => `case when ${row}.facts::jsonb ?| array[${sealedNames}]
        then (${row}.facts::jsonb - array[${sealedNames}])::text else ${row}.facts end`,
  trigger: ({ name, on, event, when, entity, inserts }) => [
    `create function ${name}() returns trigger language plpgsql as $$ begin
      if exists (select from webhook where entity_id = ${entity} and state = 'active')
        ${when === undefined ? '' : `and ${when}`}
      then ${inserts.join('; ')}; end if;
      return null; end $$`,
    `create trigger ${name} after ${event} on ${on} for each row execute function ${name}()`,
  ],
};

const createTables = ({ whole, counting, end }: Dialect): Statements => [
  `create table webhook (
      id text primary key,
      entity_id text not null,
      name text,
      url text not null,
      types text not null,
      fields text not null check (fields in ('ALL', 'NON_CUSTOMER_DATA')),
      wrapper text not null check (wrapper in ('RAW', 'JSON')),
      state text not null check (state in ('inactive', 'active', 'removed')),
      at ${whole} not null,
      secret text check ((secret is null) = (state = 'removed')),
      next_secret text,
      next_from ${whole} check ((next_from is null) = (next_secret is null)),
      failures ${whole} not null,
      retry_at ${whole} not null,
      last_number ${whole} not null,
      lease_holder text,
      lease_until ${whole} not null
    )${end}`,
  'create index webhook_entity on webhook (entity_id, at)',
  `create table webhook_event (
      sequence ${counting},
      webhook_id text not null,
      id text not null unique,
      type text not null,
      action text,
      subject text not null,
      snapshot text not null,
      state text not null check (state in ('new', 'waiting', 'delivered', 'dead')),
      number ${whole} check ((number is null) = (state = 'new')),
      at ${whole} check ((at is null) = (state = 'new')),
      due_at ${whole} check ((due_at is null) = (state <> 'waiting')),
      gives_up_at ${whole},
      attempts ${whole} not null,
      ended_at ${whole} check ((ended_at is null) = (state in ('new', 'waiting')))
    )${end}`,
  "create index webhook_event_new on webhook_event (webhook_id, sequence) where state = 'new'",
  "create index webhook_event_due on webhook_event (webhook_id, due_at, number) where state = 'waiting'",
  "create index webhook_event_ended on webhook_event (state, ended_at) where state in ('delivered', 'dead')",
  'create index webhook_event_number on webhook_event (webhook_id, number) where number is not null',
  `create table webhook_attempt (
      sequence ${counting},
      webhook_id text not null,
      event_id text not null,
      number ${whole} not null,
      attempt ${whole} not null,
      at ${whole} not null,
      duration_ms ${whole} not null,
      status ${whole},
      fault text,
      why text,
      check ((status is null) = (fault is not null))
    )${end}`,
  'create index webhook_attempt_url on webhook_attempt (webhook_id, sequence)',
  'create index webhook_attempt_event on webhook_attempt (event_id, sequence)',
];

type Event = { type: string; action?: string; snapshot: string; when?: string };

const insertEvent = (dialect: Dialect, { type, action, snapshot, when }: Event): string =>
  `insert into webhook_event (webhook_id, id, type, action, subject, snapshot, state, attempts)
    select id, ${dialect.id}, '${type}', ${action ?? 'null'}, new.id, ${snapshot}, 'new', 0 from webhook
    where entity_id = new.entity_id and state = 'active' and types like '%${type}%'
      ${when === undefined ? '' : `and ${when}`}`;

const jsonMembers = (row: string, names: readonly string[]): string =>
  names.map((name) => `'${name}', ${row}.${name}`).join(', ');
/** JSON has no 64-bit integers. */
const jsonTexts = (row: string, names: readonly string[]): string =>
  names.map((name) => `'${name}', cast(${row}.${name} as text)`).join(', ');

const payments = (dialect: Dialect): Statements => {
  const { fact } = dialect;
  const columns = ['id', 'entity_id', 'payment_type', 'payment_method', 'currency', 'short_id', 'root_id', 'state'];
  const optionalColumns = ['merchant_transaction_id', 'referenced_id', 'registration_id', 'result_code'];
  const snapshotFields = `${jsonMembers('new', [...columns, ...optionalColumns])}, ${jsonTexts('new', ['amount_minor', 'at'])}`;
  const snapshot = dialect.object(`${snapshotFields}, 'facts', ${dialect.facts('new')}`);
  const text = `(new.state = 'done' or ${fact('new', 'answer')} is not null)`;
  // Once when the shopper is redirected, and once when the payment ends.
  const news = `(new.state = 'done' or (${fact('new', 'answer')} is not null and ${fact('old', 'answer')} is null))`;
  const on = { on: 'payment', entity: 'new.entity_id' };
  return [
    ...dialect.trigger({
      ...on,
      name: 'webhook_payment_added',
      event: 'insert',
      inserts: [
        insertEvent(dialect, { type: 'RISK', snapshot, when: `${fact('new', 'riskScore')} is not null` }),
        insertEvent(dialect, { type: 'PAYMENT', snapshot, when: text }),
      ],
    }),
    ...dialect.trigger({
      ...on,
      name: 'webhook_payment_changed',
      event: 'update',
      when: `old.state = 'processing' and ${news}`,
      inserts: [insertEvent(dialect, { type: 'PAYMENT', snapshot })],
    }),
  ];
};

/** Two triggers: for a row that was added, and for one that changed in this way. */
const triggersOnChange = (dialect: Dialect, on: string, { when, ...event }: Event & { when: string }): Statements => [
  ...dialect.trigger({
    on,
    entity: 'new.entity_id',
    name: `webhook_${on}_added`,
    event: 'insert',
    inserts: [insertEvent(dialect, { ...event, action: "'CREATED'" })],
  }),
  ...dialect.trigger({
    on,
    entity: 'new.entity_id',
    name: `webhook_${on}_changed`,
    event: 'update',
    when,
    inserts: [insertEvent(dialect, event)],
  }),
];

const registrations = (dialect: Dialect): Statements => {
  const columns = ['id', 'entity_id', 'payment_method', 'payment_brand', 'state', 'facts'];
  return triggersOnChange(dialect, 'registration', {
    type: 'REGISTRATION',
    action: "case when new.state = 'deleted' then 'DELETED' else 'UPDATED' end",
    snapshot: dialect.object(`${jsonMembers('new', columns)}, ${jsonTexts('new', ['at', 'kept_until'])}`),
    // A re-wrapped key is no event.
    when: '(new.state <> old.state or new.kept_until <> old.kept_until or new.facts <> old.facts)',
  });
};

const schedules = (dialect: Dialect): Statements => {
  const columns = ['id', 'entity_id', 'root_id', 'registration_id', 'payment_type', 'currency', 'state', 'result_code'];
  const times = ['amount_minor', 'at', 'next_at', 'ends_at'];
  return triggersOnChange(dialect, 'schedule', {
    type: 'SCHEDULE',
    action: "'DELETED'",
    snapshot: dialect.object(`${jsonMembers('new', [...columns, 'facts'])}, ${jsonTexts('new', times)}`),
    when: 'new.state <> old.state',
  });
};

const stepsOf = (dialect: Dialect): Statements => [
  ...createTables(dialect),
  ...payments(dialect),
  ...registrations(dialect),
];

export const webhookSteps: { sqlite: Statements; postgres: Statements } = {
  sqlite: stepsOf(sqlite),
  postgres: stepsOf(postgres),
};

/** After the tables of schedules. */
export const scheduleEventSteps: { sqlite: Statements; postgres: Statements } = {
  sqlite: schedules(sqlite),
  postgres: schedules(postgres),
};

const notifications = (whole: string, ends: string): Statements => [
  `create table notification_call (
      id text primary key,
      entity_id text not null,
      url text not null,
      payment_id text,
      due_at ${whole} not null,
      gives_up_at ${whole} not null,
      attempts ${whole} not null
    )${ends}`,
  'create index notification_call_due on notification_call (due_at)',
];

/** Calls of notificationUrl that were not accepted yet. An accepted or abandoned call has no row. */
export const notificationSteps: Readonly<Record<'sqlite' | 'postgres', MigrationStep>> = {
  sqlite: { kind: 'expands', statements: notifications('integer', ' strict, without rowid') },
  postgres: { kind: 'expands', statements: notifications('bigint', '') },
};
