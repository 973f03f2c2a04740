/** What a run's outcome makes of it and of its plan, written in one transaction. */
import { codes, isOf } from '../../base/result-codes.ts';
import type { Channel } from '../channel.ts';
import type { Gateway } from '../payments/endpoint.ts';
import { meaningOf } from '../spec/results.ts';
import type { Payment } from '../store/records.ts';
import { type Claimed, hasPaid, isPaidOff } from './claim.ts';
import { endedSchedule } from './ending.ts';
import { isUnsent, type RunOutcome } from './run.ts';
import { settingsOf } from './settings.ts';
import type { EndReason, Schedule, ScheduleRun } from './store/schedules.ts';

/** The registration cannot be charged. */
const UNCHARGEABLE = codes.registrationInvalid;

/** A run whose payment never reached the acquirer is carried out so often at most. */
const TRIES_MAX = 5;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Nothing is done about a run that another process has ended meanwhile. */
export const finishRun = async (
  gateway: Gateway,
  channel: Channel,
  { run, outcome }: { run: Claimed; outcome: RunOutcome },
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

const runAfter = ({ lookAt: _, why: __, ...run }: Claimed, outcome: RunOutcome, at: number): ScheduleRun => {
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
const backoffMs = ({ attempts }: Pick<Claimed, 'attempts'>): number =>
  Math.min(DAY_MS, MINUTE_MS * 2 ** Math.min(20, attempts - 1));

type After = { channel: Channel; outcome: RunOutcome; at: number };

/** The plan as it goes on, or at its end; undefined: as it was. A doubt is neither a success nor a decline. */
const scheduleAfter = (schedule: Schedule, { channel, outcome, at }: After): Schedule | undefined => {
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
 * Declines after which the schemes allow no other try on the account: invalid, stolen, lost, closed, blocked, to be
 * picked up (Visa's first category of decline reasons), the merchant advice codes 03 (do not try again) and 21 (the
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
