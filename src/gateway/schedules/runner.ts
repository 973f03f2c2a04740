/** Makes the payments that fall due: round by round, many runs at a time, each once even with several gateways. */
import { DAY_MS, MINUTE_MS } from '../../base/clock.ts';
import { codes, isOf } from '../../base/result-codes.ts';
import { type BackgroundJob, rounds } from '../background-jobs.ts';
import type { Channel } from '../channel.ts';
import type { Gateway } from '../payments/endpoint.ts';
import { meaningOf } from '../spec/results.ts';
import type { Payment } from '../store/records.ts';
import type { EndReason, Schedule, ScheduleRun } from '../store/schedule-store.ts';
import { type ClaimedRun, claimDue, claimNeglected, hasPaid, isPaidOff, type ScheduleClaimParts } from './claim.ts';
import { endedSchedule } from './ending.ts';
import { carryOut, isUnsent, type RunOutcome } from './run.ts';
import { settingsOf } from './settings.ts';

type Running = {
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
 * A gateway that has the data to itself knows the next due time, unless its machine slept; others' changes it must look
 * for.
 */
const LONGEST_MS = 3_600_000;
const LONGEST_SHARED_MS = 10_000;

/** Makes due runs now, and whenever more fall due, until it is told to end. */
export const runSchedules = (running: Running): BackgroundJob => {
  const { gateway, report } = running;
  const { store, clock, scheduleSignal } = gateway;
  const longestMs = store.shared ? LONGEST_SHARED_MS : LONGEST_MS;
  const claiming = claimingOf(running);
  let isOver = false;
  let first = true;
  const work = rounds({
    clock,
    everyMs: longestMs,
    report,
    async round() {
      // With the data to itself, every claim belongs to an earlier process that has ended.
      const anyAge = first && !store.shared;
      await runDue(running, { isOver: () => isOver, anyAge });
      first = false;
      const next = await store.schedules.nextWork([...claiming.channels.keys()]);
      return next === undefined ? longestMs : Math.min(longestMs, next - clock.now());
    },
  });
  const stopListening = scheduleSignal.listen(() => work.wake());
  return {
    wake: () => work.wake(),
    async end() {
      isOver = true;
      stopListening();
      await work.end();
    },
  };
};

const claimingOf = ({ gateway, channels, patienceMs, report }: Running): ScheduleClaimParts => ({
  report,
  store: gateway.store,
  channels: new Map(channels.map((channel) => [channel.entityId, channel])),
  leaseMs: Math.max(LEASE_MS_LEAST, 10 * patienceMs),
});

/** `anyAge`: also takes over young claims. */
type Round = { isOver: () => boolean; anyAge: boolean };

/** One round: unfinished runs first, then due ones, until there are none. Returns how many runs were made. */
export const runDue = async (running: Running, { isOver, anyAge }: Round): Promise<number> => {
  const claiming = claimingOf(running);
  const { clock } = running.gateway;
  let done = 0;
  const carry = async (runs: readonly ClaimedRun[]): Promise<void> => {
    done += runs.length;
    await atOnce(runs, (run) => (isOver() ? Promise.resolve() : carryThrough(running, claiming, run)));
  };
  const at = clock.now();
  const until = anyAge ? at + claiming.leaseMs : at;
  while (!isOver()) {
    const runs = await claimNeglected(claiming, { at, until, limit: BATCH });
    if (runs.length === 0) break;
    await carry(runs);
  }
  while (!isOver()) {
    const { runs, schedules } = await claimDue(claiming, { at: clock.now(), limit: BATCH });
    await carry(runs);
    if (schedules === 0) break;
  }
  return done;
};

/** A failed run stays claimed, and is taken over when its lease is over. */
const carryThrough = async (running: Running, { channels }: ScheduleClaimParts, run: ClaimedRun): Promise<void> => {
  const channel = channels.get(run.entityId);
  if (channel === undefined) return;
  try {
    const outcome = await carryOut(running.gateway, channel, run);
    await finishRun(running.gateway, channel, { run, outcome });
  } catch (error) {
    running.report(error);
  }
};

const atOnce = async <T>(all: readonly T[], work: (each: T) => Promise<void>): Promise<void> => {
  const left = [...all].reverse();
  const one = async (): Promise<void> => {
    for (let each = left.pop(); each !== undefined; each = left.pop()) await work(each);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, all.length) }, one));
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
  const after = runAfter(run, outcome, at);
  await gateway.store.atomically([], async ({ schedules }) => {
    const stands = await schedules.run(run.scheduleId, run.dueAt);
    if (stands === undefined || !('lookAt' in stands)) return;
    await schedules.changeRun(after);
    if (after.state !== 'done') return;
    const schedule = await schedules.schedule(run.scheduleId);
    if (schedule === undefined) return;
    const changed = scheduleAfter(schedule, { channel, outcome, at });
    const isOver = hasPaid(after) && schedule.state === 'active' && (await isPaidOff(schedules, schedule, hasPaid));
    const last = isOver ? endedSchedule(changed ?? schedule, { at, reason: 'installments' }) : changed;
    if (last !== undefined) await schedules.changeSchedule(last);
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
      : endedSchedule({ ...schedule, facts }, { at, reason, resultCode: codeOf(outcome) });
  if (outcome.kind === 'calledOff') return undefined;
  if (outcome.kind === 'none') return end('registration');
  const means = meaningOf(codeOf(outcome));
  const { facts } = schedule;
  if (means === 'approved') return facts.declines === 0 ? undefined : { ...schedule, facts: { ...facts, declines: 0 } };
  if (means !== 'declined' && means !== 'refused') return undefined;
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
  const advice = payment.facts.answer?.details['MerchantAdviceCode'];
  const { resultCode } = payment;
  const isAdvised = isOf('adviceToStop', resultCode) || isOf('adviceCancelled', resultCode);
  return isAdvised || codesForGood.has(resultCode) || adviceForGood.has(advice ?? '');
};
