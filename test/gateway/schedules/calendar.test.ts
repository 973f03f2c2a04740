/** Due times compared with a naive stepper, for random expressions in places whose clocks change. */
import { expect, test } from 'vitest';
import { calendarOf } from '../../../src/gateway/schedules/calendar.ts';
import { dice, SEED } from '../../support/chance/dice.ts';
import { byNight } from '../../support/night/night.ts';
import { dueTimes } from './stepper.ts';

const ZONES = ['UTC', 'Europe/Vienna', 'Australia/Lord_Howe', 'Pacific/Auckland', 'America/Sao_Paulo'] as const;

const dueTimesBetween = (
  expression: string,
  timeZone: string,
  { from, to }: { from: number; to: number },
): number[] => {
  const calendar = calendarOf(expression, timeZone);
  const found: number[] = [];
  for (let at = calendar.nextAfter(from); at !== undefined && at <= to; at = calendar.nextAfter(at)) found.push(at);
  return found;
};

const at = (text: string): number => Date.parse(text);
const iso = (times: readonly number[]): string[] => times.map((each) => new Date(each).toISOString().slice(0, 19));

const rows: readonly [string, string, string, number, readonly string[]][] = [
  [
    'the first of each month',
    '0 0 0 1 * ? *',
    'UTC',
    90,
    ['2026-02-01T00:00:00', '2026-03-01T00:00:00', '2026-04-01T00:00:00'],
  ],
  ['the last day', '0 0 0 L * ? *', 'UTC', 60, ['2026-01-31T00:00:00', '2026-02-28T00:00:00']],
  ['three days before the last', '0 0 0 L-3 * ? *', 'UTC', 60, ['2026-01-28T00:00:00', '2026-02-25T00:00:00']],
  ['the last workday', '0 0 0 LW * ? *', 'UTC', 60, ['2026-01-30T00:00:00', '2026-02-27T00:00:00']],
  ['the last weekday in a list', '0 0 0 1,LW * ? *', 'UTC', 40, ['2026-01-30T00:00:00', '2026-02-01T00:00:00']],
  ['the weekday nearest to a Sunday', '0 0 0 15W 2 ? *', 'UTC', 60, ['2026-02-16T00:00:00']],
  ['the first weekday stays in its month', '0 0 0 1W 2 ? *', 'UTC', 60, ['2026-02-02T00:00:00']],
  ['1 is Sunday', '0 0 0 ? * 1 *', 'UTC', 10, ['2026-01-04T00:00:00', '2026-01-11T00:00:00']],
  ['a bare L is Saturday', '0 0 0 ? * L *', 'UTC', 3, ['2026-01-03T00:00:00']],
  ['the last Friday', '0 0 0 ? * 6L *', 'UTC', 40, ['2026-01-30T00:00:00']],
  ['the second Monday', '0 0 0 ? * 2#2 *', 'UTC', 40, ['2026-01-12T00:00:00', '2026-02-09T00:00:00']],
  ['a step of weekdays', '0 0 0 ? * 2/2 *', 'UTC', 5, ['2026-01-02T00:00:00', '2026-01-05T00:00:00']],
  [
    'every fourth year from 1970',
    '0 0 0 1 3 ? */4',
    'UTC',
    3000,
    ['2026-03-01T00:00:00', '2030-03-01T00:00:00', '2034-03-01T00:00:00'],
  ],
  ['a leap day', '0 0 0 29 2 ? *', 'UTC', 2000, ['2028-02-29T00:00:00']],
  [
    'a skipped hour, once',
    '0 30 2 28-30 3 ? *',
    'Europe/Vienna',
    90,
    ['2026-03-28T01:30:00', '2026-03-29T01:00:00', '2026-03-30T00:30:00'],
  ],
  [
    'a repeated hour, once',
    '0 30 2 24-26 10 ? *',
    'Europe/Vienna',
    300,
    ['2026-10-24T00:30:00', '2026-10-25T00:30:00', '2026-10-26T01:30:00'],
  ],
  [
    'a list of hours with a skipped one',
    '0 15 1-2 29 3 ? *',
    'Europe/Vienna',
    90,
    ['2026-03-29T00:15:00', '2026-03-29T01:00:00'],
  ],
  ['midnight at the turn of the year', '0 0 0 1 1 ? 2027', 'Pacific/Auckland', 400, ['2026-12-31T11:00:00']],
];

