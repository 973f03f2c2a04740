/** Random days on PostgreSQL: two gateways on one database agree with a small model of the money. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../src/gateway/database/open.ts';
import type { Store } from '../../src/gateway/store/store.ts';
import { type Bench, openBench } from '../simulation/gateway/bench.ts';
import { openDay } from '../simulation/gateway/day.ts';
import { faultyStore } from '../simulation/gateway/faulty-store.ts';
import { actsArbitrary } from '../simulation/gateway/steps.ts';
import { dice } from '../support/chance/dice.ts';
import { byNight } from '../support/night/night.ts';
import { startPostgres, type TestPostgres } from '../support/servers/postgres.ts';

const bounds = { numRuns: byNight({ day: 8, night: 60 }), endOnFailure: true };

let server: TestPostgres;
let stores: [Store, Store];
beforeAll(async () => {
  server = await startPostgres();
  const url = await server.database();
  stores = [await openStore(url), await openStore(url)];
});
afterAll(async () => {
  for (const store of stores ?? []) await store.close();
  server?.remove();
});

const closeAll = (benches: readonly Bench[]) => Promise.all(benches.map((bench) => bench.close()));

test('every answer follows from the amounts, whichever gateway gives it', async () => {
  const property = fc.asyncProperty(actsArbitrary(['answerLost']), async (actions) => {
    const benches = await Promise.all(stores.map((store) => openBench(store)));
    try {
      const clients = benches.map(({ client }) => client);
      const day = await openDay(() => ({ clients, store: stores[0] }));
      for (const act of actions) await day.act(act);
      await day.auditBooks();
      expect(benches.flatMap(({ reportedErrors: reported }) => reported)).toEqual([]);
    } finally {
      await closeAll(benches);
    }
  });
  await fc.assert(property, bounds);
  expect(await stores[0].unfinished(Number.MAX_SAFE_INTEGER)).toEqual([]);
});

test('one gateway dies and writes fail in both: nothing counts twice, and nothing is lost', async () => {
  // The other gateway completes what the dead one left after twice this time.
  const patienceMs = 250;
  const property = fc.asyncProperty(actsArbitrary(['answerLost']), fc.nat(), async (actions, seed) => {
    const draws = dice(seed);
    let benches: Bench[] = [];
    const day = await openDay(() => ({ clients: benches.map(({ client }) => client), store: stores[0] }));
    for (const act of actions.slice(0, 3)) {
      const faulty = stores.map((store) => faultyStore(store, draws, 10));
      benches = await Promise.all(faulty.map((store) => openBench(store, { patienceMs })));
      const pending = day.playWithFaults(act);
      const turns = draws.between(0, 20);
      for (let turn = 0; turn < turns; turn += 1) await stores[0].ping();
      if (draws.percent(50)) faulty[0]?.die();
      await pending;
      await closeAll(benches);
      benches = await Promise.all(stores.map((store) => openBench(store, { patienceMs })));
      if (draws.percent(50)) await day.mend();
    }
    await day.mend();
    await day.auditBooks();
    await closeAll(benches);
  });
  await fc.assert(property, { ...bounds, numRuns: byNight({ day: 4, night: 25 }) });
});
