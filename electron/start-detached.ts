/** Starts a program that outlives this one, and hears whether it could be started. */
import { spawn } from 'node:child_process';
import { type Clock, systemClock } from '../src/base/clock.ts';

export type StartedProgram = {
  /** Whether it has run for so long without failing: one that ends with 0 has done its work. */
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
    const ended = new Promise<boolean>((hear) => void child.once('exit', (code) => hear(code === 0)));
    child.once('error', reject);
    child.once('spawn', () => {
      child.unref();
      const lives = (ms: number): Promise<boolean> =>
        new Promise((hear) => {
          const stop = clock.after(ms, () => hear(true));
          void ended.then((isWell) => {
            stop();
            hear(isWell);
          });
        });
      resolve({ lives });
    });
  });
