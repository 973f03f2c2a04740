/** Spec 2.28: the times at which a stored payment is repeated. */
import { dateTime, n, oneOf, regex, text } from './kinds.ts';
import { section, withOptions } from './row.ts';

type CronField = {
  min: number;
  max: number;
  /** Names for numbers, the first for `min`. */
  names?: readonly string[];
  /** A subset of `, - * / ? L W #`. */
  signs: string;
};

const DAY_NAMES = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** As in spec 2.28, where a minute can only be a plain number. */
const cronFields = {
  second: { min: 0, max: 59, signs: ',-*/' },
  minute: { min: 0, max: 59, signs: '' },
  hour: { min: 0, max: 23, signs: ',-*/' },
  dayOfMonth: { min: 1, max: 31, signs: ',-*?/LW' },
  month: { min: 1, max: 12, signs: ',-*/' },
  dayOfWeek: { min: 1, max: 7, names: DAY_NAMES, signs: ',-*?/L#' },
  year: { min: 1970, max: 2099, signs: ',-*/' },
} as const satisfies Record<string, CronField>;

const SIGNS_ALL = ',-*/';
const expressionFields: readonly CronField[] = [
  cronFields.second,
  { ...cronFields.minute, signs: SIGNS_ALL },
  cronFields.hour,
  cronFields.dayOfMonth,
  { ...cronFields.month, names: MONTHS },
  cronFields.dayOfWeek,
  cronFields.year,
];

/** Whether a text is such a field. Ranges must ascend, and a step is at least 1. */
const isCronField = (text: string, field: CronField): boolean => {
  const items = field.signs.includes(',') ? text.split(',') : [text];
  return items.every((item) => isItem(item, field) && (item !== '?' || items.length === 1));
};

/** Six or seven fields: second, minute, hour, day of month, month, day of week, and optionally a year. */
const isCronExpression = (text: string): boolean => {
  const parts = text.split(' ');
  return (
    (parts.length === 6 || parts.length === 7) &&
    parts.every((part, i) => {
      const field = expressionFields[i];
      return field !== undefined && isCronField(part, field);
    })
  );
};

