/** Waits and deadlines on a given clock, and the platform's clock itself. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { dateTime, deadline, pause, systemClock, within } from '../../src/base/clock.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const timeoutError = () => new Error('late');

test('a pause ends at its moment, not before', async () => {
  const clock = virtualClock();
  let isOver = false;
  const paused = pause(clock, 100).then(() => {
    isOver = true;
  });
  await clock.advance(99);
  expect(isOver).toBe(false);
  await clock.advance(1);
  expect(isOver).toBe(true);
  await paused;
});

describe('a deadline', () => {
  test('gives the value that came in time, and leaves no timer', async () => {
    const clock = virtualClock();
    const value = within(
      clock,
      100,
      pause(clock, 99).then(() => 'value'),
      timeoutError,
    );
    await clock.advance(99);
    await expect(value).resolves.toBe('value');
    expect(clock.waiting()).toBe(0);
  });

  test('gives the error that came in time, and leaves no timer', async () => {
    const clock = virtualClock();
    await expect(within(clock, 100, Promise.reject(new Error('broken')), timeoutError)).rejects.toThrow('broken');
    expect(clock.waiting()).toBe(0);
  });

  test('gives its own error when time is up, and what comes later is ignored', async () => {
    const clock = virtualClock();
    for (const after of [() => 'value', () => Promise.reject(new Error('broken'))]) {
      const outcome = within(clock, 100, pause(clock, 101).then<string>(after), timeoutError);
      const checked = expect(outcome).rejects.toThrow('late');
      await clock.advance(101);
      await checked;
    }
    expect(clock.waiting()).toBe(0);
  });
});

describe('a deadline on a machine that was suspended', () => {
  const openBench = (ms: number) => {
    const clock = virtualClock();
    const onTimeout = vi.fn();
    return { clock, over: onTimeout, stop: deadline(clock, ms, onTimeout) };
  };

  test('passes on time when the machine was not suspended', async () => {
    const { clock, over: onTimeout } = openBench(1_000);
    await clock.advance(999);
    expect(onTimeout).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(onTimeout).toHaveBeenCalledOnce();
    expect(clock.waiting()).toBe(0);
  });

  test.each([
    [700, 700],
    [60_000, 1_000],
  ])('waits for the lost time as well, %i ms: %i ms', async (lostMs, moreMs) => {
    const { clock, over: onTimeout } = openBench(1_000);
    clock.lag(1_000 + lostMs);
    await clock.advance(moreMs - 1);
    expect(onTimeout).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(onTimeout).toHaveBeenCalledOnce();
  });

  test('can be stopped during the extra wait', async () => {
    const { clock, over: onTimeout, stop } = openBench(1_000);
    clock.lag(3_000);
    await clock.advance(10);
    stop();
    expect(clock.waiting()).toBe(0);
    expect(onTimeout).not.toHaveBeenCalled();
  });

  test('gives the value that came during the suspension', async () => {
    const clock = virtualClock();
    const value = within(
      clock,
      100,
      pause(clock, 200).then(() => 'value'),
      timeoutError,
    );
    clock.lag(5_000);
    await clock.advance(0);
    await expect(value).resolves.toBe('value');
  });
});

test.each([
  [0, '1970-01-01 00:00:00'],
  [Date.UTC(2026, 10, 20, 14, 2, 11, 999), '2026-11-20 14:02:11'],
  [Date.UTC(2024, 1, 29), '2024-02-29 00:00:00'],
])('%i is %s', (ms, text) => {
  expect(dateTime(ms)).toBe(text);
});

describe('the platform’s clock', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('calls back once, on time', () => {
    const callback = vi.fn();
    systemClock.after(1000, callback);
    vi.advanceTimersByTime(999);
    expect(callback).not.toHaveBeenCalled();
    vi.advanceTimersByTime(5000);
    expect(callback).toHaveBeenCalledOnce();
  });

  test('does not call back once stopped', () => {
    const callback = vi.fn();
    systemClock.after(1000, callback)();
    vi.advanceTimersByTime(5000);
    expect(callback).not.toHaveBeenCalled();
  });

  test('waits longer than a platform timer can, and can be stopped at any step', () => {
    const thirtyDays = 30 * 86_400_000;
    const callback = vi.fn();
    const never = vi.fn();
    systemClock.after(thirtyDays, callback);
    const stop = systemClock.after(thirtyDays, never);
    vi.advanceTimersByTime(thirtyDays - 1);
    expect(callback).not.toHaveBeenCalled();
    stop();
    vi.advanceTimersByTime(1);
    expect(callback).toHaveBeenCalledOnce();
    expect(never).not.toHaveBeenCalled();
  });

  test('only increases', () => {
    const first = systemClock.monotonic();
    vi.setSystemTime(0);
    expect(systemClock.now()).toBe(0);
    vi.advanceTimersByTime(5);
    expect(systemClock.monotonic()).toBeGreaterThanOrEqual(first);
  });
});
