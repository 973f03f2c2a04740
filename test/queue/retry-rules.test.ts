/** The schemes' rules for repeats, as tables. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSql } from '../../src/journal/sql.ts';
import { openCardTries } from '../../src/queue/card-tries.ts';
import { classOf, mayTry, RETRY_SPAN_MS, type RetryClass, type Scheme } from '../../src/queue/retry-rules.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const now = Date.UTC(2026, 0, 20);

test.each<[Scheme, string | undefined, string | undefined, RetryClass]>([
  ...['04', '07', '12', '14', '15', '41', '43', '46', '57', 'R0', 'R1', 'R3'].map(
    (code): [Scheme, string, undefined, RetryClass] => ['visa', code, undefined, 'never'],
  ),
  ['visa', '51', undefined, 'later'],
  ['visa', '54', undefined, 'fixData'],
  ['visa', 'N7', undefined, 'fixData'],
  ['mastercard', '51', '03', 'never'],
  ['mastercard', '51', '21', 'never'],
  ['mastercard', '05', '02', 'later'],
  ['mastercard', '05', '01', 'fixData'],
  ['mastercard', '14', undefined, 'fixData'],
  // Advice to try later does not bring back a stolen card.
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

test.each<[string, Scheme, number[], ReturnType<typeof mayTry>]>([
  ['nothing tried', 'visa', [], { kind: 'now', left: 20, until: now + 20 * DAY }],
  ['19 in 19 hours', 'visa', times(19, HOUR), { kind: 'now', left: 1, until: now + 20 * DAY }],
  ['20 in 20 hours: the month is full', 'visa', times(20, HOUR), { kind: 'over' }],
  ['9 in a day', 'mastercard', times(9, HOUR), { kind: 'now', left: 1, until: now + 20 * DAY }],
  [
    '10 in a day: free again when the oldest is a day old',
    'mastercard',
    times(10, HOUR),
    { kind: 'from', at: now - 1 - 9 * HOUR + DAY, until: now + 20 * DAY },
  ],
  [
    '35 in a month',
    'mastercard',
    times(35, 8 * HOUR),
    { kind: 'from', at: now - 1 - 34 * 8 * HOUR + 30 * DAY, until: now + 20 * DAY },
  ],
  [
    'an unknown scheme takes the strictest',
    'other',
    times(15, DAY / 2),
    { kind: 'from', at: now - 1 - 7 * DAY + 30 * DAY, until: now + 30 * DAY },
  ],
])('%s (%s)', (_, scheme, tried, expected) => {
  const since = scheme === 'other' ? now : now - 10 * DAY;
  expect(mayTry({ tried, since, scheme }, now)).toEqual(expected);
});

test('before the limit was raised it was lower', () => {
  const then = Date.UTC(2025, 4, 18);
  expect(mayTry({ tried: [], since: then, scheme: 'visa' }, then)).toMatchObject({ left: 15 });
});

test('after thirty days nothing of a sale is tried again', () => {
  expect(mayTry({ tried: [], since: now - RETRY_SPAN_MS, scheme: 'visa' }, now)).toEqual({ kind: 'over' });
});

test('tries are counted for each card, and outlive the process', () => {
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
