/** One long call at a time, a device that ends idle, and calls that several make at once. */
import { describe, expect, test } from 'vitest';
import { joined, noCardRead, ReaderCalls } from '../../drivers/long-calls.ts';
import { Fault } from '../../src/base/fault.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const silent = new Fault('terminal.silent', { command: 'read', ms: 1 });

const bench = (calm: () => Promise<unknown> = async () => {}) => {
  const told: Fault[] = [];
  let calmed = 0;
  let over: Fault | undefined;
  const device = {
    tools: { clock: virtualClock(), report: (why: Fault) => told.push(why) },
    check() {
      if (over !== undefined) throw over;
    },
  };
  const calls = new ReaderCalls(device, {
    calm() {
      calmed += 1;
      return calm();
    },
    after: ['terminal.refused'],
  });
  return { calls, told, calmed: () => calmed, end: (why: Fault) => (over = why) };
};

describe('long calls', () => {
  test('while one runs the terminal is busy with it, and idle again when it has ended', async () => {
    const { calls } = bench();
    const ending = Promise.withResolvers<string>();
    const running = calls.during('read', () => ending.promise);
    expect(calls.running()).toBe('read');
    expect(() => calls.idle()).toThrow(expect.objectContaining({ code: 'terminal.busy', facts: { command: 'read' } }));
    ending.resolve('done');
    expect(await running).toBe('done');
    expect(calls.running()).toBeUndefined();
    expect(() => calls.idle()).not.toThrow();
  });

  test('what ended the session is told before anything is begun', () => {
    const { calls, end } = bench();
    end(silent);
    expect(() => calls.idle()).toThrow(silent);
  });

  test.each([
    ['a refusal stops the device', noCardRead(), 1],
    ['a silent device is not spoken to', silent, 0],
  ])('%s', async (_, why, times) => {
    const { calls, calmed } = bench();
    await expect(calls.during('complete', () => Promise.reject(why))).rejects.toBe(why);
    expect(calmed()).toBe(times);
    expect(calls.running()).toBeUndefined();
  });

  test('a device that cannot be stopped is told of, and the refusal stays the reason', async () => {
    const { calls, told } = bench(() => Promise.reject(silent));
    await expect(calls.during('read', () => Promise.reject(noCardRead()))).rejects.toMatchObject({
      code: 'terminal.refused',
    });
    expect(told).toEqual([silent]);
  });
});

test('calls made while one runs get its answer; later ones run anew', async () => {
  let runs = 0;
  let ending = Promise.withResolvers<number>();
  const call = joined(() => {
    runs += 1;
    return ending.promise;
  });
  const both = [call(), call()];
  ending.resolve(7);
  expect(await Promise.all(both)).toEqual([7, 7]);
  expect(runs).toBe(1);
  ending = Promise.withResolvers<number>();
  const failing = call();
  ending.reject(silent);
  await expect(failing).rejects.toBe(silent);
  ending = Promise.withResolvers<number>();
  ending.resolve(8);
  expect(await call()).toBe(8);
  expect(runs).toBe(3);
});
