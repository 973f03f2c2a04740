/** A refund whose answer is lost or makes no sense is repeated unchanged, and is paid once. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Host } from '../../src/till/ports.ts';
import { createReply, type Rig, type TillRun, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = tillRig();
});
afterEach(() => rig.remove());

const sellWith = async (run: TillRun) => (await rig.clock.until(run.sell(1_000n).done)).intent;

test('a refund with a mismatched answer stays unknown and waits, and the pass settled nothing', async () => {
  let misfit = false;
  let requestCount = 0;
  const host: Host = {
    ...rig.host,
    async refer(payment, parameters, key) {
      requestCount += 1;
      return misfit
        ? createReply('000.100.110', 'approved', { id: 'f'.repeat(32) })
        : rig.host.refer(payment, parameters, key);
    },
  };
  const run = rig.open({ host });
  const { receipt } = await sellWith(run);
  rig.fates.push('requestLost', 'requestLost');
  const refund = run.till.refund({ receipt }, () => {});
  expect((await rig.clock.until(refund.done)).ending).toBe('unknown');
  misfit = true;
  requestCount = 0;
  expect(await run.drain()).toEqual({ done: 0, later: 1, parked: 0 });
  expect([requestCount, run.outbox.waiting().length, run.says(refund.sale).ending]).toEqual([
    1,
    1,
    'unknown unanswered',
  ]);
  misfit = false;
  expect(await run.drain()).toEqual({ done: 1, later: 0, parked: 0 });
  expect([run.says(refund.sale).ending, rig.booked(refund.sale)]).toEqual(['approved refunded', -1_000n]);
  run.close();
});

test('a refund whose answers were lost is paid once, and counts as paid until the gateway answers', async () => {
  const run = rig.open();
  const { receipt } = await sellWith(run);
  rig.fates.push('answerLost', 'answerLost');
  const refund = run.till.refund({ receipt, amount: { minor: 400n, currency: 'EUR' } }, () => {});
  expect((await rig.clock.until(refund.done)).ending).toBe('unknown');
  expect(() => run.till.refund({ receipt, amount: { minor: 700n, currency: 'EUR' } }, () => {})).toThrow(
    'At most 6.00 EUR',
  );
  await run.passTime(2);
  expect([run.says(refund.sale).ending, rig.booked(refund.sale)]).toEqual(['approved refunded', -400n]);
  run.close();
});

test('a refund whose answers were lost is inquired about first: forgotten keys do not pay it twice', async () => {
  let era = '';
  const run = rig.open({
    host: { ...rig.host, refer: (payment, parameters, key) => rig.host.refer(payment, parameters, `${key}${era}`) },
  });
  const { receipt } = await sellWith(run);
  rig.fates.push('answerLost', 'answerLost');
  const refund = run.till.refund({ receipt, amount: { minor: 400n, currency: 'EUR' } }, () => {});
  expect((await rig.clock.until(refund.done)).ending).toBe('unknown');
  expect(rig.booked(refund.sale)).toBe(-400n);
  era = ' two days later';
  await run.passTime(1, 2 * 86_400_000);
  expect([run.says(refund.sale).ending, rig.booked(refund.sale)]).toEqual(['approved refunded', -400n]);
  run.close();
});
