/** Fields of Quartz cron expressions: numbers or names with the signs that each field of spec 2.28 may have. */

export type CronField = {
  min: number;
  max: number;
  /** Names that stand for numbers, the first for `min`. */
  names?: readonly string[];
  /** Of `, - * / ? L W #`. */
  signs: string;
};

const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** As spec 2.28 has them. A minute alone is a plain number there. */
export const cronFields = {
  second: { min: 0, max: 59, signs: ',-*/' },
  minute: { min: 0, max: 59, signs: '' },
  hour: { min: 0, max: 23, signs: ',-*/' },
  dayOfMonth: { min: 1, max: 31, signs: ',-*?/LW' },
  month: { min: 1, max: 12, signs: ',-*/' },
  dayOfWeek: { min: 1, max: 7, names: DAYS, signs: ',-*?/L#' },
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

/** Whether a text is such a field. Ranges go upwards, and a step is at least 1. */
export const isCronField = (text: string, field: CronField): boolean => {
  const items = field.signs.includes(',') ? text.split(',') : [text];
  return items.every((item) => isItem(item, field) && (item !== '?' || items.length === 1));
};

/** Six or seven fields: second, minute, hour, day of month, month, day of week, and perhaps a year. */
export const isCronExpression = (text: string): boolean => {
  const parts = text.split(' ');
  return (
    (parts.length === 6 || parts.length === 7) &&
    parts.every((part, at) => {
      const field = expressionFields[at];
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

/** L, LW, L-3 (so many days before the last), 15W (the workday nearest to it). */
const isLastOrWorkday = (text: string, max: number): boolean => {
  if (text === 'L' || text === 'LW') return true;
  const [, before, workday] = /^(?:L-([0-9]{1,2})|([0-9]{1,2})W)$/.exec(text) ?? [];
  if (before !== undefined) return Number(before) >= 1 && Number(before) < max;
  return Number(workday ?? 0) >= 1 && Number(workday) <= max;
};

const isSpan = (text: string, field: CronField): boolean => {
  if (!field.signs.includes('-')) return false;
  const [from = '', to = '', ...more] = text.split('-');
  const first = numberOf(from, field);
  const last = numberOf(to, field);
  return more.length === 0 && first !== undefined && last !== undefined && first <= last;
};

const numberOf = (text: string, { min, max, names = [] }: CronField): number | undefined => {
  const named = names.indexOf(text);
  if (named >= 0) return min + named;
  if (!/^[0-9]{1,4}$/.test(text)) return undefined;
  const number = Number(text);
  return number >= min && number <= max ? number : undefined;
};
