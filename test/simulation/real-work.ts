/**
 * Work that needs files or threads of the real machine and also answers of the simulated store: both proceed together.
 */
import { setTimeout as realPause } from 'node:timers/promises';
import { pause } from '../../src/base/clock.ts';
import type { VirtualClock } from '../support/time/virtual-clock.ts';

const STEP_MS = 50;

/** For the evening only, because the virtual time that passes differs from run to run. */
export const runInRealTime = async <T>(clock: VirtualClock, work: Promise<T>): Promise<T> => {
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  work.then(end, end);
  while (!isDone) {
    await clock.real(realPause(1));
    await pause(clock, STEP_MS);
  }
  return work;
};
