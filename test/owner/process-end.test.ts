/** Waiting until the system has removed a process that has closed everything. */
import { expect, test } from 'vitest';
import { waitForProcessEnd } from '../../src/owner/client.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

/** A higher number than any system assigns. */
const NOBODYS = 2 ** 30;

test('a process that is gone is not waited for', async () => {
  const clock = virtualClock();
  await waitForProcessEnd(NOBODYS, clock);
  expect(clock.waiting()).toBe(0);
});

test('a living process is waited for, but not for ever: in a container the number may belong to another', async () => {
  const clock = virtualClock();
  let isOver = false;
  const finished = waitForProcessEnd(process.pid, clock).then(() => {
    isOver = true;
  });
  await clock.advance(4_000);
  expect(isOver).toBe(false);
  await clock.advance(2_000);
  await finished;
  expect(isOver).toBe(true);
});
