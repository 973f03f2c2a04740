/** POST /scheduling/v1/schedules (SD): repeats a payment on a stored account automatically. */
import { parseAmount } from '../../../base/money.ts';
import { codes } from '../../../base/result-codes.ts';
import { liveFact } from '../../payments/account.ts';
import { type Call, endOf, endpoint, type Gateway } from '../../payments/endpoint.ts';
import { doneOnce } from '../../payments/repeats.ts';
import { type Answer, type Body, refusal } from '../../payments/response.ts';
import { succeeded } from '../../payments/stored-account.ts';
import { endedRegistration, isUsable, unknownRegistration } from '../../registrations/registration.ts';
import type { ApiOperation, Flat, Rule } from '../../spec/operation.ts';
import { billing, shipping } from '../../spec/parameters/addresses.ts';
import { isNotStored } from '../../spec/parameters/all.ts';
import { customer } from '../../spec/parameters/customer.ts';
import { broken } from '../../spec/parameters/errors.ts';
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
    says: 'must be REPEATED or left out: the first payment of a series is made by the shopper',
    holds: (sent) => sent['standingInstruction.mode'] !== 'INITIAL',
  },
  {
    name: 'standingInstruction.source',
    says: 'must be MIT or left out: the merchant starts a scheduled payment',
    holds: (sent) => sent['standingInstruction.source'] !== 'CIT',
  },
];

const needs = ['entityId', 'registrationId', 'amount', 'currency', 'paymentType'] as const;

export const scheduleOperation = {
  method: 'POST',
  path: '/scheduling/v1/schedules',
  says: 'Charge a stored account repeatedly, at the times of a job.',
  accepts: scheduleRows,
  needs,
  rules: scheduleRules,
} satisfies ApiOperation<typeof scheduleRows, (typeof needs)[number]>;

export const schedule = endpoint(scheduleOperation, (gateway, call) => {
  const id = gateway.ids.next();
  const make = async () => ({ made: newSchedule(call, { id, rootId: id, sent: call.request }) });
  return added(gateway, call, { names: [], make });
});

/** The type of each run: SD alone means a debit. */
const typeOf = (paymentType: string): Schedule['paymentType'] | undefined =>
  (({ SD: 'DB', DB: 'DB', PA: 'PA', CD: 'CD' }) as const)[paymentType as 'SD'];

const wrongType = (sent: string): PlanErrors => ({
  code: jobCodes.type,
  errors: [broken('paymentType', sent, { says: 'must be SD, or the type of each run: one of [DB, PA, CD]' })],
});

type Parts = {
  id: string;
  rootId: string;
  /** All parameters of the request, or of the schedule it changes, overridden by the request's own. */
  sent: Flat;
  referencedId?: string;
};

/** The schedule, or a code of the job group with the parameters it concerns. */
export const newSchedule = (call: Call<unknown>, { sent, id, rootId, referencedId }: Parts): Schedule | Answer => {
  const refused = ({ code, errors }: PlanErrors) => refusal({ code, parameterErrors: errors }, endOf(call));
  const { paymentType = '', amount: figures = '', currency = '', registrationId = '' } = sent;
  const type = typeOf(paymentType);
  if (type === undefined) return refused(wrongType(paymentType));
  const planned = planOf({ request: sent, rules: settingsOf(call.channel), at: call.at });
  if ('wrong' in planned) return refused(planned.wrong);
  const amount = parseAmount(figures, currency);
  if (amount.minor === 0n) return refusal({ code: codes.amountMissing, why: 'The amount is zero.' }, endOf(call));
  const { nextAt, endsAt, ...facts } = planned.plan;
  return {
    id,
    entityId: call.channel.entityId,
    rootId,
    registrationId,
    paymentType: type,
    amount,
    at: call.at,
    resultCode: succeeded(call.channel),
    endsAt,
    facts: {
      ...facts,
      requestId: call.requestId,
      referencedId,
      request: keptOf(sent),
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
const keptOf = (sent: Flat): Record<string, string> => {
  const stored: Record<string, string> = {};
  for (const [name, value] of Object.entries(sent)) {
    if (value !== undefined && !columns.has(name) && !isNotStored(name)) stored[name] = value;
  }
  return stored;
};

/** `ends` is the schedule it replaces, which is changed with it. */
type Made = { made: Schedule | Answer; ends?: Schedule };
type Adding = { names: readonly string[]; make: (session: Session) => Promise<Made> };

/** Stores the schedule, once for each Idempotency-Key, if its registration can be charged. */
export const added = async (gateway: Gateway, call: Call<unknown>, { names, make }: Adding): Promise<Answer> => {
  const answer = await doneOnce(gateway.store, call, {
    names,
    async work(session) {
      const { made, ends } = await make(session);
      if ('body' in made) return made;
      const registration = await session.registration(made.registrationId);
      const unfit = unfitness(registration, call);
      if (unfit !== undefined) return unfit;
      if (ends !== undefined) await session.schedules.changeSchedule(ends);
      await session.schedules.addSchedule(made);
      return scheduleAnswer(call, scheduleBody({ schedule: made, registration }));
    },
  });
  gateway.scheduleSignal.wake();
  return answer;
};

const unfitness = (registration: Registration | undefined, call: Call<unknown>): Answer | undefined => {
  if (registration?.entityId !== call.channel.entityId) return unknownRegistration(call);
  return isUsable(registration, call.at) ? undefined : endedRegistration(call);
};

export const scheduleAnswer = (call: Call<unknown>, body: Body): Answer => ({
  status: 200,
  body: { ...body, ...endOf(call) },
});
