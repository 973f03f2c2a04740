/** Makes the payments that fall due: round by round, many runs at a time, each once even with several gateways. */
import { DAY_MS, MINUTE_MS } from '../../base/clock.ts';
import { codes, isInGroup } from '../../base/result-codes.ts';
import { type BackgroundJob, startRounds } from '../background-jobs.ts';
import type { Channel } from '../channel.ts';
import type { Gateway } from '../payments/endpoint.ts';
import { meaningOf } from '../spec/results.ts';
import type { Payment } from '../store/records.ts';
import type { EndReason, Schedule, ScheduleRun } from '../store/schedule-store.ts';
import { type ClaimedRun, claimDue, claimNeglected, hasPaid, isPaidOff, type ScheduleClaimParts } from './claim.ts';
import { endSchedule } from './ending.ts';
import { carryOut, isUnsent, type RunOutcome } from './run.ts';
import { settingsOf } from './settings.ts';

type RunnerOptions = {
  gateway: Gateway;
  channels: readonly Channel[];
  /** How long a payment waits for its acquirer, ms. */
  patienceMs: number;
  /** Called with the errors of failed runs; they are retried. */
  report: (error: unknown) => void;
};

/** Together they share disk syncs; one that waits for its bank delays few others. */
const AT_ONCE = 64;
const BATCH = 2 * AT_ONCE;
/** Longer than anything a batch can wait for. */
const LEASE_MS_LEAST = 300_000;

/**
 * A gateway that has the data to itself knows the next due time, unless its machine slept; one that shares the data has
 * to look for the changes of others.
 */
const LONGEST_MS = 3_600_000;
const LONGEST_SHARED_MS = 10_000;

/** Makes due runs now, and whenever more fall due, until it is told to end. */
export const runSchedules = (running: RunnerOptions): BackgroundJob => {
  const { gateway, report } = running;
  const { store, clock, scheduleSignal } = gateway;
  const longestMs = store.shared ? LONGEST_SHARED_MS : LONGEST_MS;
  const claimParts = claimingOf(running);
  let isOver = false;
  let isFirstRound = true;
  const job = startRounds({
    clock,
    everyMs: longestMs,
    report,
    async runRound() {
      // With the data to itself, every claim belongs to an earlier process that has ended.
      const includesYoung = isFirstRound && !store.shared;
      await runDue(running, { isOver: () => isOver, anyAge: includesYoung });
      isFirstRound = false;
      const next = await store.schedules.nextWorkAt([...claimParts.channels.keys()]);
      return next === undefined ? longestMs : Math.min(longestMs, next - clock.now());
    },
  });
  const stopListening = scheduleSignal.listen(() => job.wake());
  return {
    wake: () => job.wake(),
    async end() {
      isOver = true;
      stopListening();
      await job.end();
    },
  };
};

const claimingOf = ({ gateway, channels, patienceMs, report }: RunnerOptions): ScheduleClaimParts => ({
  report,
  store: gateway.store,
  channels: new Map(channels.map((channel) => [channel.entityId, channel])),
  leaseMs: Math.max(LEASE_MS_LEAST, 10 * patienceMs),
});

/** `includesYoung`: also takes over young claims. */
type RoundOptions = { isOver: () => boolean; anyAge: boolean };

/** One round: unfinished runs first, then due ones, until there are none. Returns how many runs were made. */
export const runDue = async (running: RunnerOptions, { isOver, anyAge }: RoundOptions): Promise<number> => {
  const claimParts = claimingOf(running);
  const { clock } = running.gateway;
  let doneCount = 0;
  const carryOutRuns = async (runs: readonly ClaimedRun[]): Promise<void> => {
    doneCount += runs.length;
    await runConcurrently(runs, (run) => (isOver() ? Promise.resolve() : carryOutRun(running, claimParts, run)));
  };
  const at = clock.now();
  const until = anyAge ? at + claimParts.leaseMs : at;
  while (!isOver()) {
    const runs = await claimNeglected(claimParts, { at, until, limit: BATCH });
    if (runs.length === 0) break;
    await carryOutRuns(runs);
  }
  while (!isOver()) {
    const { runs, schedules } = await claimDue(claimParts, { at: clock.now(), limit: BATCH });
    await carryOutRuns(runs);
    if (schedules === 0) break;
  }
  return doneCount;
};

/** A failed run stays claimed, and is taken over when its lease is over. */
const carryOutRun = async (
  running: RunnerOptions,
  { channels }: ScheduleClaimParts,
  run: ClaimedRun,
): Promise<void> => {
  const channel = channels.get(run.entityId);
  if (channel === undefined) return;
  try {
    const outcome = await carryOut(running.gateway, channel, run);
    await finishRun(running.gateway, channel, { run, outcome });
  } catch (error) {
    running.report(error);
  }
};

const runConcurrently = async <T>(all: readonly T[], job: (each: T) => Promise<void>): Promise<void> => {
  const remaining = [...all].reverse();
  const runWorker = async (): Promise<void> => {
    for (let each = remaining.pop(); each !== undefined; each = remaining.pop()) await job(each);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, all.length) }, runWorker));
};

