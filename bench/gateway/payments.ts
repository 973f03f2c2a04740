/** POST /v1/payments, durable, beside a bare echo of the same form, and beside one commit for each request. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../result.ts';
import { type Load, type Loaded, load } from './load.ts';
import { nextPayment } from './requests.ts';
import { type Job, type Running, start } from './servers.ts';

const CONNECTIONS = 64;

export type PaymentBench = {
  /** Payments a second: as it is, with a commit for each; and the echo's answers a second. */
  perSecond: number;
  oneCommitEach: number;
  echo: number;
  medianMs: number;
  p99Ms: number;
  /** From the process's start to listening; resident memory at load, MB. */
  startedMs: number;
  memoryMb: number;
  /** Answers by status: anything but 200 is a benchmark of something else. */
  statuses: Readonly<Record<string, number>>;
};

/** The three take turns, so that a busy machine slows all alike; the median of the rounds counts. */
export const benchPayments = async (rounds: number, roundMs: number): Promise<PaymentBench> => {
  const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'bench-gateway-')));
  const [grouped = '', single = ''] = folders;
  const jobs: readonly Job[] = [
    { serve: 'gateway', dataDir: grouped },
    { serve: 'oneCommitEach', dataDir: single },
    { serve: 'echo' },
  ];
  const servers: Running[] = [];
  try {
    for (const job of jobs) servers.push(await start(job));
    const results: Loaded[][] = servers.map(() => []);
    let memoryMb = 0;
    for (let round = 0; round <= rounds; round += 1) {
      for (const [index, { port }] of servers.entries()) {
        const loaded = await load(loadOf(port, roundMs));
        // The first round warms up.
        if (round > 0) results[index]?.push(loaded);
        if (index === 0) memoryMb = Math.max(memoryMb, servers[index]?.memoryMb() ?? Number.NaN);
      }
    }
    const [own = [], one = [], echo = []] = results;
    return {
      perSecond: rateOf(own),
      oneCommitEach: rateOf(one),
      echo: rateOf(echo),
      medianMs: median(own.map(({ medianMs }) => medianMs)),
      p99Ms: median(own.map(({ p99Ms }) => p99Ms)),
      startedMs: servers[0]?.startedMs ?? Number.NaN,
      memoryMb,
      statuses: own.at(-1)?.statuses ?? {},
    };
  } finally {
    for (const server of servers) await server.stop();
    for (const folder of folders) rmSync(folder, { recursive: true });
  }
};

const loadOf = (port: number, forMs: number): Load => ({ port, connections: CONNECTIONS, forMs, next: nextPayment });

const rateOf = (rounds: readonly Loaded[]): number => median(rounds.map(({ perSecond }) => perSecond));