const isItem = (item: string, field: CronField): boolean => {
  const { signs, min, max } = field;
  if (item === '*' || item === '?') return signs.includes(item);
  const [, span = '', step] = /^([^/]+)(?:\/([0-9]{1,4}))?$/.exec(item) ?? [];
  if (step !== undefined) {
    const steps = Number(step) >= 1 && Number(step) <= max && signs.includes('/');
    return steps && (span === '*' || isSpan(span, field) || numberOf(span, field) !== undefined);
  }
  if (isSpan(span, field) || numberOf(span, field) !== undefined) return true;
  if (signs.includes('W')) return isLastOrWorkday(span, max);
  const [, day, ending] = /^([0-9A-Z]*?)(L|#[1-5])$/.exec(span) ?? [];
  if (day === undefined || ending === undefined || !signs.includes(ending.charAt(0))) return false;
  return day === '' ? ending === 'L' && min === 1 : numberOf(day, field) !== undefined;
};

/** L, LW, L-3 (this many days before the last), 15W (the nearest weekday). */
const isLastOrWorkday = (text: string, max: number): boolean => {
  if (text === 'L' || text === 'LW') return true;
  const [, daysBefore, workday] = /^(?:L-([0-9]{1,2})|([0-9]{1,2})W)$/.exec(text) ?? [];
  if (daysBefore !== undefined) return Number(daysBefore) >= 1 && Number(daysBefore) < max;
  return Number(workday ?? 0) >= 1 && Number(workday) <= max;
};

const isSpan = (text: string, field: CronField): boolean => {
  if (!field.signs.includes('-')) return false;
  const [start = '', end = '', ...rest] = text.split('-');
  const first = numberOf(start, field);
  const last = numberOf(end, field);
  return rest.length === 0 && first !== undefined && last !== undefined && first <= last;
};

const numberOf = (text: string, { min, max, names = [] }: CronField): number | undefined => {
  const nameIndex = names.indexOf(text);
  if (nameIndex >= 0) return min + nameIndex;
  if (!/^[0-9]{1,4}$/.test(text)) return undefined;
  const number = Number(text);
  return number >= min && number <= max ? number : undefined;
};

/** The maximum length: a list of all numbers of a field. */
const FIELD = /^[0-9A-Z,*?/#-]{1,1024}$/;

type Limits = { good: readonly string[]; bad: readonly string[] };

const field = (message: string, rules: CronField, { good, bad }: Limits) => {
  const { min, max, names, signs } = rules;
  const text = names === undefined ? '' : ` or ${names[0]} to ${names.at(-1)}`;
  const others = signs === '' ? '' : `, or a cron field of them with the signs ${[...signs].join(' ')}`;
  return regex(
    FIELD,
    {
      mustBe: `${min} to ${max}${text}${others}`,
      check: (value) => isCronField(value, rules),
      good: [String(min), String(max), ...good],
      bad: [String(min - 1), String(max + 1), 'x', ' ', `${max} `, ...bad],
    },
    message,
    String(min),
  );
};

const LIST: Limits = {
  good: ['*', '*/5', '3-5', '3,5', '3-10/2', '3/4'],
  bad: ['?', 'L', '5-3', '*/0', ',', '3,', '**'],
};
const YEARS: Limits = { good: ['*', '2027-2030', '2027,2029', '2027/2'], bad: ['?', 'L', '2030-2027', '*/0', '27'] };
const DAYS: Limits = {
  good: ['?', '*', 'L', 'LW', 'L-3', '15W', '1,15', '1-5', '2/7'],
  bad: ['#', '2#1', '32W', 'L-31', 'W', 'LL', '5-3', 'MON'],
};
const WEEKDAYS: Limits = {
  good: ['?', '*', 'L', '6L', 'FRIL', '2#1', 'FRI#5', 'SUN', 'SAT', 'MON-FRI', 'MON,WED', '2/2'],
  bad: ['W', '2W', '2#6', '2#0', '8#1', 'FRI-MON', 'mon', 'MONDAY', '#2'],
};

const PERIODS = ['YEAR', 'MONTH', 'WEEK', 'DAY', 'HOUR', 'MINUTE', 'SECOND'] as const;

const rows = {
  name: text([1, 64], 'The job’s name.', 'Magazine, monthly'),
  year: field('Years; * if absent.', cronFields.year, YEARS),
  month: field('Months; 1 if absent.', cronFields.month, LIST),
  dayOfMonth: field('Days of the month; 1 if absent.', cronFields.dayOfMonth, DAYS),
  dayOfWeek: field('Days of the week, 1 is Sunday; 1 if absent.', cronFields.dayOfWeek, WEEKDAYS),
  hour: field('Hours; 0 if absent.', cronFields.hour, LIST),
  minute: field('Minute; 0 if absent.', cronFields.minute, { good: ['05'], bad: ['*', '*/5', '3-5', '3,5', '?'] }),
  second: field('Seconds; 0 if absent.', cronFields.second, LIST),
  startDate: dateTime('Not before.', '2026-12-01 00:00:00'),
  endDate: dateTime('Not after.', '2027-11-30 23:59:59'),
  noticeUnit: oneOf(PERIODS, 'Unit of the notice.', 'MONTH'),
  durationUnit: oneOf(PERIODS, 'Unit of the duration.', 'YEAR'),
  noticeNumber: n([1, 16], 'How many units of notice.', '1'),
  durationNumber: n([1, 16], 'The number of units of the duration.', '2'),
  noticeCallable: oneOf(['ANYTIME', 'DURATION_END'], 'When notice takes effect.', 'ANYTIME'),
  expression: regex(
    /^[0-9A-Z,*?/# -]{11,256}$/,
    {
      mustBe: 'a cron expression of 6 or 7 fields in up to 256 characters: second minute hour day month weekday year',
      check: isCronExpression,
      good: [
        '0 0 12 1 * ?',
        '0 0 12 1 * ? 2027',
        '0 0/15 8-17 ? * MON-FRI *',
        '0 30 10 L JAN-JUN ? 2027-2030',
        `${'0,'.repeat(122)}0 0 0 1 1 ?`,
      ],
      bad: [
        '0 12 1 * ?',
        '0 0 12 1 * ? 2027 *',
        '60 0 12 1 * ?',
        '0 60 12 1 * ?',
        '0 0 24 1 * ?',
        '0 0 12 32 * ?',
        '0 0 12 1 13 ?',
        '0 0 12 1 * 8',
        '0 0 12 1 * ? 1969',
        '0  0 12 1 * ?',
        ' 0 0 12 1 * ?',
        '@monthly',
        `${'0,'.repeat(123)}0 0 0 1 1 ?`,
      ],
    },
    'All fields at once; takes precedence over them.',
    '0 0 12 1 * ?',
  ),
};

/** Fields of Quartz cron expressions: numbers or names with the signs that spec 2.28 allows for each field. */
export const job = section('job', withOptions(rows, { echo: true }));
