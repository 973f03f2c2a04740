/** How fast a day of offline sales is sent: stored sales through forwarder, till and embedded gateway. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mpiSimulator } from '../../drivers/mpi/simulator/simulator.ts';
import { presentationFor, repeatingCardholder } from '../../drivers/simulation/cardholder.ts';
import { simulateOnTcp } from '../../drivers/simulation/simulator.ts';
import { type RunningTill, startTill } from '../../src/app/start-till.ts';
import { Fault } from '../../src/base/fault.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { money } from '../../src/base/money.ts';
import { changeConfig } from '../../src/folder/config.ts';
import type { Host, HostReply } from '../../src/till/ports.ts';
import { instant, noLimits } from './offline-shop.ts';

export type DrainBench = {
  stored: number;
  settledCount: number;
  seconds: number;
  /** The stored requests, which give the other queue the same work at another such gateway. */
  requests: readonly Record<string, string>[];
  stepsEach: number;
  /** Whether every sale is booked once, and with its amount. */
  agrees: boolean;
};

/**
 * `gateway`: the embedded gateway books each sale as it is sent. `ready`: it has booked them all before, and its
 * answers wait in memory, which leaves only the cost of queue, journal and till.
 */
export const benchDrain = async (sales: number, work: 'gateway' | 'ready' = 'gateway'): Promise<DrainBench> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-drain-'));
  const cardholder = repeatingCardholder([presentationFor({ card: 'mastercard-m10', by: 'chip' })]);
  const station = await simulateOnTcp(mpiSimulator, 0, { clock: instant, random: systemRandom, cardholder });
  const line: Line = { isCut: true, readyReplies: new Map() };
  changeConfig(dataDir, systemIds, (config) => ({ ...config, offline: noLimits }));
  const decorator = { host: (host: Host) => cuttable(host, line) };
  const till = await startTill({ dataDir, terminal: `mpi+${station.at}`, around: decorator });
  try {
    await sellOffline(till, sales);
    line.isCut = false;
    if (work === 'ready') await prepare(till, line);
    return await drainAndMeasure(till, sales);
  } finally {
    await till.close();
    await station.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
};

type Line = { isCut: boolean; host?: Host; readyReplies: Map<string, HostReply> };

const cuttable = (host: Host, line: Line): Host => {
  line.host = host;
  return {
    ...host,
    pay: async (parameters, key) =>
      line.isCut
        ? { kind: 'notSent', fault: new Fault('host.unreachable', { why: 'the line is cut' }) }
        : (line.readyReplies.get(key) ?? host.pay(parameters, key)),
  };
};

const prepare = async ({ outbox }: RunningTill, { host, readyReplies }: Line): Promise<void> => {
  for (const { id, key } of outbox.waiting()) {
    const reply = await host?.pay(JSON.parse(outbox.open(id) ?? '{}') as Record<string, string>, key);
    if (reply !== undefined) readyReplies.set(key, reply);
  }
};

const sellOffline = async ({ till, journal }: RunningTill, sales: number): Promise<void> => {
  for (let n = 0; n < sales; n += 1) {
    const { ending, reason } = await till.sell({ amount: money(BigInt(100 + n), 'EUR') }, () => {}).done;
    if (ending !== 'approved') throw new Error(`sale ${n + 1} ended ${ending}, ${reason}`);
    if (n % 50 === 0) journal.fold();
  }
};

const drainAndMeasure = async (till: RunningTill, stored: number): Promise<DrainBench> => {
  const { forwarder, journal } = till;
  const requests = till.outbox
    .waiting()
    .map(({ id }) => JSON.parse(till.outbox.open(id) ?? '{}') as Record<string, string>);
  const stepsBefore = journal.steps;
  const start = performance.now();
  const { done } = await forwarder.drain('all');
  const seconds = (performance.now() - start) / 1000;
  const stepsEach = (journal.steps - stepsBefore) / stored;
  let agrees = true;
  for await (const row of till.audit()) agrees &&= row.agrees && row.till.minor === row.sale.intent.amount.minor;
  return { stored, settledCount: done, seconds, requests, stepsEach, agrees };
};
