/** The JSON answer about a schedule: like a registration's, with the amount, the job as sent and the resulting plan. */
import { printAmount } from '../../base/money.ts';
import { type Body, formatTimestamp, unexpectedFields } from '../payments/response.ts';
import { type Json, nestedOf } from '../spec/json.ts';
import { describe } from '../spec/results.ts';
import type { Registration } from '../store/records.ts';
import type { Schedule, ScheduleRun } from '../store/schedule-store.ts';

type ScheduleAnswerParts = { schedule: Schedule; registration?: Registration; runs?: readonly ScheduleRun[] };

/** `code`: the result of the current request; the schedule's own by default. */
export const scheduleBody = (
  { schedule, registration, runs }: ScheduleAnswerParts,
  code = schedule.resultCode,
): Body => {
  const { id, registrationId, amount, facts } = schedule;
  const { card, merchant, merchantMemo: _, ...echo } = nestedOf(facts.request) as Body;
  const { card: saved, bankAccount, virtualAccount } = registration?.facts ?? {};
  return {
    id,
    registrationId,
    referencedId: facts.referencedId,
    paymentType: 'SD',
    paymentBrand: registration?.paymentBrand,
    amount: printAmount(amount),
    currency: amount.currency,
    ...echo,
    merchant,
    result: {
      code,
      description: describe(code),
      ...unexpectedFields(id, { live: facts.live, testMode: facts.request['testMode'] }),
    },
    card: saved,
    bankAccount: bankAccount ?? echo['bankAccount'],
    virtualAccount: virtualAccount ?? echo['virtualAccount'],
    plan: planBody({ schedule, registration, runs }),
    timestamp: formatTimestamp(schedule.at),
  };
};

/** `active` is true for the one plan of a chain that runs. */
const planBody = ({ schedule, runs }: ScheduleAnswerParts): Body => {
  const { facts, endsAt } = schedule;
  return {
    active: schedule.state === 'active',
    paymentType: schedule.paymentType,
    expression: facts.expression,
    timeZone: facts.timeZone,
    nextRun: schedule.state === 'active' ? formatTimestamp(schedule.nextAt) : undefined,
    endDate: endsAt === undefined ? undefined : formatTimestamp(endsAt),
    noticeDate: facts.noticeAt === undefined ? undefined : formatTimestamp(facts.noticeAt),
    declinesInARow: facts.declines === 0 ? undefined : String(facts.declines),
    ended: facts.ended && {
      timestamp: formatTimestamp(facts.ended.at),
      reason: facts.ended.reason,
      description: facts.ended.why,
    },
    runs: runs && (runs.map(runBody) as Json),
  };
};

const runBody = (run: ScheduleRun): Body => ({
  scheduleId: run.scheduleId,
  dueDate: formatTimestamp(run.dueAt),
  state: run.state,
  paymentId: run.paymentId,
  result: run.resultCode === undefined ? undefined : { code: run.resultCode, description: describe(run.resultCode) },
  missed: run.missed === 0 ? undefined : String(run.missed),
  description: run.why,
});
