/** The cost of a query of one payment, with few payments in the store and with a great many. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../result.ts';
import { getRequest, load } from './load.ts';
import { authorization, channel } from './requests.ts';
import { fill, type PaymentSample } from './rows.ts';
import { start } from './servers.ts';

const FEW = 1_000;
const MANY = 1_000_000;

/** The ratio of a query's time with many payments to its time with few: 1 is flat. */
export type GrowthBench = { byId: number; byReference: number };

type Costs = { byId: number; byReference: number };

/** Calls `print` with its progress: filling takes a while. */
export const benchGrowth = async (forMs: number, print: (line: string) => void): Promise<GrowthBench> => {
  const folders = [FEW, MANY].map(() => mkdtempSync(join(tmpdir(), 'bench-growth-')));
  try {
    const costs: Costs[] = [];
    for (const [index, count] of [FEW, MANY].entries()) {
      print(`filling a store with ${count.toLocaleString('en')} payments …`);
      const dataDir = folders[index] ?? '';
      costs.push(await costsOf(dataDir, await fill(dataDir, count), forMs));
    }
    const [few, many] = costs;
    if (few === undefined || many === undefined) throw new TypeError('two stores were filled');
    return { byId: many.byId / few.byId, byReference: many.byReference / few.byReference };
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true });
  }
};

/** Milliseconds per answer, one after another on one connection. */
const costsOf = async (dataDir: string, samples: readonly PaymentSample[], forMs: number): Promise<Costs> => {
  const server = await start({ serve: 'gateway', dataDir });
  const entity = `entityId=${channel.entityId}`;
  const costOf = async (pathOf: (each: PaymentSample) => string): Promise<number> => {
    let count = 0;
    // Steps through all of them, so that no page is requested twice in a row.
    const next = () => {
      count += 1;
      const each = samples[(count * 617) % samples.length] ?? { id: '', merchantTransactionId: '' };
      return getRequest(pathOf(each), authorization);
    };
    const rounds: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const loaded = await load({ port: server.port, connections: 1, forMs, next });
      if (loaded.statuses['200'] === undefined) throw new Error('nothing was found');
      rounds.push(1000 / loaded.perSecond);
    }
    return median(rounds);
  };
  try {
    return {
      byId: await costOf(({ id }) => `/v1/payments/${id}?${entity}`),
      byReference: await costOf((each) => `/v1/query?${entity}&merchantTransactionId=${each.merchantTransactionId}`),
    };
  } finally {
    await server.stop();
  }
};
