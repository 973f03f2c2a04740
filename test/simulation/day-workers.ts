/** Plays days in parallel, each in its own thread, and reports them in the order of the tasks. */
import { Worker } from 'node:worker_threads';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { Day } from './day.ts';
import type { Task } from './day-worker.ts';

type Limits = {
  /** The thread's own processor time: other work of the machine does not count. */
  cpuMs: number;
  /** Real time, for a thread that waits forever. */
  realMs: number;
  /** Between two checks. */
  everyMs: number;
};

/** How a thread is measured. */
export type Meter = {
  clock: Clock;
  /** The thread's processor time since its start. Rejects for a thread that has just started or ended. */
  usedMs(worker: Worker): Promise<number>;
};

export const threadMeter: Meter = {
  clock: systemClock,
  async usedMs(worker) {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  },
};

/** A day that takes longer is stuck, and its thread is ended. */
const STANDSTILL: Limits = { cpuMs: 60_000, realMs: 15 * 60_000, everyMs: 1_000 };

/** A thread is replaced after this many days, together with the memory that dead tills have left in it. */
const DAYS_A_THREAD = 100;

type Tell = (day: Day, n: number) => boolean;

/** Reports each day with the number of its task, from 0. Stops when `notify` returns false. */
export const playAll = async (tasks: readonly Task[], jobs: number, notify: Tell): Promise<void> => {
  const daysByIndex = new Map<number, Day>();
  let startedAt = 0;
  let count = 0;
  let isRunning = true;
  /** Days are reported in order: the first reported failure is the first task that fails. */
  const record = (n: number, day: Day): void => {
    daysByIndex.set(n, day);
    for (let ready = daysByIndex.get(count); isRunning && ready !== undefined; ready = daysByIndex.get(count)) {
      daysByIndex.delete(count);
      isRunning = notify(ready, count);
      count += 1;
    }
  };
  const work = async (): Promise<void> => {
    let worker = open();
    let played = 0;
    while (isRunning && startedAt < tasks.length) {
      const n = startedAt++;
      const task = tasks[n];
      if (task === undefined) break;
      const day = await playInWorker(worker, task);
      played += 1;
      if (day === undefined || played % DAYS_A_THREAD === 0) {
        await worker.terminate();
        worker = open();
      }
      record(n, day ?? standstill(task));
    }
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: jobs }, work));
};

const open = (): Worker => new Worker(new URL('./day-worker.ts', import.meta.url));

/**
 * The day that the worker answers with, or undefined once it has used up the limits. Rejects with the worker's error.
 */
export const playInWorker = (
  worker: Worker,
  task: Task,
  { limits = STANDSTILL, meter = threadMeter }: { limits?: Limits; meter?: Meter } = {},
): Promise<Day | undefined> =>
  new Promise((resolve, reject) => {
    const { clock } = meter;
    const from = clock.monotonic();
    // The processor time that the thread used for the days before this one.
    let usedBefore: number | undefined;
    let stop = (): void => {};
    const end = (then: () => void): void => {
      stop();
      worker.off('message', notify).off('error', fail);
      then();
    };
    const notify = (day: Day) => end(() => resolve(day));
    const fail = (error: unknown) => end(() => reject(error));
    const checkProgress = async (): Promise<void> => {
      stop = clock.after(limits.everyMs, checkProgress);
      const usedMs = await meter.usedMs(worker).catch(() => 0);
      usedBefore ??= usedMs;
      if (usedMs - usedBefore < limits.cpuMs && clock.monotonic() - from < limits.realMs) return;
      end(() => resolve(undefined));
    };
    worker.on('message', notify).on('error', fail);
    worker.postMessage(task);
    void checkProgress();
  });

const standstill = (task: Task): Day => ({
  seed: 'cut' in task ? task.cut.seed : task.seed,
  sales: 0,
  crashes: 0,
  diskOperations: 0,
  endings: {},
  problems: [
    `the program came to a standstill: ${STANDSTILL.cpuMs / 1000} s of the processor, or ${STANDSTILL.realMs / 60_000} minutes`,
  ],
});
