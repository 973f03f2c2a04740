/** POST /scheduling/v1/schedules (SD): repeats a payment on a stored account automatically. */
import { parseAmount } from '../../../base/money.ts';
import { codes } from '../../../base/result-codes.ts';
import { liveFact } from '../../payments/account.ts';
import { type Call, endOf, endpoint, type Gateway } from '../../payments/endpoint.ts';
import { doOnce } from '../../payments/repeats.ts';
import { type Answer, type Body, refuseWith } from '../../payments/response.ts';
import { successCodeOf } from '../../payments/stored-account.ts';
import { endedRegistrationAnswer, isUsable, unknownRegistrationAnswer } from '../../registrations/registration.ts';
import type { ApiOperation, Flat, Rule } from '../../spec/operation.ts';
import { billing, shipping } from '../../spec/parameters/addresses.ts';
import { isNotStored } from '../../spec/parameters/all.ts';
import { customer } from '../../spec/parameters/customer.ts';
import { ruleError } from '../../spec/parameters/errors.ts';
import { job } from '../../spec/parameters/job.ts';
import { an, oneOf, required } from '../../spec/parameters/kinds.ts';
import { merchant } from '../../spec/parameters/merchant.ts';
import { authentication, customParameters, payment } from '../../spec/parameters/payment.ts';
import { standingInstruction } from '../../spec/parameters/registration.ts';
import { paymentRules } from '../../spec/rules/payment.ts';
import type { Registration } from '../../store/records.ts';
import type { Schedule } from '../../store/schedule-store.ts';
import type { Session } from '../../store/store.ts';
import { scheduleBody } from '../answer.ts';
import { jobCodes, type PlanErrors, planOf } from '../plan.ts';
import { settingsOf } from '../settings.ts';

// The parameters of schedule requests (spec 2.28, 2.32; 2.24: SD, RS, DS).

/** Each run uses all of these except the job. The brand is the registration's. */
const { paymentBrand: _, integrity: __, paymentType, ...basic } = payment;

export const scheduleRows = {
  ...authentication,
  ...basic,
  paymentType,
  registrationId: an([32, 32], 'The stored account that is charged.', required('8ac7a4a1845f7e19018461a00b366a74')),
  ...customer,
  ...billing,
  ...shipping,
  ...merchant,
  ...customParameters,
  ...standingInstruction,
  ...job,
};

export const descheduleRows = {
  ...authentication,
  ...customParameters,
  paymentType: oneOf(['DS'], 'DS, or left out.', 'DS'),
  testMode: payment.testMode,
};

/** A run is started by the merchant and never the first payment, whatever else a standing instruction says. */
export const scheduleRules: readonly Rule[] = [
  ...paymentRules('onRegistration'),
  {
    name: 'standingInstruction.mode',
    message: 'must be REPEATED or left out: the first payment of a series is made by the shopper',
    holds: (sent) => sent['standingInstruction.mode'] !== 'INITIAL',
  },
  {
    name: 'standingInstruction.source',
    message: 'must be MIT or left out: the merchant starts a scheduled payment',
    holds: (sent) => sent['standingInstruction.source'] !== 'CIT',
  },
];

const needs = ['entityId', 'registrationId', 'amount', 'currency', 'paymentType'] as const;

export const scheduleOperation = {
  method: 'POST',
  path: '/scheduling/v1/schedules',
  summary: 'Charge a stored account repeatedly, at the times of a job.',
  accepts: scheduleRows,
  needs,
  rules: scheduleRules,
} satisfies ApiOperation<typeof scheduleRows, (typeof needs)[number]>;

export const schedule = endpoint(scheduleOperation, (gateway, call) => {
  const id = gateway.ids.next();
  const make = async () => ({ made: createSchedule(call, { id, rootId: id, sent: call.request }) });
  return addSchedule(gateway, call, { names: [], make });
});

/** The type of each run: SD alone means a debit. */
const typeOf = (paymentType: string): Schedule['paymentType'] | undefined =>
  (({ SD: 'DB', DB: 'DB', PA: 'PA', CD: 'CD' }) as const)[paymentType as 'SD'];

