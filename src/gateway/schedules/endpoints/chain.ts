/** One chain of schedules: reading it, changing it (RS), ending it (DS). */
import { printAmount } from '../../../base/money.ts';
import { type Call, endOf, endpoint, type Gateway } from '../../payments/endpoint.ts';
import { listed } from '../../payments/query.ts';
import { answerOnce, doneOnce } from '../../payments/repeats.ts';
import { type Answer, refusal } from '../../payments/response.ts';
import { succeeded } from '../../payments/stored-account.ts';
import { isUsable } from '../../registrations/registration.ts';
import type { Flat } from '../../spec/operation.ts';
import { authentication } from '../../spec/parameters/payment.ts';
import type { Schedule } from '../../store/schedule-store.ts';
import type { Session } from '../../store/store.ts';
import { scheduleBody } from '../answer.ts';
import { type ActiveSchedule, aliveOf, comingAt, endedSchedule, isRevivable } from '../ending.ts';
import { endAfterNotice, hasJob, jobCodes } from '../plan.ts';
import { added, descheduleRows, newSchedule, scheduleAnswer, scheduleRows, scheduleRules } from './schedule.ts';

/** Another channel's schedule is as unknown as one that does not exist. */
const unknown = (call: Call<unknown>): Answer =>
  refusal({ code: jobCodes.notRunning, status: 404, why: 'There is no schedule with this id.' }, endOf(call));

const ownSchedule = async ({ store }: Gateway, { id = '', channel }: Call<unknown>) => {
  const found = await store.schedules.schedule(id);
  return found?.entityId === channel.entityId ? found : undefined;
};

/** Operations on one chain run one after another. */
const turnOf = ({ rootId }: Schedule): string => `schedules ${rootId}`;

export const reschedule = endpoint(
  {
    method: 'POST',
    path: '/scheduling/v1/schedules/:id/reschedule',
    says: 'Replace the active plan: parameters that are sent change, the rest stays. A job is sent whole.',
    accepts: scheduleRows,
    needs: ['entityId'],
    rules: scheduleRules,
  },
  async (gateway, call) => {
    const named = await ownSchedule(gateway, call);
    if (named === undefined) return answerOnce(gateway.store, call, unknown(call));
    const id = gateway.ids.next();
    return added(gateway, call, {
      names: [turnOf(named)],
      make: (session) => replacement(session, call, { id, rootId: named.rootId }),
    });
  },
);

/** The plan that replaces the active one, which ends; or one that ended without anybody's request. */
const replacement = async (session: Session, call: Call<Flat>, { id, rootId }: { id: string; rootId: string }) => {
  const chain = await session.schedules.chain(rootId);
  const alive = aliveOf(chain);
  const before = alive ?? chain.at(-1);
  if (before === undefined || (alive === undefined && !isRevivable(before))) return { made: notRunning(call, before) };
  const made = newSchedule(call, { id, rootId, referencedId: before.id, sent: mergedOf(call.request, before) });
  if (alive === undefined) return { made };
  return {
    made,
    ends: endedSchedule(alive, { at: call.at, reason: 'rescheduled', resultCode: succeeded(call.channel) }),
  };
};

const notRunning = (call: Call<unknown>, last: Schedule | undefined): Answer =>
  refusal({ code: jobCodes.notRunning, why: last?.facts.ended?.why ?? 'It is not active.' }, endOf(call));

/** RS only marks the request as a replacement; the type of each run stays. */
const mergedOf = (request: Flat, before: Schedule): Flat => {
  const { paymentType, ...sent } = request;
  const stored = Object.entries(before.facts.request).filter(([name]) => !(hasJob(request) && name.startsWith('job.')));
  return {
    ...Object.fromEntries(stored),
    registrationId: before.registrationId,
    amount: printAmount(before.amount),
    currency: before.amount.currency,
    paymentType: paymentType === undefined || paymentType === 'RS' ? before.paymentType : paymentType,
    ...sent,
  };
};

const deschedule = async (gateway: Gateway, call: Call<unknown>): Promise<Answer> => {
  const named = await ownSchedule(gateway, call);
  if (named === undefined) return answerOnce(gateway.store, call, unknown(call));
  return doneOnce(gateway.store, call, { names: [turnOf(named)], work: (session) => giveNotice(session, call, named) });
};

/** Notice is given once: a second request changes nothing. */
const giveNotice = async (session: Session, call: Call<unknown>, named: Schedule): Promise<Answer> => {
  const chain = await session.schedules.chain(named.rootId);
  const alive = aliveOf(chain);
  const last = chain.at(-1);
  const reason = last?.facts.ended?.why ?? 'It is not active.';
  if (alive === undefined) return refusal({ code: jobCodes.notEnded, why: reason }, endOf(call));
  const after = alive.facts.noticeAt === undefined ? noticed(alive, call) : alive;
  await session.schedules.changeSchedule(after);
  const registration = await session.registration(after.registrationId);
  return scheduleAnswer(call, { ...scheduleBody({ schedule: after, registration }), paymentType: 'DS' });
};

const noticed = (alive: ActiveSchedule, { at, channel }: Pick<Call<unknown>, 'at' | 'channel'>): Schedule => {
  const endsAt = endAfterNotice(alive, at);
  const facts = { ...alive.facts, noticeAt: at };
  const reported = { ...alive, facts, resultCode: succeeded(channel) };
  if (endsAt === undefined || endsAt < alive.nextAt) {
    return endedSchedule(reported, { at, reason: 'descheduled' });
  }
  return comingAt({ ...reported, endsAt }, alive.nextAt, at);
};

const says = 'End the plan of this chain: at once, or when its notice is over. Any schedule of the chain may be given.';

export const descheduleByPost = endpoint(
  {
    method: 'POST',
    path: '/scheduling/v1/schedules/:id/deschedule',
    says,
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
    says,
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
    says: 'All schedules of a registration, or of the chain of a schedule, newest first, with their latest runs.',
    accepts: authentication,
    needs: ['entityId'],
    rules: [],
  },
  async (gateway, call) => {
    const { schedules } = gateway.store;
    const named = await ownSchedule(gateway, call);
    const found =
      named === undefined
        ? await schedules.schedules({ registrationId: call.id ?? '', limit: LISTED_MAX })
        : (await schedules.chain(named.rootId)).toReversed();
    const own = found.filter(({ entityId }) => entityId === call.channel.entityId);
    if (own.length === 0) return unknown(call);
    const bodies = [];
    for (const schedule of own) bodies.push(await bodyNow(gateway, schedule));
    return listed(call, { schedules: bodies });
  },
);

/** A plan whose registration is gone has no future, although its end is written only when it falls due. */
const bodyNow = async ({ store, clock }: Gateway, schedule: Schedule) => {
  const registration = await store.registration(schedule.registrationId);
  const runs = await store.schedules.runs({ rootId: schedule.rootId, limit: RUNS_LISTED_MAX });
  const at = clock.now();
  const chargeable = registration !== undefined && isUsable(registration, at);
  const now =
    schedule.state === 'active' && !chargeable ? endedSchedule(schedule, { at, reason: 'registration' }) : schedule;
  return scheduleBody({ schedule: now, registration, runs: runs.filter((run) => run.scheduleId === schedule.id) });
};
