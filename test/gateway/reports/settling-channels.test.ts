/** Only settled channels have due payments, and a settlement that is set up late misses none. */
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../../src/gateway/database/open.ts';
import { hurry } from '../../../src/gateway/reports/batch.ts';
import { provisionalFile } from '../../../src/gateway/reports/settlement-file.ts';
import { termsOf } from '../../../src/gateway/reports/terms.ts';
import { dice, SEED } from '../../support/chance/dice.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';
import { addPayment, chancePayments, DAY_MS, ENTITY, end, FIRST_DAY } from './chance-payments.ts';
import { expectEveryCent } from './every-cent.ts';

const terms = termsOf({ entityId: ENTITY });
const after = Date.parse(`${FIRST_DAY}T00:00:00Z`) + 60 * DAY_MS;
const ALL = { entityId: ENTITY, from: 0, before: after, limit: 1_000 };

const storePayments = async (seed: number, count: number) => {
  const { payments } = chancePayments(dice(seed), count, 2);
  const store = await openSqliteStore(':memory:');
  for (const each of payments) await addPayment(store, each, false);
  return { payments, store };
};

test('a channel without settlement has no due payments', async () => {
  const { store } = await storePayments(1, 50);
  expect(await store.settlements.due(ALL)).toEqual([]);
  expect(await store.settlements.isSettling(ENTITY)).toBe(false);
  await store.close();
});

test('a settlement that is set up late finds every earlier and every later payment', async () => {
  const { payments } = chancePayments(dice(SEED), 200, 2);
  const store = await openSqliteStore(':memory:');
  for (const each of payments.slice(0, 100)) await addPayment(store, each, false);
  // One of the payments is in progress during the setup.
  const followedPayment = payments
    .slice(100)
    .find(({ id }) => payments.every(({ referencedId }) => referencedId !== id));
  if (followedPayment !== undefined) await addPayment(store, followedPayment, true);
  await Promise.all([1, 2].map(() => hurry({ store, clock: virtualClock(after), terms })));
  for (const each of payments.slice(100)) if (each !== followedPayment) await addPayment(store, each, false);
  if (followedPayment !== undefined) await end(store, followedPayment);
  await hurry({ store, clock: virtualClock(after + 2 * DAY_MS), terms });
  await expectEveryCent(store, payments, `seed ${SEED}`);
  await store.close();
});

test('a file requested before any batch contains the due payments', async () => {
  const { store } = await storePayments(2, 50);
  const pieces = await Array.fromAsync(provisionalFile(store, FIRST_DAY, terms));
  expect(Buffer.concat(pieces).toString().trimEnd().split('\n').length).toBeGreaterThan(5);
  expect((await store.settlements.due(ALL)).length).toBeGreaterThan(5);
  await store.close();
});
