import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Channel } from '../../../../src/gateway/channel.ts';
import { createThrottle } from '../../../../src/gateway/server/http/receive.ts';
import { virtualClock } from '../../../support/time/virtual-clock.ts';

const channel = (perSecond: number, burst: number, entityId = 'a'.repeat(32)): Channel => ({
  entityId,
  token: 'token',
  throttle: { perSecond, burst },
});

/** How many of `count` requests pass at this moment. */
const passing = (ask: ReturnType<typeof createThrottle>, of: Channel, count: number): number =>
  Array.from({ length: count }, () => ask(of)).filter(({ admitted }) => admitted).length;

test('a burst passes, then the refill; never more than a burst accumulates', async () => {
  const clock = virtualClock();
  const ask = createThrottle(clock);
  const slow = channel(2, 5);
  expect(passing(ask, slow, 9)).toBe(5);
  await clock.advance(499);
  expect(passing(ask, slow, 9)).toBe(0);
  await clock.advance(1);
  expect(passing(ask, slow, 9)).toBe(1);
  await clock.advance(1_500);
  expect(passing(ask, slow, 9)).toBe(3);
  await clock.advance(3_600_000);
  expect(passing(ask, slow, 9)).toBe(5);
});

test('one channel does not affect another, and one without a throttle is never refused', () => {
  const ask = createThrottle(virtualClock());
  expect(passing(ask, channel(1, 1), 3)).toBe(1);
  expect(passing(ask, channel(1, 2, 'b'.repeat(32)), 3)).toBe(2);
  expect(passing(ask, { entityId: 'c'.repeat(32), token: 'token' }, 1000)).toBe(1000);
});

test('a client that waits as long as told is admitted, and was not told a second too many', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.double({ min: 0.001, max: 50, noNaN: true }),
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 20 }),
      async (perSecond, burst, pauses) => {
        const clock = virtualClock();
        const ask = createThrottle(clock);
        const some = channel(perSecond, burst);
        for (const ms of pauses) {
          await clock.advance(ms);
          ask(some);
        }
        let verdict = ask(some);
        while (verdict.admitted) verdict = ask(some);
        const { retryAfterSeconds } = verdict;
        expect(retryAfterSeconds).toBeGreaterThanOrEqual(1);
        expect(Number.isInteger(retryAfterSeconds)).toBe(true);
        if (retryAfterSeconds > 1) {
          await clock.advance((retryAfterSeconds - 1) * 1000);
          expect(ask(some).admitted).toBe(false);
          await clock.advance(1000);
        } else await clock.advance(1000);
        expect(ask(some).admitted).toBe(true);
      },
    ),
    { numRuns: 50 },
  );
});
