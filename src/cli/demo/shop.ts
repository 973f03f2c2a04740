/** A whole shop in one process: a gateway and simulated terminals on TCP ports, and two tills between them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mpiSimulator } from '../../../drivers/mpi/simulator/simulator.ts';
import { presentationFor } from '../../../drivers/simulation/cardholder.ts';
import { type Presentation, simulateOnTcp } from '../../../drivers/simulation/simulator.ts';
import { zvtSimulator } from '../../../drivers/zvt/simulator/simulator.ts';
import { type RunningTill, startTill, type TillOptions } from '../../app/start-till.ts';
import { type Clock, dateTime, systemClock } from '../../base/clock.ts';
import { systemIds, systemRandom } from '../../base/ids.ts';
import { type Config, changeConfig } from '../../folder/config.ts';
import type { OfflineConfig } from '../../folder/offline-config.ts';
import { settlementFileOf } from '../../gateway/reports/settlement-file.ts';
import { openGateway } from '../../gateway/server/embedded.ts';
import { listen } from '../../gateway/server/http/listen.ts';
import type { GatewayCredentials } from '../../line/gateway-line.ts';
import type { DemoCounterName as CounterName } from './day.ts';

export type DemoCounter = {
  name: string;
  till: RunningTill;
  /** Adds the next customer at the terminal. */
  comes(next: Presentation): void;
  /** Removes the customers who were not served. */
  leaves(): void;
};

export type DemoShop = {
  counters: Readonly<Record<CounterName, DemoCounter>>;
  /** The gateway stops listening: every connection is refused. */
  cutLine(): Promise<void>;
  mendLine(): Promise<void>;
  /** Writes the settlement file of the days from `since` (ms) to today, as an acquirer would. Returns its path. */
  settlementFile(since: number): Promise<string>;
  close(): Promise<void>;
};

export type ShopWish = {
  /** How many times faster people and terminals act than in a real shop. */
  quicker?: number;
  /** Changes each till.json; the limits are set afterwards. */
  config?: (config: Config) => Config;
  /** Wraps each till's gateway and terminal, for tests that break them. */
  around?: TillOptions['around'];
  /** The clock of the tills. Default: the system's. */
  clock?: Clock;
};

export const openShop = async (wish: ShopWish = {}): Promise<DemoShop> => {
  const folder = mkdtempSync(join(tmpdir(), 'tillgate-demo-'));
  const line = await openLine(join(folder, 'gateway'));
  const gateway = { baseUrl: `http://127.0.0.1:${line.port}/`, ...line.channel };
  const first = await openCounter('first counter', {
    ...wish,
    dataDir: join(folder, 'first'),
    protocol: 'mpi',
    gateway,
  });
  const second = await openCounter('second counter', {
    ...wish,
    dataDir: join(folder, 'second'),
    protocol: 'zvt',
    gateway,
  });
  return {
    counters: { first, second },
    cutLine: line.cut,
    mendLine: line.mend,
    async settlementFile(since) {
      const file = join(folder, 'settlement.csv');
      writeFileSync(file, await line.settlement(since));
      return file;
    },
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
    /** The file of the day of `since`, and of today if midnight has passed. */
    async settlement(since: number) {
      const [first = '', last = ''] = [since, systemClock.now()].map((at) => dateTime(at).slice(0, 10));
      const of = (date: string) => settlementFileOf(gateway.store, { entityId: channel.entityId, date });
      const text = await of(first);
      return first === last ? text : text + (await of(last)).split('\n').slice(1).join('\n');
    },
    async close() {
      if (up) await server.close();
      await gateway.close();
    },
  };
};

/** Customers and terminals of the demo take a tenth of the real time. */
const QUICKER = 10;
/** ZVT’s T3, for which a terminal waits for its till. Longer times stay real, so that a slow machine is no timeout. */
const PATIENCE_MS = 5_000;
const quickClock = (quicker: number): Clock => ({
  ...systemClock,
  after: (ms, then) => systemClock.after(ms < PATIENCE_MS ? ms / quicker : ms, then),
});

/** The kernels of the simulated terminals do not authenticate card data offline. */
const limits: OfflineConfig = {
  chip: { upTo: '50.00', perCard: { count: 2 }, perHour: { total: '200.00' } },
  deferred: { upTo: '0.00' },
  total: '500.00',
  count: 50,
  hours: 24,
  withoutDataAuthentication: true,
};

type CounterOptions = ShopWish & { dataDir: string; protocol: 'mpi' | 'zvt'; gateway: GatewayCredentials };

const openCounter = async (name: string, { dataDir, protocol, gateway, ...wish }: CounterOptions) => {
  const waiting: Presentation[] = [];
  const nobody: Presentation = presentationFor({ card: 'visa-credit', by: 'chip', never: true });
  const cardholder = (): Presentation => waiting.shift() ?? nobody;
  const model = { mpi: mpiSimulator, zvt: zvtSimulator }[protocol];
  const station = await simulateOnTcp(model, 0, {
    clock: quickClock(wish.quicker ?? QUICKER),
    random: systemRandom,
    cardholder,
  });
  changeConfig(dataDir, systemIds, (config) => ({
    ...(wish.config?.(config) ?? config),
    offline: limits,
    // The till's days are those of the acquirer, so that a demo at midnight settles like any other.
    businessDay: { cutOff: '00:00', timeZone: 'UTC' },
  }));
  const { around, clock } = wish;
  const given = { around, clock };
  const till = await startTill({ dataDir, terminal: `${protocol}+${station.at}`, gateway, ...given });
  return {
    name,
    till,
    comes: (next: Presentation) => void waiting.push(next),
    leaves: () => void waiting.splice(0),
    async close() {
      await till.close();
      await station.close();
    },
  };
};
