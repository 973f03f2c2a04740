import fc from 'fast-check';
import { test } from 'vitest';
import { openStore } from '../../src/gateway/store/open.ts';
import { openBench } from '../simulation/gateway/bench.ts';
import { openDay } from '../simulation/gateway/day.ts';
import { acts } from '../simulation/gateway/steps.ts';
test('x', async () => {
  await fc.assert(fc.asyncProperty(acts(), async (drawn) => {
    const bench = await openBench(await openStore(':memory:'));
    try {
      const day = await openDay(() => ({ clients: [bench.client], store: bench.store }));
      for (const act of drawn) await day.act(act);
      await day.audit();
    } finally { await bench.close(); await bench.store.close(); }
  }), { numRuns: Number(process.env['RUNS'] ?? 1), interruptAfterTimeLimit: 100000, ...(process.env['SEED'] ? { seed: Number(process.env['SEED']), path: process.env['FCPATH'] ?? '0' } : {}) });
}, 120000);
