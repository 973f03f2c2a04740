/** A worker that plays the given days and cuts, one at a time. */
import { parentPort } from 'node:worker_threads';
import { playDay } from './day.ts';
import type { PlantedBug } from './planted-bugs.ts';
import { type Cut, playCut } from './power-cuts.ts';

export type Task = { seed: number; plantedBug?: PlantedBug | undefined } | { cut: Cut };

parentPort?.on('message', async (task: Task) => {
  parentPort?.postMessage(
    'cut' in task ? await playCut(task.cut) : await playDay(task.seed, { plantedBug: task.plantedBug }),
  );
});
