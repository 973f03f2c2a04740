/**
 * One run of a schedule: a payment on its registration, as POST /v1/registrations/{id}/payments makes it. Its claim
 * consists of the schedule and the due time, so that there is one payment however often a run is attempted.
 */
import { printAmount } from '../../base/money.ts';
import { codes } from '../../base/result-codes.ts';
import type { Channel } from '../channel.ts';
import { carryOutPayment, type PayRequest } from '../payments/authorise.ts';
import type { Call, Gateway } from '../payments/endpoint.ts';
import { keyClaimsOf } from '../payments/repeats.ts';
import { accountOf, openAccount } from '../registrations/pay-stored.ts';
import { isUsable } from '../registrations/registration.ts';
import type { Flat } from '../spec/operation.ts';
import type { Payment } from '../store/records.ts';
import type { Schedule } from '../store/schedule-store.ts';
import type { ClaimedRun } from './claim.ts';
import { endAfterNotice } from './plan.ts';

/**
 * The outcome of a run. none: nothing was charged, because the plan cannot continue. calledOff: nothing was charged
 * either, because its owner ended the plan before.
 */
export type RunOutcome = { kind: 'payment'; payment: Payment } | { kind: 'none' } | { kind: 'calledOff' };

/** Makes the run's payment; a payment started by an earlier attempt is looked up and ended instead. */
export const carryOut = async (gateway: Gateway, channel: Channel, run: ClaimedRun): Promise<RunOutcome> => {
  const { store, processing, clock } = gateway;
  const existingPaymentId = run.paymentId ?? (run.attempts > 1 ? await findEarlierPayment(gateway, run) : undefined);
  if (existingPaymentId !== undefined) {
    const payment = await processing.lookUp(existingPaymentId);
    // A payment that never reached the acquirer has released its claim, and is made again.
    if (payment !== undefined && !isUnsent(payment)) return { kind: 'payment', payment };
  }
  const schedule = await store.schedules.schedule(run.scheduleId);
  if (schedule !== undefined && isCalledOff(schedule)) return { kind: 'calledOff' };
  const registration = schedule === undefined ? undefined : await store.registration(schedule.registrationId);
  if (schedule === undefined || registration?.sealed === undefined || !isUsable(registration, clock.now())) {
    return { kind: 'none' };
  }
  const request = requestOf(schedule);
  const { kind, stored } = openAccount(gateway, registration);
  const account = accountOf(request, { registration, stored });
  const openedPayment = await carryOutPayment(gateway, callOf(gateway, { channel, run, request, schedule }), {
    kind,
    account,
    registration,
    scheduleId: schedule.id,
  });
  if (openedPayment.kind !== 'payment') throw new TypeError(`unexpected outcome of a run: ${openedPayment.kind}`);
  return { kind: 'payment', payment: openedPayment.payment };
};

/** Ended at once: with a notice period, earlier due times are within it. */
const isCalledOff = (schedule: Schedule): boolean => {
  const { ended, noticeAt } = schedule.facts;
  if (ended?.reason !== 'descheduled' || noticeAt === undefined) return false;
  return (endAfterNotice(schedule, noticeAt) ?? 0) < noticeAt;
};

const NEVER_SENT = codes.timedOutPending;

export const isUnsent = (payment: Payment): boolean => payment.state === 'done' && payment.resultCode === NEVER_SENT;

/** Contains a space, so no client's Idempotency-Key can be equal. */
const keyOf = ({ scheduleId, dueAt }: ClaimedRun): string => `schedule ${scheduleId} ${dueAt}`;

const fingerprintOf = ({ hash }: Gateway, run: ClaimedRun): string => hash(keyOf(run));

/** The payment of an earlier attempt, which may have been interrupted before it was recorded. */
const findEarlierPayment = async (gateway: Gateway, run: ClaimedRun): Promise<string | undefined> => {
  const keys = keyClaimsOf(run.entityId, () => '', keyOf(run)).map(({ key }) => key);
  const claimed = await gateway.store.transact(keys, (session) => session.findClaimed(keys));
  return claimed?.kind === 'payment' ? claimed.paymentId : undefined;
};

/** A payment started by the merchant, in a series that the shopper began, under the schedule's reference or its id. */
const requestOf = ({ id, entityId, paymentType, amount, facts }: Schedule): PayRequest & Flat => {
  const storedParameters = Object.entries(facts.request).filter(([name]) => !name.startsWith('job.'));
  const seriesParameters: Flat = {
    'standingInstruction.type': 'RECURRING',
    'standingInstruction.recurringType':
      facts.request['standingInstruction.type'] === undefined ? 'SUBSCRIPTION' : undefined,
  };
  return {
    ...seriesParameters,
    merchantTransactionId: id,
    ...Object.fromEntries(storedParameters),
    'standingInstruction.mode': 'REPEATED',
    'standingInstruction.source': 'MIT',
    entityId,
    paymentType,
    amount: printAmount(amount),
    currency: amount.currency,
  };
};

type RunContext = { channel: Channel; run: ClaimedRun; request: PayRequest & Flat; schedule: Schedule };

const callOf = (gateway: Gateway, { channel, run, request, schedule }: RunContext): Call<PayRequest> => ({
  channel,
  request,
  warnings: [],
  id: schedule.registrationId,
  fingerprint: () => fingerprintOf(gateway, run),
  key: keyOf(run),
  requestId: gateway.ids.next(),
  // There is no browser that could be redirected.
  base: '',
  at: gateway.clock.now(),
});
