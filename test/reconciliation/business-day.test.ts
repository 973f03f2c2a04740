/** The business day: cut-off, the store's own time zone, and clocks that somebody has set. */
import { expect, test } from 'vitest';
import { correctedTime, dateOf, nextDay } from '../../src/reconciliation/business-day.ts';

const rule = { cutOff: '04:00', timeZone: 'Europe/Vienna' };
const momentOf = (text: string) => Date.parse(text);

test.each([
  ['before midnight', '2026-11-21T22:59:00Z', '2026-11-21'],
  ['after midnight', '2026-11-21T23:01:00Z', '2026-11-21'],
  ['a second before the cut-off', '2026-11-22T02:59:59Z', '2026-11-21'],
  ['at the cut-off', '2026-11-22T03:00:00Z', '2026-11-22'],
  ['New Year’s night', '2027-01-01T00:30:00Z', '2026-12-31'],
  ['leap day', '2028-03-01T01:00:00Z', '2028-02-29'],
  ['the night when summer time begins', '2027-03-28T01:30:00Z', '2027-03-27'],
  ['the night when summer time ends, in the repeated hour', '2026-10-25T01:30:00Z', '2026-10-24'],
])('%s', (_, moment, date) => {
  expect(dateOf(momentOf(moment), rule)).toBe(date);
});

test('without a cut-off the business day is the calendar day', () => {
  expect(dateOf(momentOf('2026-11-21T23:30:00Z'), { cutOff: '00:00', timeZone: 'UTC' })).toBe('2026-11-21');
});

const certain = { date: '2026-11-20', trusted: true };
const uncertain = { date: '2027-11-20', trusted: false };

test.each([
  [
    'the first day',
    undefined,
    { at: momentOf('2026-11-21T10:00:00Z'), trusted: true },
    { date: '2026-11-21', trusted: true },
  ],
  [
    'the next day',
    certain,
    { at: momentOf('2026-11-21T10:00:00Z'), trusted: true },
    { date: '2026-11-21', trusted: true },
  ],
  ['a second batch on the same day', certain, { at: momentOf('2026-11-20T20:00:00Z'), trusted: true }, certain],
  [
    'the clock a year behind: not before a trusted day',
    certain,
    { at: momentOf('2025-11-21T10:00:00Z'), trusted: false },
    certain,
  ],
  [
    'the clock a year ahead: marked as untrusted',
    certain,
    { at: momentOf('2027-11-21T10:00:00Z'), trusted: false },
    { date: '2027-11-21', trusted: false },
  ],
  [
    'a trusted time after a wrong year',
    uncertain,
    { at: momentOf('2026-11-21T10:00:00Z'), trusted: true },
    { date: '2026-11-21', trusted: true },
  ],
  [
    'still untrusted after a wrong year',
    uncertain,
    { at: momentOf('2026-11-21T10:00:00Z'), trusted: false },
    uncertain,
  ],
])('%s', (_, last, now, expected) => {
  expect(nextDay(now, rule, last)).toEqual(expected);
});

test('an untrusted day is corrected at the close, and a trusted one never', () => {
  const evidence = momentOf('2026-11-21T10:00:00Z');
  const now = { at: momentOf('2026-11-22T20:00:00Z'), trusted: true };
  const right = { date: '2026-11-21', trusted: true };
  expect(correctedTime(uncertain, { evidence, now }, rule)).toEqual(right);
  expect(correctedTime(certain, { evidence, now }, rule)).toEqual(certain);
  // In the future: the clock was wrong. Today: it was right. In the past: nobody can tell.
  expect(correctedTime(uncertain, { evidence: undefined, now }, rule)).toEqual({ date: '2026-11-22', trusted: true });
  const today = { date: '2026-11-22', trusted: false };
  expect(correctedTime(today, { evidence: undefined, now }, rule)).toEqual({ ...today, trusted: true });
  const untrustedDay = { date: '2025-11-22', trusted: false };
  expect(correctedTime(untrustedDay, { evidence: undefined, now }, rule)).toEqual(untrustedDay);
  expect(correctedTime(uncertain, { evidence: undefined, now: { ...now, trusted: false } }, rule)).toEqual(uncertain);
});

test('without a zone the machine’s own is used', () => {
  const localRule = { cutOff: '04:00' };
  const namedRule = { ...localRule, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone };
  // Every seven hours for two years, which includes clock changes in both directions.
  const from = momentOf('2026-01-01T00:00:00Z');
  for (let n = 0; n < 2_500; n++)
    expect(dateOf(from + n * 25_200_000, localRule)).toBe(dateOf(from + n * 25_200_000, namedRule));
});
