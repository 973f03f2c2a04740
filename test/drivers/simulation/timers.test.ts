/** Pending actions of a simulated device can all be cancelled at once. */
import { expect, test } from 'vitest';
import { Timers } from '../../../drivers/simulation/simulator.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';

test('callbacks come in time, and none after a stop', async () => {
  const clock = virtualClock();
  const timers = new Timers(clock);
  const heard: string[] = [];
  timers.after(100, () => heard.push('first'));
  timers.after(200, () => heard.push('second'));
  await clock.advance(150);
  expect(heard).toEqual(['first']);
  timers.stop();
  expect(clock.waiting()).toBe(0);
  await clock.advance(1_000);
  timers.after(10, () => heard.push('third'));
  await clock.advance(10);
  expect(heard).toEqual(['first', 'third']);
});
