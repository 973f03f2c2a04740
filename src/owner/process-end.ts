/** When a process is gone: it lets go of its connections a moment before. */
import { readFileSync } from 'node:fs';
import { type Clock, pause } from '../base/clock.ts';

const LOOK_MS = 20;
const LOOKS = 250;

/**
 * Resolves when this process is gone, after five seconds at most: seen from another container its number is nobody's,
 * or somebody else's.
 */
export const waitForProcessEnd = async (pid: number, clock: Clock): Promise<void> => {
  for (let looks = 0; isAlive(pid) && looks < LOOKS; looks += 1) await pause(clock, LOOK_MS);
};

/** One that another user runs is not the till: its owner was let in to it. */
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !isDead(pid);
  } catch {
    return false;
  }
};

/** On Linux a process that has ended keeps its number until whoever started it has heard of that. */
const isDead = (pid: number): boolean => {
  if (process.platform !== 'linux') return false;
  try {
    // The name of the program, in brackets, may hold anything.
    return /\) [ZX] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return true;
  }
};
