/**
 * Trouble with the line or the channel is not the message's fault: waiting messages are sent when it is over, and
 * nothing is lost.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Host } from '../../src/till/ports.ts';
import { chipCard, createReply, LIFE_MS, type Rig, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = tillRig(chipCard);
});
afterEach(() => rig.remove());

test.each(['800.900.300', '600.200.500', '600.300.101', '500.100.201'])(
  'a channel that refuses everything (%s) parks neither a stored sale nor a reversal',
  async (code) => {
    let locked = false;
    const declinedReply = createReply(code, 'refused');
    const host: Host = {
      ...rig.host,
      pay: async (parameters, key) => (locked ? declinedReply : rig.host.pay(parameters, key)),
      refer: async (payment, parameters, key) => (locked ? declinedReply : rig.host.refer(payment, parameters, key)),
      find: async (reference) => (locked ? declinedReply : rig.host.find(reference)),
    };
    const run = rig.open({ host });
    rig.fates.push('notReached');
    const stored = run.sell(1_000n);
    await rig.clock.until(stored.done);
    rig.fates.push('answerLost', 'answerLost');
    const lost = run.sell(700n);
    await rig.clock.until(lost.done);
    locked = true;
    for (let n = 0; n < 20; n++) await run.drain();
    locked = false;
    run.close();

    const next = rig.open({ host });
    next.till.recover();
    await next.passTime(2);
    expect({
      parked: next.outbox.parked(),
      waiting: next.outbox.waiting(),
      stored: rig.booked(stored.sale),
      lost: rig.booked(lost.sale),
    }).toEqual({ parked: [], waiting: [], stored: 1_000n, lost: 0n });
    next.close();
  },
);

test('tries that did not reach the gateway do not count as unknown answers', async () => {
  let doubtful = false;
  const run = rig.open({
    host: {
      ...rig.host,
      find: async (reference) => (doubtful ? createReply('900.100.300', 'unknown') : rig.host.find(reference)),
    },
  });
  rig.fates.push('answerLost', 'answerLost', ...new Array<'notReached'>(15).fill('notReached'));
  const sale = run.sell(700n);
  await rig.clock.until(sale.done);
  for (let n = 0; n < 15; n++) await run.drain();
  doubtful = true;
  await run.drain();
  doubtful = false;
  await run.passTime(1, LIFE_MS);
  expect({ parked: run.outbox.parked(), booked: rig.booked(sale.sale) }).toEqual({ parked: [], booked: 0n });
  run.close();
});
