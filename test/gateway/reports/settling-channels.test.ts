/** Only settled channels have due payments, and a settlement that is set up late misses none. */
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../../src/gateway/database/open.ts';
import { hurry } from '../../../src/gateway/reports/batch.ts';
import { provisionalFile } from '../../../src/gateway/reports/settlement-file.ts';
import { termsOf } from '../../../src/gateway/reports/terms.ts';
import { dice, SEED } from '../../support/chance/dice.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';
import { begin, chancePayments, DAY_MS, ENTITY, end, FIRST_DAY } from './chance-payments.ts';
import { expectEveryCent } from './every-cent.ts';

const terms = termsOf({ entityId: ENTITY });
const after = Date.parse(`${FIRST_DAY}T00:00:00Z`) + 60 * DAY_MS;
const ALL = { entityId: ENTITY, from: 0, before: after, limit: 1_000 };

const paid = async (seed: number, count: number) => {
  const { payments } = chancePayments(dice(seed), count, 2);
  const store = await openSqliteStore(':memory:');
  for (const one of payments) await begin(store, one, false);
  return { payments, store };
};

test('a channel without settlement has no due payments', async () => {
  const { store } = await paid(1, 50);
  expect(await store.settlements.due(ALL)).toEqual([]);
  expect(await store.settlements.isSettling(ENTITY)).toBe(false);
  await store.close();
});

test('a settlement that is set up late finds every earlier and every later payment', async () => {
  const { payments } = chancePayments(dice(SEED), 200, 2);
  const store = await openSqliteStore(':memory:');
  for (const one of payments.slice(0, 100)) await begin(store, one, false);
  // One of them is in progress during the setup.
  const under = payments.slice(100).find(({ id }) => payments.every(({ referencedId }) => referencedId !== id));
  if (under !== undefined) await begin(store, under, true);
  await Promise.all([1, 2].map(() => hurry({ store, clock: virtualClock(after), terms })));
  for (const one of payments.slice(100)) if (one !== under) await begin(store, one, false);
  if (under !== undefined) await end(store, under);
  await hurry({ store, clock: virtualClock(after + 2 * DAY_MS), terms });
  await expectEveryCent(store, payments, `seed ${SEED}`);
  await store.close();
});

test('a file requested before any batch contains the due payments', async () => {
  const { store } = await paid(2, 50);
  const pieces = await Array.fromAsync(provisionalFile(store, FIRST_DAY, terms));
  expect(Buffer.concat(pieces).toString().trimEnd().split('\n').length).toBeGreaterThan(5);
  expect((await store.settlements.due(ALL)).length).toBeGreaterThan(5);
  await store.close();
});
