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
const admittedCount = (admit: ReturnType<typeof createThrottle>, of: Channel, count: number): number =>
  Array.from({ length: count }, () => admit(of)).filter(({ admitted }) => admitted).length;

test('a burst passes, then the refill; never more than a burst accumulates', async () => {
  const clock = virtualClock();
  const admit = createThrottle(clock);
  const slowChannel = channel(2, 5);
  expect(admittedCount(admit, slowChannel, 9)).toBe(5);
  await clock.advance(499);
  expect(admittedCount(admit, slowChannel, 9)).toBe(0);
  await clock.advance(1);
  expect(admittedCount(admit, slowChannel, 9)).toBe(1);
  await clock.advance(1_500);
  expect(admittedCount(admit, slowChannel, 9)).toBe(3);
  await clock.advance(3_600_000);
  expect(admittedCount(admit, slowChannel, 9)).toBe(5);
});

test('one channel does not affect another, and one without a throttle is never refused', () => {
  const admit = createThrottle(virtualClock());
  expect(admittedCount(admit, channel(1, 1), 3)).toBe(1);
  expect(admittedCount(admit, channel(1, 2, 'b'.repeat(32)), 3)).toBe(2);
  expect(admittedCount(admit, { entityId: 'c'.repeat(32), token: 'token' }, 1000)).toBe(1000);
});

test('a client that waits as long as told is admitted, and was not told a second too many', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.double({ min: 0.001, max: 50, noNaN: true }),
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 20 }),
      async (perSecond, burst, pauses) => {
        const clock = virtualClock();
        const admit = createThrottle(clock);
        const partialChannel = channel(perSecond, burst);
        for (const ms of pauses) {
          await clock.advance(ms);
          admit(partialChannel);
        }
        let verdict = admit(partialChannel);
        while (verdict.admitted) verdict = admit(partialChannel);
        const { retryAfterSeconds } = verdict;
        expect(retryAfterSeconds).toBeGreaterThanOrEqual(1);
        expect(Number.isInteger(retryAfterSeconds)).toBe(true);
        if (retryAfterSeconds > 1) {
          await clock.advance((retryAfterSeconds - 1) * 1000);
          expect(admit(partialChannel).admitted).toBe(false);
          await clock.advance(1000);
        } else await clock.advance(1000);
        expect(admit(partialChannel).admitted).toBe(true);
      },
    ),
    { numRuns: 50 },
  );
});
