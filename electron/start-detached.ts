/** Starts a program that outlives this one, and hears whether it could be started. */
import { spawn } from 'node:child_process';
import { type Clock, systemClock } from '../src/base/clock.ts';

export type StartedProgram = {
  /**
   * Whether it still runs after so long. One that ends with status 0 does not: so does an app that finds another one of
   * its kind running and gives its turn to it.
   */
  lives(ms: number): Promise<boolean>;
};

/** Rejects where the system cannot start it: it is missing, no program, or may not be run. */
export const startDetached = (
  command: string,
  args: readonly string[],
  clock: Clock = systemClock,
): Promise<StartedProgram> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { detached: true, stdio: 'ignore', windowsHide: false });
    const ended = new Promise<void>((hear) => void child.once('exit', () => hear()));
    child.once('error', reject);
    child.once('spawn', () => {
      child.unref();
      const lives = (ms: number): Promise<boolean> =>
        new Promise((hear) => {
          const stop = clock.after(ms, () => hear(true));
          void ended.then(() => {
            stop();
            hear(false);
          });
        });
      resolve({ lives });
    });
  });
