/** The steps that both engines have in common, each in its dialect. */
import { checkoutBoundSteps, checkoutSteps } from '../checkout/store/steps.ts';
import { shortIdByTimeStep, shortIdSteps } from '../payments/short-id.ts';
import { settlementSteps, settlingChannelSteps } from '../reports/store/settlement-steps.ts';
import { scheduleSteps } from '../schedules/store/steps.ts';
import { contractStep, type MigrationStep, reachStep, type Statements } from '../store/migrate.ts';
import { notificationSteps, scheduleEventSteps, webhookSteps } from '../webhooks/store/steps.ts';

type Engine = 'sqlite' | 'postgres';

const types = {
  sqlite: { whole: 'integer', counting: 'integer primary key autoincrement', end: ' strict' },
  postgres: { whole: 'bigint', counting: 'bigint generated always as identity primary key', end: '' },
} as const;

export const registrationTable = (engine: Engine): Statements => {
  const { whole, counting, end } = types[engine];
  return [
    `create table registration (
      sequence ${counting},
      id text not null unique,
      entity_id text not null,
      payment_method text not null,
      payment_brand text not null,
      at ${whole} not null,
      kept_until ${whole} not null,
      state text not null check (state in ('active', 'deleted')),
      key_id text check ((key_id is null) = (state = 'deleted')),
      wrapped_key text check ((wrapped_key is null) = (state = 'deleted')),
      box text check ((box is null) = (state = 'deleted')),
      account_hash text not null,
      facts text not null
    )${end}`,
    "create index registration_account on registration (entity_id, account_hash) where state = 'active'",
    "create index registration_key on registration (key_id) where state = 'active'",
    "create index registration_time on registration (kept_until) where state = 'active'",
  ];
};

/** All steps of an engine, after its first ones. */
export const stepsFrom = (first: readonly Statements[], engine: Engine): readonly MigrationStep[] => {
  const contracts = [
    ...first,
    checkoutSteps[engine],
    webhookSteps[engine],
    scheduleSteps[engine],
    settlementSteps[engine],
    scheduleEventSteps[engine],
    settlingChannelSteps[engine],
    checkoutBoundSteps[engine],
  ].map(contractStep);
  return [...contracts, reachStep, shortIdSteps[engine], notificationSteps[engine], shortIdByTimeStep];
};
