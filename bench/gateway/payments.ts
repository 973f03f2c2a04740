/**
 * POST /v1/payments, durable, compared with a bare echo of the same form, and with one commit per request. Once with
 * the simulator, which answers inside the transaction that writes the payment, and once in front of a processor over
 * HTTP, where a payment is written, requested and written again, as in a shop.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../result.ts';
import { type Load, type LoadFigures, load } from './load.ts';
import { nextPayment } from './requests.ts';
import { type Job, type Running, start } from './servers.ts';

const CONNECTIONS = 64;

export type PaymentBench = {
  /**
   * Payments per second: as it is, with a commit for each, in front of a processor; and the echo's answers per second.
   */
  perSecond: number;
  oneCommitEach: number;
  beforeProcessor: number;
  echo: number;
  medianMs: number;
  p99Ms: number;
  /** From the process's start to listening; resident memory under load, MB. */
  startedMs: number;
  memoryMb: number;
  /** The statuses of all answers from both gateways: anything but 200 would measure something else. */
  statuses: readonly string[];
};

/** The servers take turns, so that a busy machine slows all alike; the median of the rounds counts. */
export const benchPayments = async (rounds: number, roundMs: number): Promise<PaymentBench> => {
  const folders = [0, 1, 2].map(() => mkdtempSync(join(tmpdir(), 'bench-gateway-')));
  const [grouped = '', single = '', live = ''] = folders;
  const processor = await start({ serve: 'processor' });
  const jobs: readonly Job[] = [
    { serve: 'gateway', dataDir: grouped },
    { serve: 'oneCommitEach', dataDir: single },
    { serve: 'gateway', dataDir: live, processor: processor.port },
    { serve: 'echo' },
  ];
  const servers: Running[] = [];
  try {
    for (const job of jobs) servers.push(await start(job));
    const results: LoadFigures[][] = servers.map(() => []);
    let memoryMb = 0;
    for (let round = 0; round <= rounds; round += 1) {
      for (const [index, { port }] of servers.entries()) {
        const loaded = await load(loadOf(port, roundMs));
        // The first round is the warm-up.
        if (round > 0) results[index]?.push(loaded);
        if (index === 0) memoryMb = Math.max(memoryMb, servers[index]?.memoryMb() ?? Number.NaN);
      }
    }
    const [gatewayAlone = [], firstGrouped = [], secondGrouped = [], echo = []] = results;
    return {
      perSecond: rateOf(gatewayAlone),
      oneCommitEach: rateOf(firstGrouped),
      beforeProcessor: rateOf(secondGrouped),
      echo: rateOf(echo),
      medianMs: median(gatewayAlone.map(({ medianMs }) => medianMs)),
      p99Ms: median(gatewayAlone.map(({ p99Ms }) => p99Ms)),
      startedMs: servers[0]?.startedMs ?? Number.NaN,
      memoryMb,
      statuses: [...new Set([...gatewayAlone, ...secondGrouped].flatMap(({ statuses }) => Object.keys(statuses)))],
    };
  } finally {
    for (const server of [...servers, processor]) await server.stop();
    for (const folder of folders) rmSync(folder, { recursive: true });
  }
};

const loadOf = (port: number, forMs: number): Load => ({ port, connections: CONNECTIONS, forMs, next: nextPayment });

const rateOf = (rounds: readonly LoadFigures[]): number => median(rounds.map(({ perSecond }) => perSecond));
