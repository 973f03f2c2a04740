/** A day's thread is ended for its own time, not for other work of the machine. */
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { virtualClock } from '../support/time/virtual-clock.ts';
import { type Meter, playInWorker } from './day-workers.ts';

const task = { seed: 1 };
const limits = { cpuMs: 300, realMs: 600_000, everyMs: 1_000 };
let worker: Worker;

const startThread = (work: string): Worker => {
  worker = new Worker(
    `const { parentPort } = require('node:worker_threads'); parentPort.on('message', (told) => { ${work} })`,
    {
      eval: true,
    },
  );
  return worker;
};
afterEach(() => worker.terminate());

/** Answers when it receives "answer". */
const startPatientThread = () => startThread("if (told === 'answer') parentPort.postMessage({ seed: 1 });");

/** The test sets the thread's processor time and the elapsed time. */
const meterOf = () => {
  const usage = { ms: 0 };
  const clock = virtualClock();
  const meter: Meter = { clock, usedMs: async () => usage.ms };
  return { used: usage, clock, meter };
};

test('an endless loop is ended once it has used its processor time', async () => {
  const short = { ...limits, cpuMs: 20, everyMs: 5 };
  expect(await playInWorker(startThread('for (;;);'), task, { limits: short })).toBeUndefined();
});

test('a thread that gets little processor time is waited for', async () => {
  const { used: usage, clock, meter } = meterOf();
  const day = playInWorker(startPatientThread(), task, { limits, meter });
  usage.ms = limits.cpuMs - 1;
  await clock.advance(limits.realMs - 1);
  worker.postMessage('answer');
  expect(await day).toEqual({ seed: 1 });
  expect(clock.waiting()).toBe(0);
});

test('processor time of earlier days is not counted', async () => {
  const { used: usage, clock, meter } = meterOf();
  const usedThread = startPatientThread();
  for (let n = 0; n < 4; n++) {
    const day = playInWorker(usedThread, task, { limits, meter });
    await clock.settle();
    usage.ms += limits.cpuMs / 2;
    await clock.advance(limits.everyMs);
    usedThread.postMessage('answer');
    expect(await day).toEqual({ seed: 1 });
  }
});

test('a thread that waits forever is ended', async () => {
  const { clock, meter } = meterOf();
  const day = playInWorker(startPatientThread(), task, { limits, meter });
  await clock.advance(limits.realMs);
  expect(await day).toBeUndefined();
});

test('a thread that throws reports its error', async () => {
  await expect(playInWorker(startThread("throw new Error('no such day')"), task)).rejects.toThrow('no such day');
});