// The effect of a run's outcome on the run and its plan, written in one transaction.

/** The registration cannot be charged. */
const UNCHARGEABLE = codes.registrationInvalid;

/** The maximum number of attempts for a run whose payment never reached the acquirer. */
const TRIES_MAX = 5;

/** Does nothing if another process has ended the run meanwhile. */
const finishRun = async (
  gateway: Gateway,
  channel: Channel,
  { run, outcome }: { run: ClaimedRun; outcome: RunOutcome },
): Promise<void> => {
  const at = gateway.clock.now();
  const updatedRun = runAfter(run, outcome, at);
  await gateway.store.transact([], async ({ schedules }) => {
    const current = await schedules.run(run.scheduleId, run.dueAt);
    if (current === undefined || !('lookAt' in current)) return;
    await schedules.changeRun(updatedRun);
    if (updatedRun.state !== 'done') return;
    const schedule = await schedules.schedule(run.scheduleId);
    if (schedule === undefined) return;
    const changed = scheduleAfter(schedule, { channel, outcome, at });
    const isOver =
      hasPaid(updatedRun) && schedule.state === 'active' && (await isPaidOff(schedules, schedule, hasPaid));
    const finalSchedule = isOver ? endSchedule(changed ?? schedule, { at, reason: 'installments' }) : changed;
    if (finalSchedule !== undefined) await schedules.changeSchedule(finalSchedule);
  });
};

const runAfter = ({ lookAt: _, why: __, ...run }: ClaimedRun, outcome: RunOutcome, at: number): ScheduleRun => {
  if (outcome.kind === 'calledOff') {
    return { ...run, state: 'missed', missed: 1, why: 'The plan was ended before it was charged.' };
  }
  if (outcome.kind === 'none') {
    return { ...run, state: 'done', resultCode: UNCHARGEABLE, why: 'The registration can no longer be charged.' };
  }
  const { payment } = outcome;
  const { paymentId: ___, ...unpaid } = run;
  if (isUnsent(payment) && run.attempts < TRIES_MAX) {
    return { ...unpaid, state: 'claimed', lookAt: at + backoffMs(run), why: 'It never reached the acquirer.' };
  }
  const paid = { ...run, paymentId: payment.id };
  if (payment.state === 'done') return { ...paid, state: 'done', resultCode: payment.resultCode };
  return { ...paid, state: 'waiting', lookAt: at + backoffMs(run), why: 'Its payment has no ending yet.' };
};

/** A minute, then twice as long each time, at most a day. */
const backoffMs = ({ attempts }: Pick<ClaimedRun, 'attempts'>): number =>
  Math.min(DAY_MS, MINUTE_MS * 2 ** Math.min(20, attempts - 1));

type RunResult = { channel: Channel; outcome: RunOutcome; at: number };

/** The plan as it continues or ends; undefined if unchanged. An uncertain result is neither a success nor a decline. */
const scheduleAfter = (schedule: Schedule, { channel, outcome, at }: RunResult): Schedule | undefined => {
  const end = (reason: EndReason, facts = schedule.facts): Schedule | undefined =>
    schedule.state === 'ended'
      ? undefined
      : endSchedule({ ...schedule, facts }, { at, reason, resultCode: codeOf(outcome) });
  if (outcome.kind === 'calledOff') return undefined;
  if (outcome.kind === 'none') return end('registration');
  const meaning = meaningOf(codeOf(outcome));
  const { facts } = schedule;
  if (meaning === 'approved')
    return facts.declines === 0 ? undefined : { ...schedule, facts: { ...facts, declines: 0 } };
  if (meaning !== 'declined' && meaning !== 'refused') return undefined;
  const declined = { ...facts, declines: facts.declines + 1 };
  if (isForGood(outcome.payment)) return end('must not be tried again', declined);
  if (declined.declines >= settingsOf(channel).declinesMost) return end('declines', declined);
  return { ...schedule, facts: declined };
};

const codeOf = (outcome: RunOutcome): string =>
  outcome.kind === 'payment' && outcome.payment.state === 'done' ? outcome.payment.resultCode : UNCHARGEABLE;

/**
 * Declines after which the schemes allow no further attempt on the account: invalid, stolen, lost, closed, blocked, to
 * be picked up (Visa's first category of decline reasons), the merchant advice codes 03 (do not try again) and 21 (the
 * cardholder has cancelled it), and the catalogue's group for blocked advice.
 */
const codesForGood: ReadonlySet<string> = new Set([
  codes.cardInvalid,
  codes.cardStolen,
  codes.cardBlocked,
  codes.cardLost,
  codes.pickUpCard,
  codes.accountBlocked,
  codes.registrationCancelled,
]);
const adviceForGood: ReadonlySet<string> = new Set(['03', '21']);

const isForGood = (payment: Payment): boolean => {
  if (payment.state !== 'done') return false;
  const adviceCode = payment.facts.answer?.details['MerchantAdviceCode'];
  const { resultCode } = payment;
  const isAdvised = isInGroup('adviceToStop', resultCode) || isInGroup('adviceCancelled', resultCode);
  return isAdvised || codesForGood.has(resultCode) || adviceForGood.has(adviceCode ?? '');
};
