/** The tests' clock itself: order, nesting, and that it reports when nothing happens. */
import { expect, test } from 'vitest';
import { pause } from '../../../src/base/clock.ts';
import { virtualClock } from './virtual-clock.ts';

test('timers fire in order of time, then in the order they were set, each at its own moment', async () => {
  const clock = virtualClock(1_000);
  const fired: string[] = [];
  const addFired = (name: string) => () => fired.push(`${name}@${clock.monotonic()}`);
  clock.after(20, addFired('b'));
  clock.after(10, addFired('a'));
  clock.after(20, addFired('c'));
  clock.after(15, addFired('never'))();
  await clock.advance(30);
  expect(fired).toEqual(['a@10', 'b@20', 'c@20']);
  expect([clock.now(), clock.monotonic(), clock.waiting()]).toEqual([1_030, 30, 0]);
});

test('work that a timer wakes runs before the next timer, and can set timers within the same advance', async () => {
  const clock = virtualClock();
  const seen: number[] = [];
  const runSteps = async () => {
    for (let step = 0; step < 3; step += 1) {
      await pause(clock, 10);
      seen.push(clock.monotonic());
    }
  };
  const walking = runSteps();
  await clock.advance(30);
  await walking;
  expect(seen).toEqual([10, 20, 30]);
});

test('until advances time only as far as needed, and gives up when nothing happens', async () => {
  const clock = virtualClock();
  expect(await clock.until(pause(clock, 500).then(() => 'done'))).toBe('done');
  expect(clock.monotonic()).toBe(500);
  await expect(clock.until(new Promise(() => {}), 100)).rejects.toThrow('nothing ended');
});

test('an endless cycle of timers is stopped and reported', async () => {
  const clock = virtualClock();
  const circle = (): void => void clock.after(1_000, circle);
  circle();
  await expect(clock.until(new Promise(() => {}), 3_600_000, 100)).rejects.toThrow('100 timers have fired');
  expect(clock.monotonic()).toBe(100_000);
});

test('virtual time stands still during real work', async () => {
  const clock = virtualClock();
  let fired = 0;
  clock.after(1_000, () => {
    fired = clock.monotonic();
  });
  const work = clock.real(
    new Promise<number>((resolve) => setImmediate(() => setImmediate(() => setImmediate(() => resolve(fired))))),
  );
  expect(await clock.until(work)).toBe(0);
  await clock.advance(1_000);
  expect(fired).toBe(1_000);
});

test('virtual time stands still while a module is being loaded', async () => {
  const clock = virtualClock();
  const circle = (): void => void clock.after(1_000, circle);
  circle();
  const loaded = import('../../../src/receipt/pdf.ts').then(() => clock.monotonic());
  expect(await clock.until(loaded)).toBe(0);
});
