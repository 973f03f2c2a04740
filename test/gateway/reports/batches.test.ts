/**
 * Batches: every cent of approved money is in exactly one record, even with late endings, crashes and repeated runs.
 */
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../../src/gateway/database/open.ts';
import { hurry, makeBatch } from '../../../src/gateway/reports/batch.ts';
import { termsOf } from '../../../src/gateway/reports/terms.ts';
import { dice, SEED } from '../../support/chance/dice.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';
import { addPayment, chancePayments, DAY_MS, ENTITY, end, FIRST_DAY } from './chance-payments.ts';
import { allRows, expectEveryCent } from './every-cent.ts';

const terms = termsOf({ entityId: ENTITY });
/** The last day of the test, because chains of follow-ups continue for days. */
const LAST = 40;
const START = Date.parse(`${FIRST_DAY}T00:00:00Z`);

test('every cent of approved money is in exactly one record, however late it ends', async () => {
  for (let round = 0; round < 3; round += 1) {
    const seed = SEED + round;
    const chance = dice(seed);
    const { payments } = chancePayments(chance, 400, 6);
    const store = await openSqliteStore(':memory:');
    const clock = virtualClock(START);
    // A payment without an ending has no follow-ups.
    const followedIds = new Set(payments.map(({ referencedId }) => referencedId));
    const waitingPayments = new Set(payments.filter(({ id }) => !followedIds.has(id) && chance.percent(40)));
    const startedIds = new Set<string | undefined>([undefined]);
    for (let day = 1; day <= LAST; day += 1) {
      await clock.advance(DAY_MS);
      for (const each of payments) {
        if (each.at >= clock.now() || startedIds.has(each.id) || !startedIds.has(each.referencedId)) continue;
        await addPayment(store, each, waitingPayments.has(each));
        startedIds.add(each.id);
      }
      for (const each of waitingPayments) {
        if (!startedIds.has(each.id) || !(chance.percent(30) || day === LAST)) continue;
        await end(store, each);
        waitingPayments.delete(each);
      }
      if (chance.percent(70)) await Promise.all([1, 2].map(() => hurry({ store, clock, terms })));
    }
    await clock.advance(2 * DAY_MS);
    await hurry({ store, clock, terms });
    await expectEveryCent(store, payments, `seed ${seed}`);
    const before = await allRows(store);
    await hurry({ store, clock, terms });
    expect(await allRows(store), `seed ${seed}`).toEqual(before);
    await store.close();
  }
});

test('an interrupted batch is continued, and has the same bytes as an uninterrupted one', async () => {
  const { payments } = chancePayments(dice(SEED), 900, 1);
  const files = [];
  for (const cuts of [0, 1, 3]) {
    const store = await openSqliteStore(':memory:');
    const clock = virtualClock(START + 60 * DAY_MS);
    for (const each of payments) await addPayment(store, each, false);
    for (let cutCount = 0; cutCount < cuts; cutCount += 1) {
      const cutRun = hurry({
        ...{ store, clock, terms },
        onProgress() {
          throw new Error('cut');
        },
      });
      await expect(cutRun).rejects.toThrow('cut');
    }
    await hurry({ store, clock, terms });
    await expectEveryCent(store, payments, `seed ${SEED}`);
    files.push(await allRows(store));
    await store.close();
  }
  expect(files[1], `seed ${SEED}`).toEqual(files[0]);
  expect(files[2], `seed ${SEED}`).toEqual(files[0]);
});

test('a day that is not over has no batch', async () => {
  const store = await openSqliteStore(':memory:');
  const clock = virtualClock(START + DAY_MS - 1);
  const batchContext = { store, clock, terms };
  await expect(makeBatch(batchContext, FIRST_DAY)).rejects.toMatchObject({ code: 'settlement.early' });
  await clock.advance(1);
  expect(await makeBatch(batchContext, FIRST_DAY)).toMatchObject({ day: FIRST_DAY, records: 0, closedAt: clock.now() });
  await store.close();
});

test('a batch started by a gateway with a fast clock is left to that gateway', async () => {
  const { payments } = chancePayments(dice(7), 600, 1);
  const store = await openSqliteStore(':memory:');
  for (const each of payments) await addPayment(store, each, false);
  const laterClock = virtualClock(START + 4 * DAY_MS);
  const secondBatch = makeBatch(
    {
      store,
      clock: laterClock,
      terms,
      onProgress: () => {
        throw new Error('cut');
      },
    },
    '2026-11-05',
  );
  await expect(secondBatch).rejects.toThrow('cut');
  await hurry({ store, clock: virtualClock(START + DAY_MS), terms });
  expect((await store.settlements.ofDay(ENTITY, '2026-11-05'))?.closedAt).toBeUndefined();
  await hurry({ store, clock: laterClock, terms });
  expect((await store.settlements.ofDay(ENTITY, '2026-11-05'))?.closedAt).toBeDefined();
  await store.close();
});
