/** The schemes' retry rules, as tables. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSql } from '../../src/journal/sql.ts';
import {
  classOf,
  mayTry,
  openCardTries,
  RETRY_SPAN_MS,
  type RetryClass,
  type RetryScheme,
} from '../../src/queue/retry-rules.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const now = Date.UTC(2026, 0, 20);

test.each<[RetryScheme, string | undefined, string | undefined, RetryClass]>([
  ...['04', '07', '12', '14', '15', '41', '43', '46', '57', 'R0', 'R1', 'R3'].map(
    (code): [RetryScheme, string, undefined, RetryClass] => ['visa', code, undefined, 'never'],
  ),
  ['visa', '51', undefined, 'later'],
  ['visa', '54', undefined, 'fixData'],
  ['visa', 'N7', undefined, 'fixData'],
  ['mastercard', '51', '03', 'never'],
  ['mastercard', '51', '21', 'never'],
  ['mastercard', '05', '02', 'later'],
  ['mastercard', '05', '01', 'fixData'],
  ['mastercard', '14', undefined, 'fixData'],
  // Advice to try later does not make a stolen card valid.
  ['mastercard', '43', '02', 'never'],
  ['mastercard', '91', undefined, 'later'],
  ['other', '55', undefined, 'fixData'],
  ['other', '05', undefined, 'unlisted'],
  ['other', undefined, undefined, 'unlisted'],
])('%s %s with advice %s: %s', (scheme, response, advice, expected) => {
  expect(classOf({ response, advice }, scheme)).toBe(expected);
});

const times = (count: number, everyMs: number): number[] =>
  Array.from({ length: count }, (_, n) => now - 1 - (count - 1 - n) * everyMs);

test.each<[string, RetryScheme, number[], ReturnType<typeof mayTry>]>([
  ['nothing tried', 'visa', [], { kind: 'now', left: 20, deadline: now + 20 * DAY }],
  ['19 in 19 hours', 'visa', times(19, HOUR), { kind: 'now', left: 1, deadline: now + 20 * DAY }],
  ['20 in 20 hours: the month is full', 'visa', times(20, HOUR), { kind: 'over' }],
  ['9 in a day', 'mastercard', times(9, HOUR), { kind: 'now', left: 1, deadline: now + 20 * DAY }],
  [
    '10 in a day: allowed again when the oldest is a day old',
    'mastercard',
    times(10, HOUR),
    { kind: 'from', at: now - 1 - 9 * HOUR + DAY, deadline: now + 20 * DAY },
  ],
  [
    '35 in a month',
    'mastercard',
    times(35, 8 * HOUR),
    { kind: 'from', at: now - 1 - 34 * 8 * HOUR + 30 * DAY, deadline: now + 20 * DAY },
  ],
  [
    'an unknown scheme has the strictest rule',
    'other',
    times(15, DAY / 2),
    { kind: 'from', at: now - 1 - 7 * DAY + 30 * DAY, deadline: now + 30 * DAY },
  ],
])('%s (%s)', (_, scheme, tried, expected) => {
  const since = scheme === 'other' ? now : now - 10 * DAY;
  expect(mayTry({ tried, since, scheme }, now)).toEqual(expected);
});

/** A scheme, its number of tries within a span, and how many are allowed once those are outside it. */
const spans: [RetryScheme, number, number, number][] = [
  ['visa', 20, 30 * DAY, 20],
  ['mastercard', 10, DAY, 10],
  ['mastercard', 35, 30 * DAY, 10],
  ['other', 10, DAY, 5],
  ['other', 15, 30 * DAY, 10],
];

/** As many simultaneous tries as one span allows, at a time in the past; the other spans are not full. */
const triedAgo = (count: number, ms: number): number[] => Array.from({ length: count }, () => now - ms);

test.each(spans)('%s: %d tries count for exactly %d ms, and then %d are free', (scheme, most, withinMs, triesLeft) => {
  const may = (ms: number) => mayTry({ tried: triedAgo(most, ms), since: now, scheme }, now);
  const deadline = now + RETRY_SPAN_MS;
  expect(may(withinMs - 1)).toEqual({ kind: 'from', at: now + 1, deadline });
  expect(may(withinMs)).toEqual({ kind: 'now', left: triesLeft, deadline });
});

test('the oldest try leaves its span first, whatever the order', () => {
  const tried = [...times(10, HOUR)];
  const shuffled = [...tried.slice(5), ...tried.slice(0, 5)];
  const may = (triedTimes: readonly number[]) => mayTry({ tried: triedTimes, since: now, scheme: 'mastercard' }, now);
  expect(may(shuffled)).toEqual(may(tried));
});

test('of two full spans the one that ends later decides, in either order', () => {
  // 35 in a month, with the last ten in this hour.
  const tried = [...times(25, DAY).map((time) => time - 2 * DAY), ...triedAgo(10, HOUR)];
  const oldest = Math.min(...tried);
  const [full, day] = [oldest + 30 * DAY, now - HOUR + DAY];
  expect(mayTry({ tried, since: now, scheme: 'mastercard' }, now)).toMatchObject({ at: Math.max(full, day) });
  const young = triedAgo(35, HOUR);
  expect(mayTry({ tried: young, since: now - HOUR, scheme: 'mastercard' }, now)).toMatchObject({ kind: 'over' });
  // A full span of one day, and one of a month in which a try expires earlier.
  const mixed = [now - 30 * DAY + HOUR, ...triedAgo(24, 2 * DAY), ...triedAgo(10, HOUR)];
  expect(mayTry({ tried: mixed, since: now, scheme: 'mastercard' }, now)).toMatchObject({ at: now - HOUR + DAY });
});

test('a retry at the end of the sale’s period does not count', () => {
  const tried = triedAgo(10, 0);
  const may = (since: number) => mayTry({ tried, since, scheme: 'mastercard' }, now);
  expect(may(now + DAY - RETRY_SPAN_MS)).toEqual({ kind: 'over' });
  expect(may(now + DAY - RETRY_SPAN_MS + 1)).toMatchObject({ kind: 'from', at: now + DAY });
});

test('a raised limit applies from its date', () => {
  const raised = Date.UTC(2025, 4, 19);
  const triesLeft = (at: number) => mayTry({ tried: [], since: at, scheme: 'visa' }, at);
  expect([triesLeft(raised - 1), triesLeft(raised)]).toMatchObject([{ left: 15 }, { left: 20 }]);
});

test('before that date the limit is lower', () => {
  const longAgo = Date.UTC(2025, 4, 18);
  expect(mayTry({ tried: [], since: longAgo, scheme: 'visa' }, longAgo)).toMatchObject({ left: 15 });
});

test('after thirty days a sale is not retried', () => {
  expect(mayTry({ tried: [], since: now - RETRY_SPAN_MS, scheme: 'visa' }, now)).toEqual({ kind: 'over' });
});

test('tries are counted per card, and survive the process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tries-'));
  const path = join(folder, 'journal.db');
  let sql = openSql(path);
  for (const [card, at] of [['a', 1] as const, ['b', 2] as const, ['a', 3] as const])
    openCardTries(sql).note({ card, at, sale: 's', response: '91' });
  sql.close();
  sql = openSql(path);
  expect([openCardTries(sql).of('a', 0), openCardTries(sql).of('a', 1)]).toEqual([[1, 3], [3]]);
  sql.close();
  rmSync(folder, { recursive: true, force: true });
});
