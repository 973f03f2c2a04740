/** Starts and stops the servers of the benchmark. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export type Job = { serve: 'gateway'; dataDir: string; database?: string; group?: number } | { serve: 'echo' };

export type Running = {
  port: number;
  /** From the process's start to listening. */
  startedMs: number;
  /** Resident memory, MB. */
  memoryMb(): Promise<number>;
  stop(): Promise<void>;
};

/** The server in a process of its own. Throws when it ends before it listens. */
export const start = async (job: Job): Promise<Running> => {
  const child = fork(join(import.meta.dirname, 'server-process.ts'), [JSON.stringify(job)], { stdio: 'inherit' });
  const { port, startedMs } = (await firstMessage(child)) as { port: number; startedMs: number };
  return {
    port,
    startedMs,
    async memoryMb() {
      child.send('memory');
      const [{ rss }] = (await once(child, 'message')) as [{ rss: number }];
      return Math.round(rss / 2 ** 20);
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
};

const firstMessage = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
