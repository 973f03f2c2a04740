/** How fast a day without a line is sent: stored sales through forwarder, till and embedded gateway. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mpiSimulator } from '../../drivers/mpi/simulator.ts';
import { presenting, repeating } from '../../drivers/simulation/cardholder.ts';
import { simulateOnTcp } from '../../drivers/simulation/station.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { Fault } from '../../src/base/fault.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { money } from '../../src/base/money.ts';
import { changeConfig } from '../../src/runtime/config.ts';
import { type RunningTill, startTill } from '../../src/runtime/start-till.ts';
import type { Host } from '../../src/till/ports.ts';

export type DrainBench = {
  stored: number;
  settled: number;
  seconds: number;
  /** Requests as they were stored: the same work for a peer, at another such gateway. */
  requests: readonly Record<string, string>[];
  stepsEach: number;
  /** Whether every sale is booked once, and for its amount. */
  agrees: boolean;
};

/** People who act at once: only the queue is of interest. */
const instant: Clock = { ...systemClock, after: (ms, then) => systemClock.after(ms / 1000, then) };

export const benchDrain = async (sales: number): Promise<DrainBench> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-drain-'));
  const cardholder = repeating([presenting({ card: 'mastercard-m10', by: 'chip' })]);
  const station = await simulateOnTcp(mpiSimulator, 0, { clock: instant, random: systemRandom, cardholder });
  const line = { cut: true };
  changeConfig(dataDir, systemIds, (config) => ({ ...config, offline: noLimits }));
  const around = { host: (host: Host) => cuttable(host, line) };
  const till = await startTill({ dataDir, terminal: `mpi+${station.at}`, around });
  try {
    await sellOffline(till, sales);
    line.cut = false;
    return await drained(till, sales);
  } finally {
    await till.close();
    await station.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
};

const noLimits = {
  chip: { upTo: '50.00' },
  deferred: { upTo: '0.00' },
  total: '9999999.00',
  count: 10_000,
  withoutDataAuthentication: true,
} as const;

const cuttable = (host: Host, line: { cut: boolean }): Host => ({
  ...host,
  pay: async (parameters, key) =>
    line.cut
      ? { kind: 'notSent', fault: new Fault('host.unreachable', { why: 'the line is cut' }) }
      : host.pay(parameters, key),
});

const sellOffline = async ({ till, journal }: RunningTill, sales: number): Promise<void> => {
  for (let n = 0; n < sales; n += 1) {
    const { ending, reason } = await till.sell({ amount: money(BigInt(100 + n), 'EUR') }, () => {}).done;
    if (ending !== 'approved') throw new Error(`sale ${n + 1} ended ${ending}, ${reason}`);
    if (n % 50 === 0) journal.tidy();
  }
};

const drained = async (till: RunningTill, stored: number): Promise<DrainBench> => {
  const { forwarder, journal } = till;
  const requests = till.outbox
    .waiting()
    .map(({ id }) => JSON.parse(till.outbox.open(id) ?? '{}') as Record<string, string>);
  const before = journal.steps;
  const start = performance.now();
  const { done } = await forwarder.drain('all');
  const seconds = (performance.now() - start) / 1000;
  const stepsEach = (journal.steps - before) / stored;
  let agrees = true;
  for await (const row of till.audit()) agrees &&= row.agrees && row.till.minor === row.sale.intent.amount.minor;
  return { stored, settled: done, seconds, requests, stepsEach, agrees };
};
