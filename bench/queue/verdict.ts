/**
 * How long a customer waits, without a connection, until the till knows that the card may decide: from the request to
 * the offline verdict, over a real connection. A gateway that becomes silent after receiving the request is not
 * included: it may have booked the sale, so no card is asked then.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mpiSimulator } from '../../drivers/mpi/simulator/simulator.ts';
import { presentationFor, repeatingCardholder } from '../../drivers/simulation/cardholder.ts';
import { simulateOnTcp } from '../../drivers/simulation/simulator.ts';
import { startTill } from '../../src/app/start-till.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { money } from '../../src/base/money.ts';
import { changeConfig } from '../../src/folder/config.ts';
import { instant, noLimits } from './offline-shop.ts';

export type VerdictRow = { line: string; sales: number; firstMs: number; slowestMs: number; offline: number };

const SALES = 5;

type Peer = { baseUrl: string; close(): Promise<void> };

/** A gateway whose port nothing listens on any more. */
const refusingPeer = async (): Promise<Peer> => {
  const { port, close } = await listenLocally();
  await close();
  return { baseUrl: `http://127.0.0.1:${port}/`, close: async () => {} };
};

/** Accepts the connection, and never answers the TLS handshake. */
const silentPeer = async (): Promise<Peer> => {
  const { port, close } = await listenLocally();
  return { baseUrl: `https://127.0.0.1:${port}/`, close };
};

const listenLocally = async (): Promise<{ port: number; close(): Promise<void> }> => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
};

/** The first sale after the connection was lost, and the following ones. */
export const benchVerdicts = async (): Promise<VerdictRow[]> => [
  await measureVerdict('refuses the connection', await refusingPeer()),
  await measureVerdict('accepts it and stays silent (TLS)', await silentPeer()),
];

const measureVerdict = async (line: string, peer: Peer): Promise<VerdictRow> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-verdict-'));
  const cardholder = repeatingCardholder([presentationFor({ card: 'mastercard-m10', by: 'chip' })]);
  const station = await simulateOnTcp(mpiSimulator, 0, { clock: instant, random: systemRandom, cardholder });
  changeConfig(dataDir, systemIds, (config) => ({ ...config, offline: noLimits }));
  const gateway = { baseUrl: peer.baseUrl, entityId: 'b'.repeat(32), token: 'a-token-of-the-bench' };
  const till = await startTill({ dataDir, terminal: `mpi+${station.at}`, gateway });
  const waits: number[] = [];
  let offline = 0;
  try {
    for (let n = 0; n < SALES; n += 1) {
      let requestCount = 0;
      const sale = till.till.sell({ amount: money(BigInt(100 + n), 'EUR') }, (progress) => {
        if (progress.kind !== 'sale') return;
        if (progress.sale.at === 'authorising' && requestCount === 0) requestCount = performance.now();
        if (progress.sale.at === 'goingOffline') waits.push(performance.now() - requestCount);
      });
      const endedSale = await sale.done;
      if (endedSale.ending === 'approved' && endedSale.offline !== undefined) offline += 1;
    }
    return { line, sales: SALES, offline, firstMs: waits[0] ?? Number.NaN, slowestMs: Math.max(...waits) };
  } finally {
    await till.close();
    await station.close();
    await peer.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
};
