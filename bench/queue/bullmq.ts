/** BullMQ on a Redis that syncs each write, as a shop's till would need it: jobs are added, then processed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Queue, Worker } from 'bullmq';
import { pause, systemClock } from '../../src/base/clock.ts';

export type BullmqBench = { addPerSecond: number; workedPerSecond: number };

const REDIS = '/usr/bin/redis-server';
const AT_ONCE = 4;

/** The programs missing on this machine, with how to get them; undefined if there are none. */
export const missingReason = (): string | undefined => {
  if (!existsSync(REDIS)) return `${REDIS} is missing (apt-get install redis-server)`;
  try {
    createRequire(import.meta.url).resolve('ioredis');
    return undefined;
  } catch {
    return 'its Redis client is missing (npm ci)';
  }
};

/** `work` is run for each job, with the same concurrency as ours. */
export const benchBullmq = async (
  jobs: readonly object[],
  work: (data: unknown) => Promise<unknown>,
): Promise<BullmqBench> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-redis-'));
  const redis = await startRedis(folder);
  const connection = { path: join(folder, 'redis.sock'), maxRetriesPerRequest: null };
  const queue = new Queue('forward', { connection });
  try {
    await queue.waitUntilReady();
    const added = performance.now();
    for (const job of jobs) await queue.add('forward', job);
    const addPerSecond = jobs.length / ((performance.now() - added) / 1000);
    const seconds = await workOff(jobs.length, { connection, work });
    return { addPerSecond, workedPerSecond: jobs.length / seconds };
  } finally {
    await queue.close();
    const exited = new Promise((resolve) => redis.once('exit', resolve));
    redis.kill('SIGKILL');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  }
};

type Connection = { path: string; maxRetriesPerRequest: null };

const workOff = async (
  count: number,
  { connection, work }: { connection: Connection; work: (data: unknown) => Promise<unknown> },
): Promise<number> => {
  const worker = new Worker('forward', async ({ data }) => void (await work(data)), {
    connection,
    concurrency: AT_ONCE,
    autorun: false,
  });
  await worker.waitUntilReady();
  let remaining = count;
  const finished = new Promise<void>((resolve, reject) => {
    worker.on('completed', () => {
      remaining -= 1;
      if (remaining === 0) resolve();
    });
    worker.on('failed', (_, error) => reject(error));
    worker.on('error', reject);
  });
  const start = performance.now();
  void worker.run();
  await finished;
  const seconds = (performance.now() - start) / 1000;
  await worker.close();
  return seconds;
};

const startRedis = async (folder: string): Promise<ChildProcess> => {
  const socket = join(folder, 'redis.sock');
  const flags = ['--port', '0', '--unixsocket', socket, '--dir', folder, '--save', ''];
  const redis = spawn(REDIS, [...flags, '--appendonly', 'yes', '--appendfsync', 'always'], { stdio: 'ignore' });
  for (let attempt = 0; attempt < 100 && !existsSync(socket); attempt += 1) await pause(systemClock, 50);
  if (!existsSync(socket)) throw new Error('redis-server did not start');
  return redis;
};
