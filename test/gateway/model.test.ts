/** Random days of several clients: on SQLite, the gateway agrees with a small model of the money. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openStore } from '../../src/gateway/database/open.ts';
import { type Bench, type Client, openBench } from '../simulation/gateway/bench.ts';
import { openDay } from '../simulation/gateway/day.ts';
import { faultyStore } from '../simulation/gateway/faulty-store.ts';
import { actsArbitrary, type Follow, type Step } from '../simulation/gateway/steps.ts';
import { dice } from '../support/chance/dice.ts';
import { byNight } from '../support/night/night.ts';

/** A failure prints its seed. The daytime test plays enough days for many actions and troubles of each kind. */
const bounds = { numRuns: byNight({ day: 25, night: 150 }), endOnFailure: true };
/** For a nightly run on a slow disk. */
const TIMEOUT_MS = 600_000;

const start: Step = { do: 'start', type: 'PA', on: 'card', minor: 1_000, fate: 'none', registers: false };
const follow: Follow = {
  do: 'follow',
  ...{ type: 'CP', of: 0, among: 'fitting', part: 108, currency: 'EUR', final: false },
};

test('an increase with a lost answer counts once it is known, not before', async () => {
  const bench = await openBench(await openStore(':memory:'));
  let loses = false;
  const silentClient: Client = {
    ...bench.client,
    async send(...request) {
      const reply = await bench.client.send(...request);
      if (loses) throw new Error('the line lost the answer');
      return reply;
    },
  };
  try {
    const day = await openDay(() => ({ clients: [silentClient], store: bench.store }));
    const playAtOnce = (...steps: Step[]) => day.playWithFaults({ order: 'at once', steps, sent: 1 });
    await playAtOnce(start);
    loses = true;
    await playAtOnce({ ...follow, type: 'PA', part: 50 });
    loses = false;
    await playAtOnce(follow);
    expect(day.books.entries.map(({ type, minor }) => [type, minor])).toEqual([
      ['PA', 1_000n],
      ['CP', 1_080n],
    ]);
    await day.mend();
    expect(day.books.entries.at(-1)).toMatchObject({ type: 'PA', minor: 500n });
  } finally {
    await bench.close();
    await bench.store.close();
  }
});

const EVER = Number.MAX_SAFE_INTEGER;

test(
  'every answer matches the amounts, and the accounts agree',
  async () => {
    const property = fc.asyncProperty(actsArbitrary(), async (drawnActs) => {
      const bench = await openBench(await openStore(':memory:'));
      try {
        const day = await openDay(() => ({ clients: [bench.client], store: bench.store }));
        for (const act of drawnActs) await day.act(act);
        await day.auditBooks();
        expect(await bench.store.unfinished(EVER)).toEqual([]);
        expect(bench.reportedErrors).toEqual([]);
      } finally {
        await bench.close();
        await bench.store.close();
      }
    });
    await fc.assert(property, bounds);
  },
  TIMEOUT_MS,
);

test(
  'with failing writes and crashing gateways nothing counts twice, and nothing is lost',
  async () => {
    const property = fc.asyncProperty(actsArbitrary(['answerLost']), fc.nat(), async (drawnActs, seed) => {
      const folder = mkdtempSync(join(tmpdir(), 'gateway-model-'));
      const chance = dice(seed);
      const path = join(folder, 'gateway.db');
      let bench: Bench | undefined;
      try {
        let store = await openStore(path);
        bench = await openBench(store);
        const day = await openDay(() => ({ clients: bench === undefined ? [] : [bench.client], store }));
        for (const act of drawnActs) {
          const faulty = faultyStore(store, chance, 15);
          bench = await openBench(faulty);
          const running = day.playWithFaults(act);
          const turns = chance.between(0, 60);
          for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
          if (chance.percent(50)) faulty.die();
          await running;
          await bench.close();
          await store.close();
          // A new process opens the same file, and nothing fails for a while.
          store = await openStore(path);
          bench = await openBench(store);
          expect(await store.unfinished(EVER)).toEqual([]);
          if (chance.percent(50)) await day.mend();
        }
        await day.mend();
        await day.auditBooks();
        expect(bench.reportedErrors).toEqual([]);
      } finally {
        await bench?.close();
        await bench?.store.close();
        rmSync(folder, { recursive: true });
      }
    });
    await fc.assert(property, bounds);
  },
  TIMEOUT_MS,
);
