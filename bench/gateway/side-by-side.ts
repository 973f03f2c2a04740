/** Two gateways on one PostgreSQL compared with one alone. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../test/support/servers/postgres.ts';
import { median } from '../result.ts';
import { load } from './load.ts';
import { nextPayment } from './requests.ts';
import { type Running, start } from './servers.ts';

export type SideBySideBench = { one: number; two: number };

type Clients = { connections: number; rounds: number; forMs: number };

/** Payments per second through one gateway, and through two, each with this many clients. */
export const benchSideBySide = async ({ connections, rounds, forMs }: Clients): Promise<SideBySideBench> => {
  const postgres = await startPostgres();
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-side-'));
  const servers: Running[] = [];
  try {
    const database = await postgres.database();
    for (let each = 0; each < 2; each += 1) servers.push(await start({ serve: 'gateway', dataDir, database }));
    const totalRate = async (runningServers: readonly Running[]): Promise<number> => {
      const loads = runningServers.map(({ port }) => load({ port, connections, forMs, next: nextPayment }));
      return (await Promise.all(loads)).reduce((sum, { perSecond }) => sum + perSecond, 0);
    };
    const aloneRates: number[] = [];
    const two: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const [alone, togetherRate] = [await totalRate(servers.slice(0, 1)), await totalRate(servers)];
      if (round === 0) continue;
      aloneRates.push(alone);
      two.push(togetherRate);
    }
    return { one: median(aloneRates), two: median(two) };
  } finally {
    for (const server of servers) await server.stop();
    postgres.remove();
    rmSync(dataDir, { recursive: true });
  }
};
