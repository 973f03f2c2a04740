/** Schedules and their runs: what is kept of them, and the interface of whatever keeps them. */
import type { Money } from '../../base/money.ts';

/** `nextAt`: when its next run is due, wall time, ms. */
export type Schedule = {
  /** 32 lower-case hex digits. */
  id: string;
  entityId: string;
  /** The first of its chain, its own id if it is that one: each reschedule adds another. */
  rootId: string;
  registrationId: string;
  /** What each run is. */
  paymentType: 'DB' | 'PA' | 'CD';
  amount: Money;
  /** Wall time of its request, ms. */
  at: number;
  /** Of the last thing that was done about it: set up, ended by somebody, ended by itself. */
  resultCode: string;
  /** No run is due after this, wall time, ms. Absent: for ever. */
  endsAt?: number;
  facts: ScheduleFacts;
} & ({ state: 'active'; nextAt: number } | { state: 'ended'; nextAt?: undefined });

export type ScheduleFacts = {
  requestId: string;
  /** The schedule that this one took the place of. */
  referencedId?: string;
  /** Seven Quartz fields with single spaces. */
  expression: string;
  /** IANA name: whose clock the fields are read by. */
  timeZone: string;
  /** When its term begins, wall time, ms. */
  startsAt: number;
  term?: SchedulePeriod;
  notice?: SchedulePeriod & { callable: 'ANYTIME' | 'DURATION_END' };
  /** What was sent and may be kept, under its wire names: `job.month`, `customer.email`. */
  request: Readonly<Record<string, string>>;
  /** Runs that were declined, one after another, up to now. */
  declines: number;
  /** Made on a live channel. */
  live?: true;
  /** When notice was given, wall time, ms. */
  noticeAt?: number;
  ended?: { at: number; reason: EndReason; why: string };
  /** What stood in the place of these facts, where it could not be read: kept for whoever repairs it. */
  unreadable?: string;
};

export type SchedulePeriod = { unit: 'YEAR' | 'MONTH' | 'WEEK' | 'DAY' | 'HOUR' | 'MINUTE' | 'SECOND'; number: number };

/** Why no more runs come. */
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
  /** Wall time, ms. With the schedule's id it names the run. */
  dueAt: number;
  /** How often it was taken up. */
  attempts: number;
  /** How many times in a row this stands for, of those that were missed: 0 for a run that took place. */
  missed: number;
  paymentId?: string;
  resultCode?: string;
  why?: string;
} & (
  | {
      /** claimed: somebody is at it. waiting: its payment has no ending yet. */
      state: 'claimed' | 'waiting';
      /** From then on anybody may look after it, wall time, ms. */
      lookAt: number;
    }
  | { state: 'done' | 'missed' }
);

/** What fell due until then (wall time, ms) for these channels, at most so many. */
export type Due = { until: number; entityIds: readonly string[]; limit: number };

export interface ScheduleReader {
  schedule(id: string): Promise<Schedule | undefined>;
  /** All of a chain, oldest first. */
  chain(rootId: string): Promise<readonly Schedule[]>;
  /** The newest of a registration or, without one, of all channels; newest first. */
  schedules(of: { registrationId?: string; limit: number }): Promise<readonly Schedule[]>;
  run(scheduleId: string, dueAt: number): Promise<ScheduleRun | undefined>;
  /** The newest runs of a chain, newest first. */
  runs(of: { rootId: string; limit: number }): Promise<readonly ScheduleRun[]>;
  /** When there is next something to do for these channels, wall time, ms. */
  nextWork(entityIds: readonly string[]): Promise<number | undefined>;
}

export interface ScheduleWriter extends ScheduleReader {
  addSchedule(schedule: Schedule): Promise<void>;
  /** Writes state, resultCode, nextAt, endsAt and facts anew. */
  changeSchedule(schedule: Schedule): Promise<void>;
  addRuns(runs: readonly ScheduleRun[]): Promise<void>;
  /** Writes everything anew. */
  changeRun(run: ScheduleRun): Promise<void>;
  /** Active ones whose next run is due, the longest overdue first; those that another transaction holds left out. */
  due(of: Due): Promise<readonly Schedule[]>;
  /** Runs that somebody should look after, in the same way. */
  neglected(of: Due): Promise<readonly ScheduleRun[]>;
}
