/** Turns a job (spec 2.28) into a plan: due times, start, end, notice. README.md has the rules. */
import { codes } from '../../base/result-codes.ts';
import type { Flat } from '../spec/operation.ts';
import { missingError, type ParameterError, ruleError } from '../spec/parameters/errors.ts';
import type { Schedule, ScheduleFacts, SchedulePeriod } from '../store/schedule-store.ts';
import { addPeriod, approximateMs, calendarOf, parseMoment } from './calendar.ts';
import type { ScheduleRules } from './settings-shape.ts';

type Plan = Pick<ScheduleFacts, 'expression' | 'timeZone' | 'startsAt' | 'term' | 'notice'> & {
  /** Wall time, ms. */
  nextAt: number;
  endsAt?: number;
};

type PlanRequest = { request: Flat; rules: Required<ScheduleRules>; at: number };

/** The plan of a request, or the code and the invalid parameters. `at` is wall time, ms. */
export const planOf = ({ request, rules, at }: PlanRequest): { plan: Plan } | { wrong: PlanErrors } => {
  const { timeZone } = rules;
  const timing = timingOf(request);
  if ('wrong' in timing) return timing;
  const periods = periodsOf(request);
  if ('wrong' in periods) return periods;
  const { term, notice } = periods;
  const startsAt = momentOf(request['job.startDate'], timeZone) ?? at;
  const ends = [
    momentOf(request['job.endDate'], timeZone),
    endOfDay(request['standingInstruction.expiry'], timeZone),
    // Without notice parameters a term is the whole life of the plan; with one it is renewed until notice is given.
    term === undefined || notice !== undefined ? undefined : addPeriod(startsAt, term, timeZone) - 1,
  ].filter((each) => each !== undefined);
  const endsAt = ends.length === 0 ? undefined : Math.min(...ends);
  const { expression } = timing;
  const calendar = calendarOf(expression, timeZone);
  if (calendar.leastSeconds < rules.leastSeconds) {
    const minimumText = `must leave at least ${rules.leastSeconds} s between two runs, not ${calendar.leastSeconds}`;
    return timeErrors(request, minimumText);
  }
  const nextAt = calendar.nextAfter(Math.max(at, startsAt - 1));
  if (nextAt === undefined) return timeErrors(request, 'never falls due');
  if (endsAt !== undefined && nextAt > endsAt) {
    return timeErrors(request, 'never falls due before the plan ends', 'job.endDate');
  }
  return { plan: { expression, timeZone, startsAt, ...periods, nextAt, endsAt } };
};

const momentOf = (text: string | undefined, timeZone: string): number | undefined =>
  text === undefined ? undefined : parseMoment(text, timeZone);

/** The end, inclusive: the whole second, or the whole day. */
const endOfDay = (day: string | undefined, timeZone: string): number | undefined =>
  day === undefined ? undefined : parseMoment(`${day} 23:59:59`, timeZone) + 999;

const timeFields = [
  'job.expression',
  'job.endDate',
  'job.dayOfMonth',
  'job.dayOfWeek',
  'job.month',
  'job.year',
  'job.hour',
  'job.minute',
  'job.second',
] as const;

/** Names the parameter to blame: the expression, or every single field that was sent. */
const timeErrors = (request: Flat, text: string, also?: (typeof timeFields)[number]): { wrong: PlanErrors } => {
  const sentFields = timeFields.filter(
    (name) => request[name] !== undefined && (name !== 'job.endDate' || name === also),
  );
  const fieldNames = sentFields.includes('job.expression')
    ? sentFields.filter((name) => name === 'job.expression' || name === also)
    : sentFields;
  return {
    wrong: {
      code: jobCodes.unfit,
      errors: fieldNames.map((name) => ruleError(name, request[name], { message: text })),
    },
  };
};

type Periods = Pick<Plan, 'term' | 'notice'>;

/** No plan has a term or a notice longer than a hundred years. */
const LONGEST_MS = approximateMs({ unit: 'YEAR', number: 100 });

const periodsOf = (request: Flat): Periods | { wrong: PlanErrors } => {
  const term = periodOf(request, 'duration');
  if (term !== undefined && 'wrong' in term) return term;
  const notice = periodOf(request, 'notice');
  if (notice !== undefined && 'wrong' in notice) return notice;
  const callable = request['job.noticeCallable'] as 'ANYTIME' | 'DURATION_END' | undefined;
  if (callable === 'DURATION_END' && term === undefined) {
    return periodErrors(jobCodes.duration, [missingError('job.durationUnit'), missingError('job.durationNumber')]);
  }
  const noticeTerms = { unit: 'SECOND' as const, number: 0, ...notice, callable: callable ?? ('ANYTIME' as const) };
  return { term, notice: notice === undefined && callable === undefined ? undefined : noticeTerms };
};

const periodErrors = (code: string, errors: readonly ParameterError[]): { wrong: PlanErrors } => ({
  wrong: { code, errors },
});

const periodOf = (request: Flat, kind: 'duration' | 'notice'): SchedulePeriod | { wrong: PlanErrors } | undefined => {
  const unitName = `job.${kind}Unit`;
  const numberName = `job.${kind}Number`;
  // The parser accepts no other value.
  const unit = request[unitName] as SchedulePeriod['unit'] | undefined;
  const digits = request[numberName];
  if (unit === undefined && digits === undefined) return undefined;
  const code = jobCodes[kind];
  if (unit === undefined) return periodErrors(code, [missingError(unitName)]);
  if (digits === undefined) return periodErrors(code, [missingError(numberName)]);
  const number = Number(digits);
  const refuse = (text: string) => periodErrors(code, [ruleError(numberName, digits, { message: text })]);
  if (number === 0 && kind === 'duration') return refuse('must be 1 or more');
  if (approximateMs({ unit, number }) > LONGEST_MS) return refuse('must be no more than 100 years');
  return { unit, number };
};

