/** One chain of schedules: reading it, changing it (RS), ending it (DS). */
import { printAmount } from '../../../base/money.ts';
import { type Call, endOf, endpoint, type Gateway } from '../../payments/endpoint.ts';
import { listAnswer } from '../../payments/query.ts';
import { answerOnce, doOnce } from '../../payments/repeats.ts';
import { type Answer, refuseWith } from '../../payments/response.ts';
import { successCodeOf } from '../../payments/stored-account.ts';
import { isUsable } from '../../registrations/registration.ts';
import type { Flat } from '../../spec/operation.ts';
import { authentication } from '../../spec/parameters/payment.ts';
import type { Schedule } from '../../store/schedule-store.ts';
import type { Session } from '../../store/store.ts';
import { scheduleBody } from '../answer.ts';
import { type ActiveSchedule, activeScheduleOf, endSchedule, isRevivable, withNextRun } from '../ending.ts';
import { endAfterNotice, hasJob, jobCodes } from '../plan.ts';
import {
  addSchedule,
  createSchedule,
  descheduleRows,
  scheduleAnswer,
  scheduleRows,
  scheduleRules,
} from './schedule.ts';

/** Another channel's schedule is as unknown as one that does not exist. */
const unknownScheduleAnswer = (call: Call<unknown>): Answer =>
  refuseWith({ code: jobCodes.notRunning, status: 404, why: 'There is no schedule with this id.' }, endOf(call));

const findOwnSchedule = async ({ store }: Gateway, { id = '', channel }: Call<unknown>) => {
  const found = await store.schedules.schedule(id);
  return found?.entityId === channel.entityId ? found : undefined;
};

/** Operations on one chain run one after another. */
const lockNameOf = ({ rootId }: Schedule): string => `schedules ${rootId}`;

export const reschedule = endpoint(
  {
    method: 'POST',
    path: '/scheduling/v1/schedules/:id/reschedule',
    summary: 'Replace the active plan: parameters that are sent change, the rest stays. A job is sent whole.',
    accepts: scheduleRows,
    needs: ['entityId'],
    rules: scheduleRules,
  },
  async (gateway, call) => {
    const target = await findOwnSchedule(gateway, call);
    if (target === undefined) return answerOnce(gateway.store, call, unknownScheduleAnswer(call));
    const id = gateway.ids.next();
    return addSchedule(gateway, call, {
      names: [lockNameOf(target)],
      make: (session) => createReplacement(session, call, { id, rootId: target.rootId }),
    });
  },
);

/** The plan that replaces the active one, which ends; or one that ended without anybody's request. */
const createReplacement = async (
  session: Session,
  call: Call<Flat>,
  { id, rootId }: { id: string; rootId: string },
) => {
  const chain = await session.schedules.chain(rootId);
  const active = activeScheduleOf(chain);
  const replaced = active ?? chain.at(-1);
  if (replaced === undefined || (active === undefined && !isRevivable(replaced)))
    return { made: notRunningAnswer(call, replaced) };
  const replacement = createSchedule(call, {
    id,
    rootId,
    referencedId: replaced.id,
    sent: mergeRequest(call.request, replaced),
  });
  if (active === undefined) return { made: replacement };
  return {
    made: replacement,
    ends: endSchedule(active, { at: call.at, reason: 'rescheduled', resultCode: successCodeOf(call.channel) }),
  };
};

const notRunningAnswer = (call: Call<unknown>, last: Schedule | undefined): Answer =>
  refuseWith({ code: jobCodes.notRunning, why: last?.facts.ended?.why ?? 'It is not active.' }, endOf(call));

/** RS only marks the request as a replacement; the type of each run stays. */
const mergeRequest = (request: Flat, replaced: Schedule): Flat => {
  const { paymentType, ...sent } = request;
  const storedParameters = Object.entries(replaced.facts.request).filter(
    ([name]) => !(hasJob(request) && name.startsWith('job.')),
  );
  return {
    ...Object.fromEntries(storedParameters),
    registrationId: replaced.registrationId,
    amount: printAmount(replaced.amount),
    currency: replaced.amount.currency,
    paymentType: paymentType === undefined || paymentType === 'RS' ? replaced.paymentType : paymentType,
    ...sent,
  };
};