const wrongTypeError = (sent: string): PlanErrors => ({
  code: jobCodes.type,
  errors: [ruleError('paymentType', sent, { message: 'must be SD, or the type of each run: one of [DB, PA, CD]' })],
});

type NewScheduleInput = {
  id: string;
  rootId: string;
  /** All parameters of the request, or of the schedule it changes, overridden by the request's own. */
  sent: Flat;
  referencedId?: string;
};

/** The schedule, or a code of the job group with the parameters it concerns. */
export const createSchedule = (
  call: Call<unknown>,
  { sent, id, rootId, referencedId }: NewScheduleInput,
): Schedule | Answer => {
  const refuse = ({ code, errors }: PlanErrors) => refuseWith({ code, parameterErrors: errors }, endOf(call));
  const { paymentType = '', amount: figures = '', currency = '', registrationId = '' } = sent;
  const type = typeOf(paymentType);
  if (type === undefined) return refuse(wrongTypeError(paymentType));
  const planResult = planOf({ request: sent, rules: settingsOf(call.channel), at: call.at });
  if ('wrong' in planResult) return refuse(planResult.wrong);
  const amount = parseAmount(figures, currency);
  if (amount.minor === 0n) return refuseWith({ code: codes.amountMissing, why: 'The amount is zero.' }, endOf(call));
  const { nextAt, endsAt, ...facts } = planResult.plan;
  return {
    id,
    entityId: call.channel.entityId,
    rootId,
    registrationId,
    paymentType: type,
    amount,
    at: call.at,
    resultCode: successCodeOf(call.channel),
    endsAt,
    facts: {
      ...facts,
      requestId: call.requestId,
      referencedId,
      request: storedParametersOf(sent),
      declines: 0,
      live: liveFact(call.channel),
    },
    state: 'active',
    nextAt,
  };
};

const columns: ReadonlySet<string> = new Set(['entityId', 'registrationId', 'amount', 'currency', 'paymentType']);

/**
 * The parameters without a column of their own. A schedule accepts nothing secret of an account, and none would be
 * stored.
 */
const storedParametersOf = (sent: Flat): Record<string, string> => {
  const parameters: Record<string, string> = {};
  for (const [name, value] of Object.entries(sent)) {
    if (value !== undefined && !columns.has(name) && !isNotStored(name)) parameters[name] = value;
  }
  return parameters;
};

/** `ends` is the schedule it replaces, which is changed with it. */
type ScheduleResult = { made: Schedule | Answer; ends?: Schedule };
type ScheduleAddition = { names: readonly string[]; make: (session: Session) => Promise<ScheduleResult> };

/** Stores the schedule, once for each Idempotency-Key, if its registration can be charged. */
export const addSchedule = async (
  gateway: Gateway,
  call: Call<unknown>,
  { names, make }: ScheduleAddition,
): Promise<Answer> => {
  const answer = await doOnce(gateway.store, call, {
    names,
    async work(session) {
      const { made, ends } = await make(session);
      if ('body' in made) return made;
      const registration = await session.registration(made.registrationId);
      const refusal = refuseUnfit(registration, call);
      if (refusal !== undefined) return refusal;
      if (ends !== undefined) await session.schedules.changeSchedule(ends);
      await session.schedules.addSchedule(made);
      return scheduleAnswer(call, scheduleBody({ schedule: made, registration }));
    },
  });
  gateway.scheduleSignal.wake();
  return answer;
};

const refuseUnfit = (registration: Registration | undefined, call: Call<unknown>): Answer | undefined => {
  if (registration?.entityId !== call.channel.entityId) return unknownRegistrationAnswer(call);
  return isUsable(registration, call.at) ? undefined : endedRegistrationAnswer(call);
};

export const scheduleAnswer = (call: Call<unknown>, body: Body): Answer => ({
  status: 200,
  body: { ...body, ...endOf(call) },
});