test.each(rows)('%s: %s in %s', (_, expression, timeZone, days, expected) => {
  const from = at('2026-01-01T12:00:00Z');
  const window = { from, to: from + days * 86_400_000 };
  expect(iso(dueTimesBetween(expression, timeZone, window))).toEqual(expected);
  expect(iso(dueTimes({ expression, timeZone, ...window }))).toEqual(expected);
});

test.each([
  ['30 February', '0 0 0 30 2 ? *'],
  ['a year that is over', '0 0 0 1 1 ? 1999'],
  ['thirty days before the last of February', '0 0 0 L-30 2 ? *'],
  ['a fifth Monday that no February of these years has', '0 0 0 ? 2 2#5 2026-2030'],
  ['beyond the last year', '0 0 0 ? 2 1#5 2090-2099'],
])('%s never falls due', (_, expression) => {
  expect(calendarOf(expression, 'Europe/Vienna').nextAfter(at('2026-01-01T00:00:00Z'))).toBeUndefined();
});

test.each([
  ['0 0 0 1 * ? *', 86_400],
  ['0 0 0,12 * * ? *', 43_200],
  ['0 0 23,1 * * ? *', 7200],
  ['0 0 * * * ? *', 3600],
  ['0 0/15 8-17 * * ? *', 900],
  ['* * * * * ? *', 1],
  ['5,50 * * * * ? *', 15],
])('%s has at least %d s between due times', (expression, seconds) => {
  expect(calendarOf(expression, 'UTC').leastSeconds).toBe(seconds);
});

test(`random expressions fall due when the stepper says, seed ${SEED}`, () => {
  const { between, one: oneOf, percent } = dice(SEED);
  const number = (min: number, max: number) => String(between(min, max));
  const span = (min: number, max: number): string => {
    const low = between(min, max - 1);
    return `${low}-${between(low + 1, max)}`;
  };
  const simpleField = (min: number, max: number): string =>
    oneOf([
      number(min, max),
      number(min, max),
      span(min, max),
      `${number(min, max)},${number(min, max)}`,
      `${number(min, max)}/${number(2, Math.min(9, max))}`,
      `${span(min, max)}/${number(1, 5)}`,
    ]);
  const dayOfMonth = () =>
    oneOf([
      '1',
      'L',
      'LW',
      `L-${number(1, 30)}`,
      `${number(1, 31)}W`,
      simpleField(1, 31),
      `${number(1, 28)},L`,
      `LW,L-${number(1, 9)},${number(1, 31)}`,
      '*',
      '*/7',
    ]);
  const dayOfWeek = () =>
    oneOf([
      'MON-FRI',
      'L',
      `${number(1, 7)}L`,
      `${number(1, 7)}#${number(1, 5)}`,
      simpleField(1, 7),
      'SUN',
      'FRIL,2#1',
      '*/3',
    ]);
  const expressionOf = () => {
    const days = percent(50) ? [dayOfMonth(), '?'] : ['?', dayOfWeek()];
    const hour = percent(20) ? '*' : percent(30) ? simpleField(0, 23) : number(0, 4);
    const year = percent(70) ? '*' : oneOf(['2026-2028', '*/2', '2027', '2025/3']);
    return [number(0, 59), number(0, 59), hour, days[0], percent(60) ? '*' : simpleField(1, 12), days[1], year].join(
      ' ',
    );
  };
  // The daytime test, too, draws each place whose clock changes several times.
  const rounds = byNight({ day: 20, night: 60 });
  for (let round = 0; round < rounds; round += 1) {
    const expression = expressionOf();
    const timeZone = oneOf(ZONES);
    const from = at('2026-01-01T00:00:00Z') + between(0, 500) * 86_400_000 + between(0, 86_400_000);
    const window = { from, to: from + 300 * 86_400_000 };
    const candidates = dueTimes({ expression, timeZone, ...window });
    const found = dueTimesBetween(expression, timeZone, window);
    expect(iso(found), `${expression} in ${timeZone}`).toEqual(iso(candidates));
    const endAt = between(window.from, window.to);
    const last = calendarOf(expression, timeZone).lastBefore(endAt, window.from + 1);
    expect(last, `${expression} in ${timeZone} before ${endAt}`).toBe(
      candidates.filter((each) => each <= endAt).at(-1),
    );
  }
}, 60_000);