/**
 * The last moment at which a run may still be due after notice was given at `at`; undefined if none may. Both wall
 * time, ms. A plan that ends before its notice is over ends then.
 */
export const endAfterNotice = (
  { facts, endsAt }: Pick<Schedule, 'facts' | 'endsAt'>,
  at: number,
): number | undefined => {
  const { notice, term, timeZone, startsAt } = facts;
  if (notice === undefined) return undefined;
  const noticeEnd = addPeriod(at, notice, timeZone);
  const end =
    notice.callable === 'ANYTIME' || term === undefined
      ? noticeEnd
      : endOfTerm({ term, timeZone, startsAt }, noticeEnd);
  return Math.min(endsAt ?? Number.MAX_SAFE_INTEGER, end - 1);
};

/** The end of the first term that ends at this moment or later. Each is counted from the start, so that none drifts. */
const endOfTerm = (
  { term, timeZone, startsAt }: { term: SchedulePeriod; timeZone: string; startsAt: number },
  at: number,
): number => {
  const estimate = Math.floor((at - startsAt) / approximateMs(term));
  // Months differ by three days and years by one, so starting two terms early is never too late.
  for (let terms = Math.max(1, estimate - 2); ; terms += 1) {
    const end = addPeriod(startsAt, { unit: term.unit, number: terms * term.number }, timeZone);
    if (end >= at) return end;
  }
};

// Turns the job.* parameters of a request into one Quartz expression of seven fields (spec 2.28), or the error in them.

/** Result codes of the catalogue's job group. */
export const jobCodes = {
  absent: codes.scheduleMissing,
  timeless: codes.scheduleWithoutTime,
  /** Fields that contradict each other, never fall due, or fall due too often. */
  unfit: codes.scheduleInvalid,
  duration: codes.scheduleDurationInvalid,
  notice: codes.scheduleNoticeInvalid,
  type: codes.scheduleTypeInvalid,
  /** The schedule to be rescheduled or descheduled is not active. */
  notRunning: codes.scheduleNotRunning,
  notEnded: codes.scheduleNotEnded,
} as const;

export type PlanErrors = { code: string; errors: readonly ParameterError[] };

/** The fields in the order of an expression, with the spec's defaults; the days have their own rule. */
const fields = [
  ['job.second', '0'],
  ['job.minute', '0'],
  ['job.hour', '0'],
  ['job.dayOfMonth', '1'],
  ['job.month', '1'],
  ['job.dayOfWeek', '1'],
  ['job.year', '*'],
] as const;

/** Whether any job parameter was sent. */
export const hasJob = (request: Flat): boolean => Object.keys(request).some((name) => name.startsWith('job.'));

/** `1` and `01` are the same second, and exactly one of the day fields of the result is `?`. */
const timingOf = (request: Flat): { expression: string } | { wrong: PlanErrors } => {
  const sentFields = request['job.expression'];
  if (!hasJob(request)) return planErrors(jobCodes.absent, [missingError('job.expression')]);
  if (sentFields === undefined && fields.every(([name]) => request[name] === undefined)) {
    return planErrors(jobCodes.timeless, [missingError('job.expression')]);
  }
  const inputs = sentFields?.split(' ') ?? fields.map(([name]) => request[name]);
  const days = daysOf(inputs[3], inputs[5]);
  if ('message' in days) {
    const names =
      sentFields === undefined ? (['job.dayOfMonth', 'job.dayOfWeek'] as const) : (['job.expression'] as const);
    return planErrors(
      jobCodes.unfit,
      names.map((name) => ruleError(name, request[name], { message: days.message })),
    );
  }
  const [second, minute, hour, , month, , year] = fields.map(([, otherwise], i) => inputs[i] ?? otherwise);
  return { expression: [second, minute, hour, days.ofMonth, month, days.ofWeek, year].join(' ') };
};

const planErrors = (code: string, errors: readonly ParameterError[]): { wrong: PlanErrors } => ({
  wrong: { code, errors },
});

const FREE: readonly (string | undefined)[] = ['?', '*'];

/**
 * Quartz uses days of the month or days of the week, not both: a field that is `?` (or `*`) leaves the choice to the
 * other. A field that was not sent leaves it to the one that was; with neither, or if the one that was sent leaves it
 * to the other, the spec's default counts.
 */
const daysOf = (
  ofMonth: string | undefined,
  ofWeek: string | undefined,
): { ofMonth: string; ofWeek: string } | { message: string } => {
  if (ofMonth === '?' && ofWeek === '?')
    return { message: 'must not be ? for both days of the month and days of the week' };
  if (ofWeek === undefined) {
    if (ofMonth === '?') return { ofMonth: '?', ofWeek: '1' };
    return { ofMonth: ofMonth ?? '1', ofWeek: '?' };
  }
  if (ofMonth === undefined) {
    if (ofWeek === '?') return { ofMonth: '1', ofWeek: '?' };
    return { ofMonth: '?', ofWeek };
  }
  if (FREE.includes(ofWeek)) return { ofMonth: ofMonth === '?' ? '*' : ofMonth, ofWeek: '?' };
  if (FREE.includes(ofMonth)) return { ofMonth: '?', ofWeek };
  return { message: 'must not name both days of the month and days of the week: one of them must be ?' };
};
