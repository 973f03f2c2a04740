/** Pending actions of a simulated device can all be cancelled at once. */
import { expect, test } from 'vitest';
import { Timers } from '../../../drivers/simulation/simulator.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';

test('callbacks come in time, and none after a stop', async () => {
  const clock = virtualClock();
  const timers = new Timers(clock);
  const received: string[] = [];
  timers.after(100, () => received.push('first'));
  timers.after(200, () => received.push('second'));
  await clock.advance(150);
  expect(received).toEqual(['first']);
  timers.stop();
  expect(clock.waiting()).toBe(0);
  await clock.advance(1_000);
  timers.after(10, () => received.push('third'));
  await clock.advance(10);
  expect(received).toEqual(['first', 'third']);
});
