/**
 * Which runs are to be done now. A run is claimed, and its schedule put forward to its next time, in one transaction:
 * of several gateways one claims it, and a crash afterwards leaves a claim that somebody takes up again.
 */
import { dateTime, HOUR_MS } from '../../base/clock.ts';
import { Fault, wordsOf } from '../../base/fault.ts';
import type { Channel } from '../channel.ts';
import { meaningOf } from '../spec/results.ts';
import type { Schedule, ScheduleRun, ScheduleWriter } from '../store/schedule-store.ts';
import type { Store } from '../store/store.ts';
import { type Calendar, calendarOf } from './calendar.ts';
import { type ActiveSchedule, comingAt, endedSchedule } from './ending.ts';
import { settingsOf } from './settings.ts';

export type Claimed = Extract<ScheduleRun, { lookAt: number }>;

export type Claiming = {
  store: Store;
  /** By entityId: who is served here. */
  channels: ReadonlyMap<string, Channel>;
  /** How long a claim is left to whoever made it, ms. */
  leaseMs: number;
  /** Hears of plans that were set aside. */
  report: (error: unknown) => void;
};

type ClaimLimit = { at: number; limit: number };

/** Claims runs that fell due up to this moment (wall time, ms); at most so many schedules at a time. */
export const claimDue = async (
  { store, channels, leaseMs, report }: Claiming,
  { at, limit }: ClaimLimit,
): Promise<{ runs: readonly Claimed[]; schedules: number }> =>
  store.atomically([], async ({ schedules }) => {
    const due = await schedules.due({ until: at, entityIds: [...channels.keys()], limit });
    const runs: ScheduleRun[] = [];
    for (const schedule of due) {
      const channel = channels.get(schedule.entityId);
      if (schedule.state !== 'active' || channel === undefined) continue;
      runs.push(...(await claimOne(schedules, schedule, { at, leaseMs, channel, report })));
    }
    await schedules.addRuns(runs);
    return { runs: runs.filter((run): run is Claimed => run.state === 'claimed'), schedules: due.length };
  });

type Here = { at: number; leaseMs: number; channel: Channel; report: Claiming['report'] };

const claimOne = async (
  schedules: ScheduleWriter,
  schedule: ActiveSchedule,
  here: Here,
): Promise<readonly ScheduleRun[]> => {
  const { at } = here;
  if (await isPaidOff(schedules, schedule)) {
    await schedules.changeSchedule(endedSchedule(schedule, { at, reason: 'installments' }));
    return [];
  }
  const worked = workedOut(schedule, here);
  await schedules.changeSchedule(worked.schedule);
  return worked.runs;
};

/**
 * The plan put forward, and its runs. One whose calendar this machine cannot work out, for it does not know the time
 * zone or the row is damaged, is set aside: guessing would charge at the wrong time, and failing would stop all others.
 */
const workedOut = (schedule: ActiveSchedule, here: Here): { schedule: Schedule; runs: readonly ScheduleRun[] } => {
  const { at, report } = here;
  const { expression, timeZone } = schedule.facts;
  try {
    const calendar = calendarOf(expression, timeZone);
    return { schedule: comingAt(schedule, calendar.after(at), at), runs: runsOf(schedule, calendar, here) };
  } catch (error) {
    report(new Fault('schedule.aside', { id: schedule.id, why: wordsOf(error) }, error));
    return { schedule: endedSchedule(schedule, { at, reason: 'set aside' }), runs: [] };
  }
};

/** Whether as many runs as there are installments were done, or may have been: of the whole chain. */
export const isPaidOff = async (
  schedules: ScheduleWriter,
  { rootId, facts }: Schedule,
  counts = mayHavePaid,
): Promise<boolean> => {
  const most = facts.request['standingInstruction.numberOfInstallments'];
  if (most === undefined || facts.request['standingInstruction.type'] !== 'INSTALLMENT') return false;
  const runs = await schedules.runs({ rootId, limit: RUNS_MAX });
  return runs.filter(counts).length >= Number(most);
};

/** More than any number of installments (N3), with as many declined between two of them as a channel allows. */
const RUNS_MAX = 100_000;

/** The same, but for certain. */
export const hasPaid = (run: ScheduleRun): boolean =>
  run.state === 'done' && meaningOf(run.resultCode ?? '') === 'approved';

const mayHavePaid = (run: ScheduleRun): boolean => {
  if (run.state === 'missed') return false;
  return run.state !== 'done' || ['approved', 'unknown'].includes(meaningOf(run.resultCode ?? ''));
};

/** The latest of what fell due, if it is not too late for it; and one word about all that was missed before. */
const runsOf = (schedule: ActiveSchedule, calendar: Calendar, { at, leaseMs, channel }: Here) => {
  const { nextAt: due, endsAt, id: scheduleId, rootId, entityId } = schedule;
  const run = { scheduleId, rootId, entityId, missed: 0 };
  const latest = calendar.before(Math.min(at, endsAt ?? at), due) ?? due;
  const { catchUpHours } = settingsOf(channel);
  const isTooLate = at - latest > catchUpHours * HOUR_MS;
  const missed = countBefore(calendar, due, latest) + (isTooLate ? 1 : 0);
  const many = missed > COUNT_MAX ? `more than ${COUNT_MAX}` : missed;
  const why = `Missed while no gateway ran: ${many} due until ${dateTime(latest)}.`;
  const runs: ScheduleRun[] = [];
  if (missed > 0) runs.push({ ...run, dueAt: due, state: 'missed', attempts: 0, missed, why });
  if (!isTooLate) runs.push({ ...run, dueAt: latest, state: 'claimed', attempts: 1, lookAt: at + leaseMs });
  return runs;
};

const COUNT_MAX = 1000;

/** How many fell due from this one on, before that one; not counted further than anybody reads. */
const countBefore = (calendar: Calendar, from: number, before: number): number => {
  let count = 0;
  for (let at: number | undefined = from; at !== undefined && at < before; at = calendar.after(at)) {
    count += 1;
    if (count > COUNT_MAX) break;
  }
  return count;
};

/**
 * Takes up runs that should have been looked after up to `until`, for their claim was left or their payment had no
 * ending, and keeps others away for another while. Both wall time, ms, `until` at most a lease away.
 */
export const claimNeglected = (
  { store, channels, leaseMs }: Claiming,
  { at, until, limit }: ClaimLimit & { until: number },
): Promise<readonly Claimed[]> =>
  store.atomically([], async ({ schedules }) => {
    const found = await schedules.neglected({ until, entityIds: [...channels.keys()], limit });
    const taken = found
      .filter((run): run is Claimed => 'lookAt' in run)
      .map((run) => ({ ...run, attempts: run.attempts + 1, lookAt: at + leaseMs + 1 }));
    for (const run of taken) await schedules.changeRun(run);
    return taken;
  });
