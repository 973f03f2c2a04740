/** A whole shop in one process, on real bytes: gateway and simulated terminals on TCP ports, the tills between them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mpiSimulator } from '../../../drivers/mpi/simulator.ts';
import { presenting } from '../../../drivers/simulation/cardholder.ts';
import type { Presentation } from '../../../drivers/simulation/simulator.ts';
import { simulateOnTcp } from '../../../drivers/simulation/station.ts';
import { zvtSimulator } from '../../../drivers/zvt/simulator.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { systemIds, systemRandom } from '../../base/ids.ts';
import { openGateway } from '../../gateway/embedded.ts';
import { listen } from '../../gateway/http/listen.ts';
import { changeConfig } from '../../runtime/config.ts';
import type { Channel } from '../../runtime/gateway-line.ts';
import type { OfflineConfig } from '../../runtime/offline-config.ts';
import { type RunningTill, startTill } from '../../runtime/start-till.ts';
import type { Counter as CounterName } from './day.ts';

/** A till and the terminal beside it. */
export type Counter = {
  name: string;
  till: RunningTill;
  /** The next customer to come to the terminal. */
  comes(next: Presentation): void;
};

export type Shop = {
  counters: Readonly<Record<CounterName, Counter>>;
  /** The gateway stops listening: every connection is refused. */
  cutLine(): Promise<void>;
  mendLine(): Promise<void>;
  close(): Promise<void>;
};

export const openShop = async (): Promise<Shop> => {
  const folder = mkdtempSync(join(tmpdir(), 'tillgate-demo-'));
  const line = await openLine(join(folder, 'gateway'));
  const gateway = { baseUrl: `http://127.0.0.1:${line.port}/`, ...line.channel };
  const first = await openCounter('first counter', { dataDir: join(folder, 'first'), protocol: 'mpi', gateway });
  const second = await openCounter('second counter', { dataDir: join(folder, 'second'), protocol: 'zvt', gateway });
  return {
    counters: { first, second },
    cutLine: line.cut,
    mendLine: line.mend,
    async close() {
      await first.close();
      await second.close();
      await line.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const openLine = async (dataDir: string) => {
  const channel = { entityId: systemIds.next(), token: systemIds.next() };
  const gateway = await openGateway({
    dataDir,
    channels: [channel],
    clock: systemClock,
    ids: systemIds,
    random: systemRandom,
  });
  let server = await listen({ app: gateway, port: 0, host: '127.0.0.1' });
  const { port } = server;
  let up = true;
  return {
    channel,
    port,
    async cut() {
      up = false;
      await server.close();
    },
    async mend() {
      server = await listen({ app: gateway, port, host: '127.0.0.1' });
      up = true;
    },
    async close() {
      if (up) await server.close();
      await gateway.close();
    },
  };
};

/** The people of the demo are quick: what takes a customer a second takes a tenth of it here. */
const quickClock: Clock = { ...systemClock, after: (ms, then) => systemClock.after(ms / 10, then) };

/** The simulated terminals' kernel authenticates no card data offline, and says so. */
const limits: OfflineConfig = {
  chip: { upTo: '50.00', perCard: { count: 2 }, perHour: { total: '200.00' } },
  deferred: { upTo: '0.00' },
  total: '500.00',
  count: 50,
  hours: 24,
  withoutDataAuthentication: true,
};

type CounterOptions = { dataDir: string; protocol: 'mpi' | 'zvt'; gateway: Channel };

const openCounter = async (name: string, { dataDir, protocol, gateway }: CounterOptions) => {
  const waiting: Presentation[] = [];
  const nobody: Presentation = presenting({ card: 'visa-credit', by: 'chip', never: true });
  const cardholder = (): Presentation => waiting.shift() ?? nobody;
  const model = { mpi: mpiSimulator, zvt: zvtSimulator }[protocol];
  const station = await simulateOnTcp(model, 0, { clock: quickClock, random: systemRandom, cardholder });
  changeConfig(dataDir, systemIds, (config) => ({ ...config, offline: limits }));
  const till = await startTill({ dataDir, terminal: `${protocol}+${station.at}`, gateway });
  return {
    name,
    till,
    comes: (next: Presentation) => void waiting.push(next),
    async close() {
      await till.close();
      await station.close();
    },
  };
};
