/**
 * Gives a file another name, though a virus scanner, a backup or a sync has it open. Windows refuses that for as long
 * as they do, a moment as a rule. Other systems never refuse it, and what they say is told at once.
 */
import { renameSync, rmSync } from 'node:fs';
import { Fault } from './fault.ts';
import { systemCode } from './system-words.ts';

/** What Windows says of a file that another program has open; a folder’s permissions say the first two as well. */
const held: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** Waits between the tries, ms: three seconds together. */
const WAITS_MS = [10, 20, 50, 100, 200, 500, 1_000, 1_000] as const;

/** The two calls of the system that this takes, and whether it is Windows. */
export type Renaming = {
  rename(from: string, to: string): void;
  /** Stops this thread: nobody sells in it for so long. */
  pause(ms: number): void;
  isWindows: boolean;
};

const system: Renaming = {
  rename: renameSync,
  pause: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
  isWindows: process.platform === 'win32',
};

/**
 * The file or folder `from` is called `to` afterwards. Throws `file.held` where another program had one of them open
 * for three seconds, and else what the file system throws; `from` is as it was then.
 */
export const renameFile = (from: string, to: string, { rename, pause, isWindows }: Renaming = system): void => {
  const waits = isWindows ? [...WAITS_MS] : [];
  for (;;) {
    try {
      rename(from, to);
      return;
    } catch (error) {
      if (!isWindows || !held.has(systemCode(error))) throw error;
      const ms = waits.shift();
      if (ms === undefined) throw new Fault('file.held', { file: to }, error);
      pause(ms);
    }
  }
};

/** The same where `fresh` was written for the place of `path` alone: it is taken away where it cannot have it. */
export const replaceFile = (fresh: string, path: string, renaming: Renaming = system): void => {
  try {
    renameFile(fresh, path, renaming);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
};
