/** Schedules and runs as rows of their tables, and back. */
import type { Selectable } from 'kysely';
import { money } from '../../../base/money.ts';
import { factsText } from '../../store/facts-text.ts';
import type { Schedule, ScheduleFacts, ScheduleRun } from '../../store/schedule-store.ts';
import type { ScheduleRunTable, ScheduleTable } from '../../store/schema.ts';

type ScheduleRow = Selectable<ScheduleTable>;
export type NewScheduleRow = Omit<ScheduleRow, 'sequence'>;
export type NewRunRow = Selectable<ScheduleRunTable>;

export const scheduleRow = (schedule: Schedule): NewScheduleRow => ({
  id: schedule.id,
  entity_id: schedule.entityId,
  root_id: schedule.rootId,
  registration_id: schedule.registrationId,
  payment_type: schedule.paymentType,
  amount_minor: schedule.amount.minor,
  currency: schedule.amount.currency,
  at: BigInt(schedule.at),
  state: schedule.state,
  result_code: schedule.resultCode,
  next_at: schedule.state === 'active' ? BigInt(schedule.nextAt) : null,
  ends_at: schedule.endsAt === undefined ? null : BigInt(schedule.endsAt),
  facts: factsText(schedule.facts),
});

// Rows are trusted: the tables' own checks let nothing else in.
export const toSchedule = (row: ScheduleRow): Schedule => ({
  id: row.id,
  entityId: row.entity_id,
  rootId: row.root_id,
  registrationId: row.registration_id,
  paymentType: row.payment_type as Schedule['paymentType'],
  amount: money(row.amount_minor, row.currency),
  at: Number(row.at),
  resultCode: row.result_code,
  endsAt: row.ends_at === null ? undefined : Number(row.ends_at),
  facts: factsOf(row.facts),
  ...(row.next_at === null ? { state: 'ended' } : { state: 'active', nextAt: Number(row.next_at) }),
});

/** One damaged plan must not keep all others from being read; nothing can be done by it, and nothing of it is lost. */
const factsOf = (text: string): ScheduleFacts => {
  try {
    return JSON.parse(text) as ScheduleFacts;
  } catch {
    const nothing = { requestId: '', expression: '', timeZone: '', startsAt: 0, request: {}, declines: 0 };
    return { ...nothing, unreadable: text };
  }
};

export const runRow = (run: ScheduleRun): NewRunRow => ({
  schedule_id: run.scheduleId,
  due_at: BigInt(run.dueAt),
  root_id: run.rootId,
  entity_id: run.entityId,
  state: run.state,
  look_at: 'lookAt' in run ? BigInt(run.lookAt) : null,
  attempts: BigInt(run.attempts),
  missed: BigInt(run.missed),
  payment_id: run.paymentId ?? null,
  result_code: run.resultCode ?? null,
  why: run.why ?? null,
});

export const toRun = (row: NewRunRow): ScheduleRun => ({
  scheduleId: row.schedule_id,
  dueAt: Number(row.due_at),
  rootId: row.root_id,
  entityId: row.entity_id,
  attempts: Number(row.attempts),
  missed: Number(row.missed),
  paymentId: row.payment_id ?? undefined,
  resultCode: row.result_code ?? undefined,
  why: row.why ?? undefined,
  ...(row.look_at === null
    ? { state: row.state as 'done' | 'missed' }
    : { state: row.state as 'claimed' | 'waiting', lookAt: Number(row.look_at) }),
});
