import { expect, test } from 'vitest';
import { momentAt, startOfDay, wallTimeAt, zoneMinutesAt } from '../../src/base/wall-time.ts';

const momentOf = (text: string): number => Date.parse(text);

test.each([
  ['Europe/Vienna', '2026-01-01T22:59:59Z', '2025-12-31T23:00:00Z', 60],
  ['Europe/Vienna', '2026-01-01T23:00:00Z', '2026-01-01T23:00:00Z', 60],
  ['Europe/Vienna', '2026-07-01T12:00:00Z', '2026-06-30T22:00:00Z', 120],
  ['UTC', '2026-01-01T22:59:59Z', '2026-01-01T00:00:00Z', 0],
  ['Pacific/Auckland', '2026-01-01T11:30:00Z', '2026-01-01T11:00:00Z', 780],
  ['America/Los_Angeles', '2026-01-02T07:59:59Z', '2026-01-01T08:00:00Z', -480],
  ['Asia/Kathmandu', '2026-01-01T18:15:00Z', '2026-01-01T18:15:00Z', 345],
  // The days on which clocks change, before and after the change; the last one changes at midnight, which it skips.
  ['Europe/Vienna', '2026-03-29T00:30:00Z', '2026-03-28T23:00:00Z', 60],
  ['Europe/Vienna', '2026-03-29T12:00:00Z', '2026-03-28T23:00:00Z', 120],
  ['Europe/Vienna', '2026-10-25T12:00:00Z', '2026-10-24T22:00:00Z', 60],
  ['Africa/Cairo', '2026-04-24T10:00:00Z', '2026-04-23T22:00:00Z', 180],
])('in %s the day of %s started at %s', (timeZone, now, began, minutes) => {
  expect(startOfDay(momentOf(now), timeZone)).toBe(momentOf(began));
  expect(zoneMinutesAt(momentOf(now), timeZone)).toBe(minutes);
});

test('a moment and its wall time convert both ways, also in the machine’s zone', () => {
  const moment = momentOf('2026-02-03T04:05:06Z');
  expect(wallTimeAt(moment, 'Asia/Tokyo')).toEqual({ year: 2026, month: 2, day: 3, hour: 13, minute: 5, second: 6 });
  for (const timeZone of ['Asia/Tokyo', 'America/New_York', undefined])
    expect(momentAt(wallTimeAt(moment, timeZone), timeZone)).toBe(moment);
  const local = new Date(moment);
  expect(startOfDay(moment)).toBe(new Date(local.getFullYear(), local.getMonth(), local.getDate()).getTime());
});
