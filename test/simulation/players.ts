/** Days played side by side, each in a thread of its own; their results in the order of the seeds. */
import { Worker } from 'node:worker_threads';
import type { Day } from './day.ts';
import type { Plant } from './plants.ts';
import type { Task } from './player.ts';

export type Wish = { first: number; seeds: number; jobs: number; plant?: Plant | undefined };

/** A day that takes longer than this has come to a standstill: its thread is ended. Real milliseconds. */
export const STANDSTILL_MS = 60_000;

/** Stops when `tell` says false. */
export const playAll = async ({ first, seeds, jobs, plant }: Wish, tell: (day: Day) => boolean): Promise<void> => {
  const waiting = Array.from({ length: seeds }, (_, n) => first + n);
  const done = new Map<number, Day>();
  let next = first;
  let goesOn = true;
  /** What is done is told in order: the first failure told is the smallest seed. */
  const note = (day: Day): void => {
    done.set(day.seed, day);
    for (let ready = done.get(next); goesOn && ready !== undefined; ready = done.get(next)) {
      done.delete(next);
      next += 1;
      goesOn = tell(ready);
    }
  };
  const work = async (): Promise<void> => {
    let worker = open();
    for (let seed = waiting.shift(); goesOn && seed !== undefined; seed = waiting.shift()) {
      const day = await played(worker, { seed, plant });
      if (day === undefined) {
        await worker.terminate();
        worker = open();
      }
      note(day ?? standstill(seed));
    }
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: jobs }, work));
};

const open = (): Worker => new Worker(new URL('./player.ts', import.meta.url));

const played = (worker: Worker, task: Task): Promise<Day | undefined> =>
  new Promise((resolve, reject) => {
    const end = (then: () => void): void => {
      clearTimeout(timer);
      worker.off('message', told).off('error', failed);
      then();
    };
    const told = (day: Day) => end(() => resolve(day));
    const failed = (error: unknown) => end(() => reject(error));
    const timer = setTimeout(() => end(() => resolve(undefined)), STANDSTILL_MS);
    worker.on('message', told).on('error', failed);
    worker.postMessage(task);
  });

const standstill = (seed: number): Day => ({
  seed,
  sales: 0,
  crashes: 0,
  diskOperations: 0,
  endings: {},
  broken: [`the program came to a standstill for ${STANDSTILL_MS / 1000} s`],
});
