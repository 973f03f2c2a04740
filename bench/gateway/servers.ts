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
  const startedAt = performance.now();
  const child =
    job.serve === 'gateway'
      ? gateway(job)
      : fork(join(import.meta.dirname, 'server-process.ts'), [JSON.stringify(job)]);
  const port = await (job.serve === 'gateway' ? portFromOutput(child) : portFromMessage(child));
  const startedMs = performance.now() - startedAt;
  return {
    port,
    startedMs,
    memoryMb: () => Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)])) / 1024),
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
};

/** As `npm run gateway` starts it. */
const gateway = ({ dataDir, database, processor }: Extract<Job, { serve: 'gateway' }>): ChildProcess => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { gateway: string } };
  const [, ...args] = scripts.gateway.split(' ');
  const flags = ['--port', '0', '--data', dataDir];
  const channelFlags =
    processor === undefined
      ? ['--channel', `${channel.entityId}:${channel.token}`]
      : ['--config', liveChannel(dataDir, processor)];
  const databaseFlags = database === undefined ? [] : ['--database', database];
  return spawn(process.execPath, [...args, ...flags, ...channelFlags, ...databaseFlags], {
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

const portFromOutput = (child: ChildProcess): Promise<number> =>
  portOrExit(child, (resolvePort) => {
    let output = '';
    child.stdout?.on('data', (text) => {
      output += text;
      const port = /^listening on \S+:(\d+)\/$/m.exec(output)?.[1];
      if (port !== undefined) resolvePort(Number(port));
    });
  });

const portFromMessage = (child: ChildProcess): Promise<number> =>
  portOrExit(child, (resolvePort) => void child.once('message', ({ port }: { port: number }) => resolvePort(port)));

const portOrExit = (child: ChildProcess, listen: (resolvePort: (port: number) => void) => void): Promise<number> =>
  new Promise((resolve, reject) => {
    listen(resolve);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
