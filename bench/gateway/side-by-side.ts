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
    const through = async (some: readonly Running[]): Promise<number> => {
      const loads = some.map(({ port }) => load({ port, connections, forMs, next: nextPayment }));
      return (await Promise.all(loads)).reduce((sum, { perSecond }) => sum + perSecond, 0);
    };
    const one: number[] = [];
    const two: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const [alone, both] = [await through(servers.slice(0, 1)), await through(servers)];
      if (round === 0) continue;
      one.push(alone);
      two.push(both);
    }
    return { one: median(one), two: median(two) };
  } finally {
    for (const server of servers) await server.stop();
    postgres.remove();
    rmSync(dataDir, { recursive: true });
  }
};
