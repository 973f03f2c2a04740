/** The columns of schedules and of their runs. */
import type { Generated } from 'kysely';

export type ScheduleTables = { schedule: ScheduleTable; schedule_run: ScheduleRunTable };

export type ScheduleTable = {
  sequence: Generated<bigint>;
  id: string;
  entity_id: string;
  root_id: string;
  registration_id: string;
  payment_type: string;
  amount_minor: bigint;
  currency: string;
  at: bigint;
  state: 'active' | 'ended';
  result_code: string;
  next_at: bigint | null;
  ends_at: bigint | null;
  facts: string;
};

export type ScheduleRunTable = {
  schedule_id: string;
  due_at: bigint;
  root_id: string;
  entity_id: string;
  state: 'claimed' | 'waiting' | 'done' | 'missed';
  look_at: bigint | null;
  attempts: bigint;
  missed: bigint;
  payment_id: string | null;
  result_code: string | null;
  why: string | null;
};
