/** A worker: plays the seeds it is given, one at a time. */
import { parentPort } from 'node:worker_threads';
import { playDay } from './day.ts';
import type { Plant } from './plants.ts';

export type Task = { seed: number; plant?: Plant | undefined };

parentPort?.on('message', async ({ seed, plant }: Task) => {
  parentPort?.postMessage(await playDay(seed, { plant }));
});
