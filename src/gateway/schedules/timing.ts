/** From the job.* of a request to one Quartz expression of seven fields (spec 2.28), or what is wrong with it. */
import { codes } from '../../base/result-codes.ts';
import type { Flat } from '../payments/account.ts';
import { broken, missing, type ParameterError } from '../spec/parameters/errors.ts';

/** Result codes of the catalogue's job group. */
export const jobCodes = {
  /** No job at all. */
  absent: codes.scheduleMissing,
  /** A job that does not say when. */
  timeless: codes.scheduleWithoutTime,
  /** Fields that do not go together, or never fall due, or too often. */
  unfit: codes.scheduleInvalid,
  duration: codes.scheduleDurationInvalid,
  notice: codes.scheduleNoticeInvalid,
  /** A payment type that no schedule has. */
  type: codes.scheduleTypeInvalid,
  /** What is to be rescheduled, or descheduled, does not run. */
  notRunning: codes.scheduleNotRunning,
  notEnded: codes.scheduleNotEnded,
} as const;

export type Wrong = { code: string; errors: readonly ParameterError[] };

/** The fields in the order of an expression, with the spec's defaults; the days have a rule of their own. */
const fields = [
  ['job.second', '0'],
  ['job.minute', '0'],
  ['job.hour', '0'],
  ['job.dayOfMonth', '1'],
  ['job.month', '1'],
  ['job.dayOfWeek', '1'],
  ['job.year', '*'],
] as const;

/** Whether anything of a job was sent. */
export const hasJob = (request: Flat): boolean => Object.keys(request).some((name) => name.startsWith('job.'));

/** `1` and `01` are one second, and `?` stands in exactly one of the day fields of what comes out. */
export const timingOf = (request: Flat): { expression: string } | { wrong: Wrong } => {
  const sent = request['job.expression'];
  if (!hasJob(request)) return wrong(jobCodes.absent, [missing('job.expression')]);
  if (sent === undefined && fields.every(([name]) => request[name] === undefined)) {
    return wrong(jobCodes.timeless, [missing('job.expression')]);
  }
  const given = sent?.split(' ') ?? fields.map(([name]) => request[name]);
  const days = daysOf(given[3], given[5]);
  if ('says' in days) {
    const names = sent === undefined ? (['job.dayOfMonth', 'job.dayOfWeek'] as const) : (['job.expression'] as const);
    return wrong(
      jobCodes.unfit,
      names.map((name) => broken(name, request[name], { says: days.says })),
    );
  }
  const [second, minute, hour, , month, , year] = fields.map(([, otherwise], at) => given[at] ?? otherwise);
  return { expression: [second, minute, hour, days.ofMonth, month, days.ofWeek, year].join(' ') };
};

const wrong = (code: string, errors: readonly ParameterError[]): { wrong: Wrong } => ({ wrong: { code, errors } });

const FREE: readonly (string | undefined)[] = ['?', '*'];

/**
 * Quartz knows days of the month or days of the week, not both: the field that is `?` (or `*`) leaves it to the other.
 * What was not sent leaves it to what was; with neither, and where the one that was sent leaves it to the other, the
 * spec's default counts.
 */
const daysOf = (
  ofMonth: string | undefined,
  ofWeek: string | undefined,
): { ofMonth: string; ofWeek: string } | { says: string } => {
  if (ofMonth === '?' && ofWeek === '?') return { says: 'must not be ? for days of the month and of the week both' };
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
  return { says: 'must not name days of the month and of the week both: one of them must be ?' };
};
