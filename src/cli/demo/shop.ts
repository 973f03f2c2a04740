/** A whole shop in one process, on real bytes: a gateway on a TCP port, a simulated terminal on another, a till between. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Link } from '../../../drivers/links/link.ts';
import { listenTcp } from '../../../drivers/links/tcp.ts';
import { mpiSimulator } from '../../../drivers/mpi/simulator.ts';
import { keySlots } from '../../../drivers/simulation/key-slots.ts';
import type { Presentation, Simulator } from '../../../drivers/simulation/simulator.ts';
import { wallet } from '../../../drivers/simulation/wallet.ts';
import { systemClock } from '../../base/clock.ts';
import { systemIds, systemRandom } from '../../base/ids.ts';
import { testCard } from '../../emv/test-cards.ts';
import { openGateway } from '../../gateway/embedded.ts';
import { listen } from '../../gateway/http/server.ts';
import { type RunningTill, startTill } from '../../runtime/start-till.ts';

export type Shop = {
  till: RunningTill;
  /** The next customer to come to the terminal. */
  comes(next: Presentation): void;
  /** The gateway stops listening: every connection is refused. */
  cutLine(): Promise<void>;
  mendLine(): Promise<void>;
  close(): Promise<void>;
};

export const openShop = async (): Promise<Shop> => {
  const folder = mkdtempSync(join(tmpdir(), 'tillgate-demo-'));
  const line = await openLine(join(folder, 'gateway'));
  const terminal = await openTerminals();
  const till = await startTill({
    dataDir: join(folder, 'till'),
    terminal: `mpi+tcp://127.0.0.1:${terminal.port}`,
    gateway: { baseUrl: `http://127.0.0.1:${line.port}/`, ...line.channel },
  });
  return {
    till,
    comes: terminal.comes,
    cutLine: line.cut,
    mendLine: line.mend,
    async close() {
      await till.close();
      await terminal.close();
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

const openTerminals = async () => {
  const waiting: Presentation[] = [];
  const device = {
    clock: systemClock,
    random: systemRandom,
    keys: keySlots({ random: systemRandom }),
    wallet: wallet(),
  };
  const simulators = new Set<Simulator>();
  const cardholder = (): Presentation => waiting.shift() ?? { card: testCard('visa-credit'), by: 'chip', never: true };
  const accept = (link: Link) => void simulators.add(mpiSimulator(link, { ...device, cardholder }));
  const server = await listenTcp({ port: 0, clock: systemClock, accept });
  return {
    port: server.port,
    comes: (next: Presentation) => void waiting.push(next),
    async close() {
      await server.close();
      for (const simulator of simulators) await simulator.close();
    },
  };
};
