/**
 * The runs to be made now. A run is claimed, and its schedule advanced to the next due time, in one transaction: one of
 * several gateways claims it, and after a crash the claim is taken over.
 */
import { dateTime, HOUR_MS } from '../../base/clock.ts';
import { errorText, Fault } from '../../base/fault.ts';
import type { Channel } from '../channel.ts';
import { meaningOf } from '../spec/results.ts';
import type { Schedule, ScheduleRun, ScheduleWriter } from '../store/schedule-store.ts';
import type { Store } from '../store/store.ts';
import { type Calendar, calendarOf } from './calendar.ts';
import { type ActiveSchedule, endSchedule, withNextRun } from './ending.ts';
import { settingsOf } from './settings.ts';

export type ClaimedRun = Extract<ScheduleRun, { lookAt: number }>;

export type ScheduleClaimParts = {
  store: Store;
  /** The served channels, by entityId. */
  channels: ReadonlyMap<string, Channel>;
  /** How long a claim belongs to the process that made it, ms. */
  leaseMs: number;
  /** Called with the error of each suspended plan. */
  report: (error: unknown) => void;
};

type ClaimLimit = { at: number; limit: number };

/** Claims runs that fell due up to this moment (wall time, ms), for at most `limit` schedules at a time. */
export const claimDue = async (
  { store, channels, leaseMs, report }: ScheduleClaimParts,
  { at, limit }: ClaimLimit,
): Promise<{ runs: readonly ClaimedRun[]; schedules: number }> =>
  store.transact([], async ({ schedules }) => {
    const dueSchedules = await schedules.due({ until: at, entityIds: [...channels.keys()], limit });
    const runs: ScheduleRun[] = [];
    for (const schedule of dueSchedules) {
      const channel = channels.get(schedule.entityId);
      if (schedule.state !== 'active' || channel === undefined) continue;
      runs.push(...(await claimOne(schedules, schedule, { at, leaseMs, channel, report })));
    }
    await schedules.addRuns(runs);
    return { runs: runs.filter((run): run is ClaimedRun => run.state === 'claimed'), schedules: dueSchedules.length };
  });

type ClaimContext = { at: number; leaseMs: number; channel: Channel; report: ScheduleClaimParts['report'] };

const claimOne = async (
  schedules: ScheduleWriter,
  schedule: ActiveSchedule,
  context: ClaimContext,
): Promise<readonly ScheduleRun[]> => {
  const { at } = context;
  if (await isPaidOff(schedules, schedule)) {
    await schedules.changeSchedule(endSchedule(schedule, { at, reason: 'installments' }));
    return [];
  }
  const advanced = advanceSchedule(schedule, context);
  await schedules.changeSchedule(advanced.schedule);
  return advanced.runs;
};

/**
 * The plan after its advance, and its runs. If this machine cannot compute its due times, because it does not know the
 * time zone or the row is damaged, the plan is suspended: guessing would charge at the wrong time, and failing would
 * stop all other plans.
 */
const advanceSchedule = (
  schedule: ActiveSchedule,
  context: ClaimContext,
): { schedule: Schedule; runs: readonly ScheduleRun[] } => {
  const { at, report } = context;
  const { expression, timeZone } = schedule.facts;
  try {
    const calendar = calendarOf(expression, timeZone);
    return { schedule: withNextRun(schedule, calendar.nextAfter(at), at), runs: runsOf(schedule, calendar, context) };
  } catch (error) {
    report(new Fault('schedule.aside', { id: schedule.id, why: errorText(error) }, error));
    return { schedule: endSchedule(schedule, { at, reason: 'set aside' }), runs: [] };
  }
};

/** Whether all installments of the whole chain were charged, or may have been. */
export const isPaidOff = async (
  schedules: ScheduleWriter,
  { rootId, facts }: Schedule,
  counts = mayHavePaid,
): Promise<boolean> => {
  const installmentCount = facts.request['standingInstruction.numberOfInstallments'];
  if (installmentCount === undefined || facts.request['standingInstruction.type'] !== 'INSTALLMENT') return false;
  const runs = await schedules.runs({ rootId, limit: RUNS_MAX });
  return runs.filter(counts).length >= Number(installmentCount);
};

/** More than any number of installments (N3), with the maximum number of declines between every two of them. */
const RUNS_MAX = 100_000;

/** Whether the run was certainly paid. */
export const hasPaid = (run: ScheduleRun): boolean =>
  run.state === 'done' && meaningOf(run.resultCode ?? '') === 'approved';

const mayHavePaid = (run: ScheduleRun): boolean => {
  if (run.state === 'missed') return false;
  return run.state !== 'done' || ['approved', 'unknown'].includes(meaningOf(run.resultCode ?? ''));
};

/** The latest due run, if it is not too late for it; and one line about all runs missed before. */
const runsOf = (schedule: ActiveSchedule, calendar: Calendar, { at, leaseMs, channel }: ClaimContext) => {
  const { nextAt: dueSchedules, endsAt, id: scheduleId, rootId, entityId } = schedule;
  const run = { scheduleId, rootId, entityId, missed: 0 };
  const latest = calendar.lastBefore(Math.min(at, endsAt ?? at), dueSchedules) ?? dueSchedules;
  const { catchUpHours } = settingsOf(channel);
  const isTooLate = at - latest > catchUpHours * HOUR_MS;
  const missed = countBefore(calendar, dueSchedules, latest) + (isTooLate ? 1 : 0);
  const missedText = missed > COUNT_MAX ? `more than ${COUNT_MAX}` : missed;
  const reason = `Missed while no gateway was running: ${missedText} due until ${dateTime(latest)}.`;
  const runs: ScheduleRun[] = [];
  if (missed > 0) runs.push({ ...run, dueAt: dueSchedules, state: 'missed', attempts: 0, missed, why: reason });
  if (!isTooLate) runs.push({ ...run, dueAt: latest, state: 'claimed', attempts: 1, lookAt: at + leaseMs });
  return runs;
};

const COUNT_MAX = 1000;

/** How many runs fell due from `from` on, before `before`; counted only up to COUNT_MAX. */
const countBefore = (calendar: Calendar, from: number, before: number): number => {
  let count = 0;
  for (let at: number | undefined = from; at !== undefined && at < before; at = calendar.nextAfter(at)) {
    count += 1;
    if (count > COUNT_MAX) break;
  }
  return count;
};

/**
 * Takes over runs that were due for another check before `until`, because their claim was abandoned or their payment
 * had no ending, and keeps others away for another lease. Wall time, ms; `until` is at most a lease away.
 */
export const claimNeglected = (
  { store, channels, leaseMs }: ScheduleClaimParts,
  { at, until, limit }: ClaimLimit & { until: number },
): Promise<readonly ClaimedRun[]> =>
  store.transact([], async ({ schedules }) => {
    const found = await schedules.neglected({ until, entityIds: [...channels.keys()], limit });
    const reclaimed = found
      .filter((run): run is ClaimedRun => 'lookAt' in run)
      .map((run) => ({ ...run, attempts: run.attempts + 1, lookAt: at + leaseMs + 1 }));
    for (const run of reclaimed) await schedules.changeRun(run);
    return reclaimed;
  });
