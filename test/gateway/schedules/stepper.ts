/**
 * The due times of a Quartz expression without any cron library: checks every day, and every second that the expression
 * names on it, by the rules of Quartz's own manual.
 */

export type DueQuery = { expression: string; timeZone: string; from: number; to: number };

const NAMES = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** All due times after `from` and up to `to`, ms, ascending. */
export const dueTimes = ({ expression, timeZone, from, to }: DueQuery): readonly number[] => {
  const [second = '', minute = '', hour = '', day = '', month = '', weekday = '', year = ''] = expression.split(' ');
  const clock = clockOf(timeZone);
  const seconds = numbers(second, 0, 59);
  const minutes = numbers(minute, 0, 59);
  const hours = numbers(hour, 0, 23);
  const fixed = [second, minute, hour].every((field) => !/[*/]/.test(field));
  const found = new Set<number>();
  for (let midnight = from - (from % DAY) - 2 * DAY; midnight <= to + 2 * DAY; midnight += DAY) {
    const date = new Date(midnight);
    const fits =
      numbers(year, 1970, 2099).includes(date.getUTCFullYear()) &&
      numbers(month, 1, 12, MONTHS).includes(date.getUTCMonth() + 1) &&
      isDayOfMonth(day, date) &&
      isWeekday(weekday, date);
    if (!fits) continue;
    for (const hour of hours)
      for (const minute of minutes)
        for (const second of seconds) {
          const localTime = midnight + ((hour * 60 + minute) * 60 + second) * 1000;
          for (const at of clock.momentsOf(localTime, fixed)) if (at > from && at <= to) found.add(at);
        }
  }
  return [...found].sort((a, b) => a - b);
};

const DAY = 86_400_000;

const numbers = (field: string, min: number, max: number, names: readonly string[] = []): readonly number[] => {
  if (field === '*' || field === '?') return range(min, max, 1);
  const number = (text: string) => (names.includes(text) ? names.indexOf(text) + min : Number(text));
  return field.split(',').flatMap((item) => {
    const [span = '', step] = item.split('/');
    const [low = '', high] = span.split('-');
    const first = span === '*' ? min : number(low);
    const last = high !== undefined ? number(high) : step !== undefined || span === '*' ? max : first;
    return range(first, last, Number(step ?? 1));
  });
};

const range = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.max(0, Math.floor((to - from) / step) + 1) }, (_, index) => from + index * step);

const lastOf = (date: Date): number =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
const isWorkday = (date: Date): boolean => date.getUTCDay() !== 0 && date.getUTCDay() !== 6;
const sameMonth = (date: Date, day: number): Date => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), day));

const isDayOfMonth = (field: string, date: Date): boolean =>
  field.split(',').some((item) => {
    const day = date.getUTCDate();
    const last = lastOf(date);
    if (item === 'L') return day === last;
    if (item.startsWith('L-')) return day === last - Number(item.slice(2));
    if (item === 'LW') {
      // No weekday of the month comes after it.
      return isWorkday(date) && range(day + 1, last, 1).every((other) => !isWorkday(sameMonth(date, other)));
    }
    if (item.endsWith('W')) return day === nearestWorkday(date, Number(item.slice(0, -1)));
    return numbers(item, 1, 31).includes(day);
  });

/** The nearest weekday in the same month: a Friday and a Monday are never equally near. */
const nearestWorkday = (date: Date, day: number): number | undefined => {
  const last = lastOf(date);
  if (day > last) return undefined;
  const nearbyDays = [day, day - 1, day + 1, day - 2, day + 2].filter((each) => each >= 1 && each <= last);
  return nearbyDays.find((each) => isWorkday(sameMonth(date, each)));
};

const isWeekday = (field: string, date: Date): boolean =>
  field.split(',').some((item) => {
    const weekday = date.getUTCDay() + 1;
    const number = (text: string) => (NAMES.includes(text) ? NAMES.indexOf(text) + 1 : Number(text));
    const day = date.getUTCDate();
    if (item === 'L') return weekday === 7;
    if (item.endsWith('L')) return weekday === number(item.slice(0, -1)) && day + 7 > lastOf(date);
    const [parentId = '', nth] = item.split('#');
    if (nth !== undefined) return weekday === number(parentId) && Math.ceil(day / 7) === Number(nth);
    return numbers(item, 1, 7, NAMES).includes(weekday);
  });

/** The clock of a place, from the platform's own formatting of times. */
export const clockOf = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  /** The clock's reading, as if it were UTC. */
  const localTimeOf = (at: number): number => Date.parse(`${format.format(at).replace(' ', 'T')}Z`);
  const STEP = 15 * 60_000;
  return {
    shows: localTimeOf,
    /**
     * The moments at which the clock shows this reading, usually one. For fixed times: the first of two, or the end of
     * the gap if there is none.
     */
    momentsOf(localTime: number, fixed: boolean): readonly number[] {
      const offsets = new Set(
        [-DAY, 0, DAY].map((shiftMs) => localTimeOf(localTime + shiftMs) - (localTime + shiftMs)),
      );
      const moments = [...offsets].map((offset) => localTime - offset).filter((at) => localTimeOf(at) === localTime);
      if (moments.length > 0) return fixed ? [Math.min(...moments)] : moments;
      if (!fixed) return [];
      // Clocks change by whole quarters of an hour, so this finds the first quarter with a later reading.
      let at = localTime - DAY - ((localTime - DAY) % STEP);
      while (localTimeOf(at) < localTime) at += STEP;
      return [at];
    },
  };
};
