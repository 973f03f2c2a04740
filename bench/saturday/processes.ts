/** The processes of a busy Saturday: till, gateway and simulated terminals, each of which starts and dies alone. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayFlags, tillFlags } from '../../build/v8-flags.mjs';
import { pause, systemClock } from '../../src/base/clock.ts';
import { reservePort } from '../../test/support/servers/reserved-port.ts';
import { type CustomerName, sharedCardOf } from './customers.ts';
import type { CounterPlan } from './plan.ts';
import type { NextCustomer, TerminalOrder } from './terminal-books.ts';

const root = join(import.meta.dirname, '../..');
type StartedProcess = { child: ChildProcess; exited: Promise<void>; errorOutput(): string };

/** Resolves once the process has printed `readyText`. Rejects with its output if it ends before that. */
const startChild = async (args: readonly string[], readyText: string, stdio: 'ipc'[] = []): Promise<StartedProcess> => {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe', ...stdio] });
  let errorOutput = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-20_000);
  });
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let out = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (out.includes(readyText)) return;
      out += text;
      if (out.includes(readyText)) resolve();
    });
    child.once('close', (code) => reject(new Error(`${args.join(' ')} ended with ${code}: ${out}${errorOutput}`)));
  });
  return { child, exited, errorOutput: () => errorOutput };
};

/** The CPU time used by a process until now, ms; only on Linux. */
const workOf = ({ child: { pid } }: StartedProcess): number => {
  // The process's name, in brackets, can contain blanks.
  const fields = (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] ?? '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
};

const memoryOf = ({ child: { pid } }: StartedProcess): number => {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round((Number(kilobytes) * 1024) / 1e6);
};

export type Server = {
  url: string;
  /** Resolves when it listens: at once, or after its next start. */
  up(): Promise<void>;
  isUp(): boolean;
  /** The number of starts. */
  starts(): number;
  /** Milliseconds from its start until it listens. */
  start(): Promise<number>;
  /** Sends SIGTERM, and waits for its end. */
  stop(): Promise<void>;
  kill(): Promise<void>;
  /** Acts like a lost connection: it receives nothing until `resume`. */
  suspend(): void;
  resume(): void;
  /** The CPU time over all its starts, ms. */
  workMs(): number;
  memoryMb(): number;
  errorOutput(): string[];
};

/** A server of ours whose command prints `listening on`. */
const serverAt = (url: string, args: readonly string[]): Server => {
  let current: StartedProcess | undefined;
  let listens = Promise.withResolvers<void>();
  let starts = 0;
  let workBefore = 0;
  const lines: string[] = [];
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ending = current;
    if (ending === undefined) return;
    listens = Promise.withResolvers();
    workBefore += workOf(ending);
    current = undefined;
    ending.child.kill(signal);
    await ending.exited;
    lines.push(ending.errorOutput());
  };
  return {
    url,
    up: () => listens.promise,
    isUp: () => current !== undefined,
    starts: () => starts,
    async start() {
      const startedAt = performance.now();
      const started = await startChild(args, 'listening on');
      const tookMs = performance.now() - startedAt;
      current = started;
      starts += 1;
      listens.resolve();
      return tookMs;
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    suspend: () => void current?.child.kill('SIGSTOP'),
    resume: () => void current?.child.kill('SIGCONT'),
    workMs: () => workBefore + (current === undefined ? 0 : workOf(current)),
    memoryMb: () => (current === undefined ? 0 : memoryOf(current)),
    errorOutput: () => [...lines, ...(current === undefined ? [] : [current.errorOutput()])],
  };
};

export type Channel = { entityId: string; token: string };

/** `program`: the command line's file. */
export const gatewayIn = async (folder: string, channel: Channel, program: string): Promise<Server> => {
  const port = await reservePort();
  const named = `${channel.entityId}:${channel.token}`;
  const args = ['gateway', '--port', String(port), '--data', folder, '--channel', named];
  return serverAt(`http://127.0.0.1:${port}/`, [...gatewayFlags, program, ...args]);
};

type TillParts = { program: string; gateway: string; channel: Channel };

export const tillIn = async (folder: string, { program, gateway, channel }: TillParts): Promise<Server> => {
  const port = await reservePort();
  const line = ['--gateway', gateway, '--channel', `${channel.entityId}:${channel.token}`];
  const args = ['start', '--data', folder, '--port', String(port), '--no-open-browser', ...line];
  return serverAt(`http://127.0.0.1:${port}/`, [...tillFlags, program, ...args]);
};

export type Terminals = {
  addresses: readonly string[];
  /** Resolves once this is the next customer at the counter; at once if its terminal is off. */
  present(counter: number, customer: CustomerName | 'unpaid'): Promise<void>;
  /** Kills the process of this counter's terminal, and starts it again after this time. */
  cycle(counter: number, forMs: number): Promise<void>;
  close(): Promise<void>;
};

type TerminalsParts = { counters: readonly CounterPlan[]; folder: string; speed: number; perProcess: number };

/** How many cards a terminal reads before the customer moves to another one. */
const READS_MOST = 10;

/** Each process runs `perProcess` terminals, usually one. */
export const terminalsIn = async (parts: TerminalsParts): Promise<Terminals> => {
  const { counters, folder, speed, perProcess } = parts;
  const orders: TerminalOrder[] = [];
  for (const { index, protocol } of counters)
    orders.push({ protocol, port: await reservePort(), counter: index, folder, speed });
  const file = join(import.meta.dirname, 'terminal-process.ts');
  const hostOf = (counter: number): number => Math.floor(counter / perProcess);
  const hosts: (StartedProcess | undefined)[] = [];
  const visitCounts = new Map<string, number>();
  const lastAtcFor = (customer: CustomerName | 'unpaid'): Pick<NextCustomer, 'lastAtc'> => {
    const card = sharedCardOf(customer);
    if (card === undefined) return {};
    const visit = (visitCounts.get(card) ?? 0) + 1;
    visitCounts.set(card, visit);
    return { lastAtc: visit * READS_MOST };
  };
  const start = async (host: number): Promise<void> => {
    const hostOrders = orders.filter(({ counter }) => hostOf(counter) === host);
    hosts[host] = await startChild([file, JSON.stringify(hostOrders)], 'terminals stand', ['ipc']);
  };
  await Promise.all(Array.from({ length: Math.ceil(counters.length / perProcess) }, (_, host) => start(host)));
  return {
    addresses: orders.map(({ protocol, port }) => `${protocol}+tcp://127.0.0.1:${port}`),
    present(counter, customer) {
      const child = hosts[hostOf(counter)]?.child;
      if (child === undefined || !child.connected) return Promise.resolve();
      return new Promise((resolve) => {
        const stopWaiting = (): void => {
          child.off('message', onMessage);
          child.off('close', stopWaiting);
          resolve();
        };
        const onMessage = (message: unknown): void => {
          if ((message as NextCustomer).counter === counter) stopWaiting();
        };
        child.on('message', onMessage);
        child.once('close', stopWaiting);
        child.send(
          { counter, customer, ...lastAtcFor(customer) } satisfies NextCustomer,
          (error) => error && stopWaiting(),
        );
      });
    },
    async cycle(counter, forMs) {
      const host = hostOf(counter);
      const stopped = hosts[host];
      if (stopped === undefined) return;
      hosts[host] = undefined;
      stopped.child.kill('SIGKILL');
      await stopped.exited;
      await pause(systemClock, forMs);
      await start(host);
    },
    async close() {
      for (const host of hosts) host?.child.kill('SIGKILL');
      await Promise.all(hosts.map((host) => host?.exited));
    },
  };
};
