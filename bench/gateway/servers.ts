/** Starts and stops the servers of the benchmark, each in its own process. */
import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildGateway, isGatewayFresh } from '../../build/gateway.ts';
import { channel } from './requests.ts';

/**
 * The gateway as a command, with its simulator or, if `processor` is a port, with a processor; the same with one commit
 * per request; an echo that only parses the form; a processor that approves everything.
 */
export type Job =
  | { serve: 'gateway'; dataDir: string; database?: string; processor?: number }
  | { serve: 'oneCommitEach'; dataDir: string }
  | { serve: 'echo' }
  | { serve: 'processor' };

export type Running = {
  port: number;
  /** From the process's start to listening. */
  startedMs: number;
  /** Resident memory, MB. */
  memoryMb(): number;
  stop(): Promise<void>;
};

const root = join(import.meta.dirname, '../..');

/** Throws if the server ends before it listens. */
export const start = async (job: Job): Promise<Running> => {
  if (job.serve === 'gateway' && !isGatewayFresh()) await buildGateway();
  const before = performance.now();
  const child =
    job.serve === 'gateway'
      ? gateway(job)
      : fork(join(import.meta.dirname, 'server-process.ts'), [JSON.stringify(job)]);
  const port = await (job.serve === 'gateway' ? portSaid(child) : portTold(child));
  const startedMs = performance.now() - before;
  return {
    port,
    startedMs,
    memoryMb: () => Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)])) / 1024),
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
};

/** As `npm run gateway` starts it. */
const gateway = ({ dataDir, database, processor }: Extract<Job, { serve: 'gateway' }>): ChildProcess => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { gateway: string } };
  const [, ...args] = scripts.gateway.split(' ');
  const flags = ['--port', '0', '--data', dataDir];
  const whose =
    processor === undefined
      ? ['--channel', `${channel.entityId}:${channel.token}`]
      : ['--config', liveChannel(dataDir, processor)];
  const where = database === undefined ? [] : ['--database', database];
  return spawn(process.execPath, [...args, ...flags, ...whose, ...where], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
};

/** A configuration file whose channel sends everything to the processor at that port of this machine. */
const liveChannel = (dataDir: string, processor: number): string => {
  const upstream = { ...channel, baseUrl: `http://127.0.0.1:${processor}/` };
  const file = join(dataDir, 'bench.json');
  writeFileSync(file, JSON.stringify({ channels: [{ ...channel, mode: 'live', upstream }] }));
  return file;
};

const portSaid = (child: ChildProcess): Promise<number> =>
  firstOf(child, (heard) => {
    let output = '';
    child.stdout?.on('data', (text) => {
      output += text;
      const port = /^listening on \S+:(\d+)\/$/m.exec(output)?.[1];
      if (port !== undefined) heard(Number(port));
    });
  });

const portTold = (child: ChildProcess): Promise<number> =>
  firstOf(child, (heard) => void child.once('message', ({ port }: { port: number }) => heard(port)));

const firstOf = (child: ChildProcess, listen: (heard: (port: number) => void) => void): Promise<number> =>
  new Promise((resolve, reject) => {
    listen(resolve);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
