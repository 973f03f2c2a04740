/** A sale whose message is missing from the queue, as in a restored folder: the next start queues it again. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eur, type Life, type Rig, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = tillRig();
});
afterEach(() => rig.remove());

/** Charged, and the answer never came. */
const unanswered = async (life: Life): Promise<string> => {
  rig.fates.push('answerLost', 'answerLost');
  const { sale, done } = life.sell(700n);
  expect((await rig.clock.until(done)).ending).toBe('unknown');
  return sale;
};

/** Cancelled as it was approved. */
const cancelled = async (life: Life): Promise<string> => {
  const running = life.sell(700n);
  rig.clock.after(60, () => running.cancel());
  expect((await rig.clock.until(running.done)).reversal).toBe('due');
  return running.sale;
};

/** Released while the gateway was away. */
const storedRelease = async (life: Life): Promise<string> => {
  const held = await rig.clock.until(life.till.preauthorise({ amount: eur(700n) }, () => {}).done);
  rig.fates.push('notReached');
  const request = { receipt: held.intent.receipt, operation: 'release' } as const;
  const ended = await rig.clock.until(life.till.follow(request, () => {}).done);
  expect(ended.offline).toBe('stored');
  return ended.intent.sale;
};

test.each([
  ['an unknown sale', unanswered, 'DB,RV'],
  ['an approval that must be reversed', cancelled, 'DB,RV'],
  ['a waiting release', storedRelease, 'PA,RV'],
] as const)('%s', async (_, begin, books) => {
  const before = rig.open();
  const sale = await begin(before);
  expect(before.outbox.holds(sale)).toBe(true);
  before.journal.sql.run('DELETE FROM message');
  before.close();

  const life = rig.open();
  life.till.recover();
  expect(life.outbox.waiting().map((message) => message.sale)).toEqual([sale]);
  await life.pass(3);
  expect(rig.host.books.map(({ paymentType }) => paymentType).join()).toBe(books);
  expect([life.ledger.openSales(), life.outbox.waiting(), life.outbox.parked()]).toEqual([[], [], []]);
  life.close();
});
