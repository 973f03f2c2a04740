/** A sale whose message is missing from the queue, as in a restored folder: the next start queues it again. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eur, type Rig, type TillRun, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = tillRig();
});
afterEach(() => rig.remove());

/** A sale that was charged, and whose answer never came. */
const sellUnanswered = async (run: TillRun): Promise<string> => {
  rig.fates.push('answerLost', 'answerLost');
  const { sale, done } = run.sell(700n);
  expect((await rig.clock.until(done)).ending).toBe('unknown');
  return sale;
};

/** A sale that was cancelled while it was being approved. */
const cancelled = async (run: TillRun): Promise<string> => {
  const running = run.sell(700n);
  rig.clock.after(60, () => running.cancel());
  expect((await rig.clock.until(running.done)).reversal).toBe('due');
  return running.sale;
};

/** A hold that was released while the gateway was unreachable. */
const storedRelease = async (run: TillRun): Promise<string> => {
  const held = await rig.clock.until(run.till.preauthorise({ amount: eur(700n) }, () => {}).done);
  rig.fates.push('notReached');
  const request = { receipt: held.intent.receipt, operation: 'release' } as const;
  const sale = await rig.clock.until(run.till.follow(request, () => {}).done);
  expect(sale.offline).toBe('stored');
  return sale.intent.sale;
};

test.each([
  ['an unknown sale', sellUnanswered, 'DB,RV'],
  ['an approval that must be reversed', cancelled, 'DB,RV'],
  ['a waiting release', storedRelease, 'PA,RV'],
] as const)('%s', async (_, begin, books) => {
  const before = rig.open();
  const sale = await begin(before);
  expect(before.outbox.holds(sale)).toBe(true);
  before.journal.sql.run('DELETE FROM message');
  before.close();

  const run = rig.open();
  run.till.recover();
  expect(run.outbox.waiting().map((message) => message.sale)).toEqual([sale]);
  await run.passTime(3);
  expect(rig.host.books.map(({ paymentType }) => paymentType).join()).toBe(books);
  expect([run.ledger.openSales(), run.outbox.waiting(), run.outbox.parked()]).toEqual([[], [], []]);
  run.close();
});
