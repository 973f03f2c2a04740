/** Days from one cut-off to the next: every moment is in exactly one of them. */
import { expect, test } from 'vitest';
import {
  dayOf,
  dueAt,
  endOfDay,
  lastDueDay,
  localTimeOf,
  nextDay,
} from '../../../src/gateway/reports/settlement-day.ts';

const utc = { timeZone: 'UTC', cutOff: 1440 };
const berlin = { timeZone: 'Europe/Berlin', cutOff: 1440 };
const evening = { timeZone: 'America/New_York', cutOff: 17 * 60 };

test.each([
  [utc, '2026-11-21T00:00:00Z', '2026-11-21'],
  [utc, '2026-11-20T23:59:59Z', '2026-11-20'],
  [berlin, '2026-11-20T23:00:00Z', '2026-11-21'],
  [berlin, '2026-11-20T22:59:59Z', '2026-11-20'],
  [berlin, '2026-07-20T22:00:00Z', '2026-07-21'],
  [evening, '2026-11-20T21:59:59Z', '2026-11-20'],
  [evening, '2026-11-20T22:00:00Z', '2026-11-21'],
])('%j at %s', (days, at, day) => {
  expect(dayOf(Date.parse(at), days)).toBe(day);
});

test('days follow each other without a gap, also when clocks change', () => {
  for (const days of [
    utc,
    berlin,
    evening,
    { timeZone: 'Australia/Lord_Howe', cutOff: 150 },
    { timeZone: 'Asia/Kathmandu', cutOff: 30 },
  ]) {
    for (let day = '2026-01-01'; day < '2027-01-02'; day = nextDay(day)) {
      const end = endOfDay(day, days);
      const hours = (endOfDay(nextDay(day), days) - end) / 3_600_000;
      expect([day, dayOf(end - 1, days), dayOf(end, days)]).toEqual([day, day, nextDay(day)]);
      expect(hours).toBeGreaterThanOrEqual(23);
      expect(hours).toBeLessThanOrEqual(25);
    }
  }
});

test('the file is due at the first occurrence of its time after the cut-off', () => {
  const night = { ...berlin, at: 180 };
  expect(dueAt('2026-11-20', night)).toBe(Date.parse('2026-11-21T02:00:00Z'));
  expect(lastDueDay(Date.parse('2026-11-21T01:59:59Z'), night)).toBe('2026-11-19');
  expect(lastDueDay(Date.parse('2026-11-21T02:00:00Z'), night)).toBe('2026-11-20');
  expect(dueAt('2026-11-20', { ...evening, at: 18 * 60 })).toBe(Date.parse('2026-11-20T23:00:00Z'));
  expect(dueAt('2026-11-20', { ...evening, at: 180 })).toBe(Date.parse('2026-11-21T08:00:00Z'));
});

test('a time is shown as clocks in the zone show it', () => {
  expect(localTimeOf(Date.parse('2026-11-21T12:00:00.999Z'), 'Europe/Berlin')).toBe('2026-11-21 13:00:00');
  expect(localTimeOf(Date.parse('2026-11-21T12:00:00Z'), 'UTC')).toBe('2026-11-21 12:00:00');
});