const deschedule = async (gateway: Gateway, call: Call<unknown>): Promise<Answer> => {
  const target = await findOwnSchedule(gateway, call);
  if (target === undefined) return answerOnce(gateway.store, call, unknownScheduleAnswer(call));
  return doOnce(gateway.store, call, {
    names: [lockNameOf(target)],
    work: (session) => giveNotice(session, call, target),
  });
};

/** Notice is given once: a second request changes nothing. */
const giveNotice = async (session: Session, call: Call<unknown>, target: Schedule): Promise<Answer> => {
  const chain = await session.schedules.chain(target.rootId);
  const active = activeScheduleOf(chain);
  const last = chain.at(-1);
  const reason = last?.facts.ended?.why ?? 'It is not active.';
  if (active === undefined) return refuseWith({ code: jobCodes.notEnded, why: reason }, endOf(call));
  const ending = active.facts.noticeAt === undefined ? applyNotice(active, call) : active;
  await session.schedules.changeSchedule(ending);
  const registration = await session.registration(ending.registrationId);
  return scheduleAnswer(call, { ...scheduleBody({ schedule: ending, registration }), paymentType: 'DS' });
};

const applyNotice = (active: ActiveSchedule, { at, channel }: Pick<Call<unknown>, 'at' | 'channel'>): Schedule => {
  const endsAt = endAfterNotice(active, at);
  const facts = { ...active.facts, noticeAt: at };
  const updated = { ...active, facts, resultCode: successCodeOf(channel) };
  if (endsAt === undefined || endsAt < active.nextAt) {
    return endSchedule(updated, { at, reason: 'descheduled' });
  }
  return withNextRun({ ...updated, endsAt }, active.nextAt, at);
};

const description =
  'End the plan of this chain: at once, or when its notice is over. Any schedule of the chain may be given.';

export const descheduleByPost = endpoint(
  {
    method: 'POST',
    path: '/scheduling/v1/schedules/:id/deschedule',
    summary: description,
    accepts: descheduleRows,
    needs: ['entityId'],
    rules: [],
  },
  deschedule,
);

export const descheduleByDelete = endpoint(
  {
    method: 'DELETE',
    path: '/scheduling/v1/schedules/:id',
    summary: description,
    accepts: descheduleRows,
    needs: ['entityId'],
    rules: [],
  },
  deschedule,
);

const LISTED_MAX = 100;
const RUNS_LISTED_MAX = 100;

export const readSchedules = endpoint(
  {
    method: 'GET',
    path: '/scheduling/v1/schedules/:id',
    summary: 'All schedules of a registration, or of the chain of a schedule, newest first, with their latest runs.',
    accepts: authentication,
    needs: ['entityId'],
    rules: [],
  },
  async (gateway, call) => {
    const { schedules } = gateway.store;
    const target = await findOwnSchedule(gateway, call);
    const found =
      target === undefined
        ? await schedules.schedules({ registrationId: call.id ?? '', limit: LISTED_MAX })
        : (await schedules.chain(target.rootId)).toReversed();
    const ownSchedules = found.filter(({ entityId }) => entityId === call.channel.entityId);
    if (ownSchedules.length === 0) return unknownScheduleAnswer(call);
    const bodies = [];
    for (const schedule of ownSchedules) bodies.push(await currentBodyOf(gateway, schedule));
    return listAnswer(call, { schedules: bodies });
  },
);

/** A plan whose registration is gone has no more runs, although its end is written only when it falls due. */
const currentBodyOf = async ({ store, clock }: Gateway, schedule: Schedule) => {
  const registration = await store.registration(schedule.registrationId);
  const runs = await store.schedules.runs({ rootId: schedule.rootId, limit: RUNS_LISTED_MAX });
  const at = clock.now();
  const chargeable = registration !== undefined && isUsable(registration, at);
  const now =
    schedule.state === 'active' && !chargeable ? endSchedule(schedule, { at, reason: 'registration' }) : schedule;
  return scheduleBody({ schedule: now, registration, runs: runs.filter((run) => run.scheduleId === schedule.id) });
};
