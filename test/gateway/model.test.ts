/** Random days of several clients: the gateway agrees with a small model of the money, on SQLite. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openStore } from '../../src/gateway/store/open.ts';
import { type Bench, openBench } from '../simulation/gateway/bench.ts';
import { openDay } from '../simulation/gateway/day.ts';
import { faultyStore } from '../simulation/gateway/faulty-store.ts';
import { acts } from '../simulation/gateway/steps.ts';
import { dice } from '../support/dice.ts';

/** Bounded for a run of all tests; a failure prints its seed. */
const bounds = { numRuns: 150, interruptAfterTimeLimit: 7_000, endOnFailure: true };

const EVER = Number.MAX_SAFE_INTEGER;

test('every answer is what the amounts say, and the accounts agree', async () => {
  const property = fc.asyncProperty(acts(), async (drawn) => {
    const bench = await openBench(await openStore(':memory:'));
    try {
      const day = await openDay(() => ({ clients: [bench.client], store: bench.store }));
      for (const act of drawn) await day.act(act);
      await day.audit();
      expect(await bench.store.unfinished(EVER)).toEqual([]);
      expect(bench.reported).toEqual([]);
    } finally {
      await bench.close();
      await bench.store.close();
    }
  });
  await fc.assert(property, bounds);
});

test('writes that fail and gateways that die in the middle: nothing counts twice, nothing is lost', async () => {
  const property = fc.asyncProperty(acts(['answerLost']), fc.nat(), async (drawn, seed) => {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-model-'));
    const chance = dice(seed);
    const path = join(folder, 'gateway.db');
    let bench: Bench | undefined;
    try {
      let store = await openStore(path);
      bench = await openBench(store);
      const day = await openDay(() => ({ clients: bench === undefined ? [] : [bench.client], store }));
      for (const act of drawn) {
        const faulty = faultyStore(store, chance, 15);
        bench = await openBench(faulty);
        const going = day.hurt(act);
        const turns = chance.between(0, 60);
        for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
        if (chance.percent(50)) faulty.die();
        await going;
        await bench.close();
        await store.close();
        // A new process on the same file, where for a while nothing fails.
        store = await openStore(path);
        bench = await openBench(store);
        expect(await store.unfinished(EVER)).toEqual([]);
        if (chance.percent(50)) await day.mend();
      }
      await day.mend();
      await day.audit();
      expect(bench.reported).toEqual([]);
    } finally {
      await bench?.close();
      await bench?.store.close();
      rmSync(folder, { recursive: true });
    }
  });
  await fc.assert(property, bounds);
});
