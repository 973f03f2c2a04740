/**
 * A shop that changes a checkout while its shopper pays: the values that the shop saw confirmed count, whoever is
 * faster.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Counter, card, OK, openCounter, payPath } from './counter.ts';

let counter: Counter;
beforeEach(async () => {
  counter = await openCounter();
});
afterEach(async () => {
  await counter.gateway.close();
  expect(counter.faults).toEqual([]);
});

const UPDATED = '000.200.101';

/** Runs the work after this many turns: the first 40 are microtasks, the others turns of the event loop. */
const runAfterTurns = async <T>(turns: number, work: () => Promise<T>): Promise<T> => {
  for (let turn = 0; turn < turns; turn += 1) {
    await (turn < 40 ? Promise.resolve() : new Promise((resolve) => setImmediate(resolve)));
  }
  return work();
};

test('an amount changed while the shopper paid is the amount charged', async () => {
  const authorisedCounts = { before: 0, after: 0 };
  for (let turns = 0; turns < 60; turns += 1) {
    const id = await counter.checkout();
    const [paidReply, reply] = await Promise.all([
      counter.shopper.post(payPath(id), card),
      runAfterTurns(turns, () => counter.shop.post(`v1/checkouts/${id}`, { amount: '20.00' })),
    ]);
    expect(paidReply.code).toBe(OK);
    const isChanged = reply.code === UPDATED;
    expect(paidReply.body['amount'], `after ${turns} turns the shop was told ${reply.code}`).toBe(
      isChanged ? '20.00' : '12.50',
    );
    authorisedCounts[isChanged ? 'before' : 'after'] += 1;
  }
  // Both orders occurred, so it was a race.
  expect(authorisedCounts.before).toBeGreaterThan(0);
  expect(authorisedCounts.after).toBeGreaterThan(0);
});
