/** What a start does with sales that were left open, even if their index or their message is missing. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Rig, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = tillRig();
});
afterEach(() => rig.remove());

test('a lost index of sales is rebuilt from the journal: open sales are ended, numbers continue', async () => {
  const run = rig.open();
  await rig.clock.until(run.sell(700n).done);
  const left = run.sell(800n);
  await rig.clock.settle();
  run.journal.sql.run('DELETE FROM sale');
  run.close();

  const next = rig.open();
  expect(next.till.recover().map(({ intent }) => intent.sale)).toEqual([left.sale]);
  expect(next.ledger.nextNumbers('1')).toEqual({ receipt: 3, sequence: 3 });
  expect([next.till.find(1).at, next.says(left.sale).ending]).toEqual(['ended', 'notSent restarted']);
  next.close();
});

test('an index that lacks one sale is rebuilt too', async () => {
  const run = rig.open();
  for (const minor of [100n, 200n, 300n]) await rig.clock.until(run.sell(minor).done);
  run.journal.sql.run('DELETE FROM sale WHERE receipt = 3');
  run.close();
  const next = rig.open();
  expect(next.ledger.nextNumbers('1')).toEqual({ receipt: 4, sequence: 4 });
  expect(next.till.find(3).intent.amount.minor).toBe(300n);
  next.close();
});

test('an unknown sale whose message is missing gets a new one, and is reversed', async () => {
  const run = rig.open();
  rig.fates.push('answerLost', 'answerLost');
  const sale = run.sell(700n);
  await rig.clock.until(sale.done);
  run.journal.sql.run('DELETE FROM message');
  run.close();

  const next = rig.open();
  next.till.recover();
  await next.passTime(3);
  expect([next.says(sale.sale).ending, rig.booked(sale.sale)]).toEqual(['declined reversed', 0n]);
  next.close();
});

test('an unknown sale whose message waits is left alone: a second start queues no second message', async () => {
  const run = rig.open();
  rig.fates.push('answerLost', 'answerLost');
  await rig.clock.until(run.sell(700n).done);
  run.close();
  for (let n = 0; n < 3; n++) {
    const next = rig.open();
    expect(next.till.recover()).toEqual([]);
    expect(next.outbox.waiting()).toHaveLength(1);
    next.close();
  }
});
