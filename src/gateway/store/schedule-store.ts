/** Stored schedules and their runs, and the interface of their store. */
import type { Money } from '../../base/money.ts';

/** `nextAt`: when its next run is due, wall time, ms. */
export type Schedule = {
  /** 32 lower-case hex digits. */
  id: string;
  entityId: string;
  /** The first of its chain, or its own id if it is the first: each reschedule adds another. */
  rootId: string;
  registrationId: string;
  /** The type of each run. */
  paymentType: 'DB' | 'PA' | 'CD';
  amount: Money;
  /** Wall time of its request, ms. */
  at: number;
  /** The result of the last operation on it: its creation, its end on request, its end by itself. */
  resultCode: string;
  /** No run is due after this, wall time, ms. Absent: no end. */
  endsAt?: number;
  facts: ScheduleFacts;
} & ({ state: 'active'; nextAt: number } | { state: 'ended'; nextAt?: undefined });

export type ScheduleFacts = {
  requestId: string;
  /** The schedule that this one replaced. */
  referencedId?: string;
  /** Seven Quartz fields separated by single spaces. */
  expression: string;
  /** IANA name of the time zone in which the fields are read. */
  timeZone: string;
  /** The start of its term, wall time, ms. */
  startsAt: number;
  term?: SchedulePeriod;
  notice?: SchedulePeriod & { callable: 'ANYTIME' | 'DURATION_END' };
  /** The parameters as sent that may be stored, by their wire names: `job.month`, `customer.email`. */
  request: Readonly<Record<string, string>>;
  /** The number of consecutive declined runs up to now. */
  declines: number;
  /** Made on a live channel. */
  live?: true;
  /** When notice was given, wall time, ms. */
  noticeAt?: number;
  ended?: { at: number; reason: EndReason; why: string };
  /** The original text of these facts if it could not be read: kept for a repair. */
  unreadable?: string;
};

export type SchedulePeriod = { unit: 'YEAR' | 'MONTH' | 'WEEK' | 'DAY' | 'HOUR' | 'MINUTE' | 'SECOND'; number: number };

/** Why no more runs follow. */
export type EndReason =
  | 'descheduled'
  | 'rescheduled'
  | 'over'
  | 'installments'
  | 'registration'
  | 'declines'
  | 'must not be tried again'
  | 'set aside';

/** One time at which a schedule fell due. */
export type ScheduleRun = {
  scheduleId: string;
  rootId: string;
  entityId: string;
  /** Wall time, ms. Together with the schedule's id it identifies the run. */
  dueAt: number;
  attempts: number;
  /** How many consecutive missed runs this one stands for; 0 for a run that took place. */
  missed: number;
  paymentId?: string;
  resultCode?: string;
  why?: string;
} & (
  | {
      /** claimed: a process is handling it. waiting: its payment has no ending yet. */
      state: 'claimed' | 'waiting';
      /** From then on any process may check it, wall time, ms. */
      lookAt: number;
    }
  | { state: 'done' | 'missed' }
);

/** Selects what is due up to `until` (wall time, ms) for these channels, at most `limit`. */
export type Due = { until: number; entityIds: readonly string[]; limit: number };

export interface ScheduleReader {
  schedule(id: string): Promise<Schedule | undefined>;
  /** All schedules of a chain, oldest first. */
  chain(rootId: string): Promise<readonly Schedule[]>;
  /** The newest schedules of a registration or, without one, of all channels; newest first. */
  schedules(key: { registrationId?: string; limit: number }): Promise<readonly Schedule[]>;
  run(scheduleId: string, dueAt: number): Promise<ScheduleRun | undefined>;
  /** The newest runs of a chain, newest first. */
  runs(key: { rootId: string; limit: number }): Promise<readonly ScheduleRun[]>;
  /** When there is next something to do for these channels, wall time, ms. */
  nextWorkAt(entityIds: readonly string[]): Promise<number | undefined>;
}

export interface ScheduleWriter extends ScheduleReader {
  addSchedule(schedule: Schedule): Promise<void>;
  /** Overwrites state, resultCode, nextAt, endsAt and facts. */
  changeSchedule(schedule: Schedule): Promise<void>;
  addRuns(runs: readonly ScheduleRun[]): Promise<void>;
  /** Overwrites everything. */
  changeRun(run: ScheduleRun): Promise<void>;
  /** Active schedules whose next run is due, the longest overdue first, without those locked by another transaction. */
  due(of: Due): Promise<readonly Schedule[]>;
  /** Runs that need another check, in the same way. */
  neglected(of: Due): Promise<readonly ScheduleRun[]>;
}
