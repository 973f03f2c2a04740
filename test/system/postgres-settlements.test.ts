/**
 * Settlement with several gateways on one PostgreSQL: every cent is in exactly one record, whichever makes the batches.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../src/gateway/database/open.ts';
import { hurry } from '../../src/gateway/reports/batch.ts';
import { termsOf } from '../../src/gateway/reports/terms.ts';
import { addPayment, chancePayments, DAY_MS, ENTITY, end, FIRST_DAY } from '../gateway/reports/chance-payments.ts';
import { allRows, expectEveryCent } from '../gateway/reports/every-cent.ts';
import { dice, SEED } from '../support/chance/dice.ts';
import { byNight } from '../support/night/night.ts';
import { startPostgres, type TestPostgres } from '../support/servers/postgres.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.remove());

const START = Date.parse(`${FIRST_DAY}T00:00:00Z`);
const terms = termsOf({ entityId: ENTITY });

test('three gateways pay and settle at the same time', async () => {
  const chance = dice(SEED);
  const { payments } = chancePayments(chance, byNight({ day: 240, night: 900 }), 3);
  const settledIds = new Set(payments.map(({ referencedId }) => referencedId));
  const waiting = new Set(payments.filter(({ id }) => !settledIds.has(id) && chance.percent(30)));
  const url = await server.database();
  const stores = await Promise.all([1, 2, 3].map(() => openStore(url)));
  const [first] = stores;
  if (first === undefined) throw new Error('there is no store');
  // Each has its own clock, and none is exact.
  const clocks = stores.map((_, index) => virtualClock(START + 2 * DAY_MS + index * 60_000));
  let next = 0;
  const pay = async (): Promise<void> => {
    for (const [at, one] of payments.entries()) {
      next = at;
      await addPayment(stores[at % 3] ?? first, one, waiting.has(one));
    }
  };
  const settle = async (index: number): Promise<void> => {
    const [store, clock] = [stores[index] ?? first, clocks[index] ?? virtualClock(START)];
    while (next < payments.length - 1) {
      await hurry({ store, clock, terms });
      await clock.advance(DAY_MS / 4);
    }
  };
  await Promise.all([pay(), settle(0), settle(1), settle(2)]);
  await Promise.all([...waiting].map((one, index) => end(stores[index % 3] ?? first, one)));
  const lateClock = virtualClock(Math.max(...clocks.map((clock) => clock.now())) + 60 * DAY_MS);
  await Promise.all(stores.map((store) => hurry({ store, clock: lateClock, terms })));
  await expectEveryCent(first, payments, `seed ${SEED}`);
  const rows = await allRows(first);
  const batches = await first.settlements.list(ENTITY, 1_000);
  const sums = await Promise.all(batches.map(({ id }) => first.settlements.sumsOf(id)));
  expect(
    sums.flat().reduce((sum, { records }) => sum + records, 0),
    `seed ${SEED}`,
  ).toBe(rows.length);
  expect(batches.every(({ closedAt }) => closedAt !== undefined)).toBe(true);
  await Promise.all(stores.map((store) => store.close()));
});
