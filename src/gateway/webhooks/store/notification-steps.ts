/** Calls of notificationUrl that nobody has taken yet. What is taken, or given up, is no row any more. */
import type { MigrationStep, Statements } from '../../store/migrate.ts';

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

export const notificationSteps: Readonly<Record<'sqlite' | 'postgres', MigrationStep>> = {
  sqlite: { kind: 'expands', statements: notifications('integer', ' strict, without rowid') },
  postgres: { kind: 'expands', statements: notifications('bigint', '') },
};
