/**
 * Sales continue while the queue is sent: whenever a sale meets a drain, it takes no longer, and each card is charged
 * once.
 */
import { expect, test } from 'vitest';
import type { Host } from '../../src/till/ports.ts';
import { chipCard, type Rig, type TillRun, tillRig } from '../support/till/till-rig.ts';

/** Stored sales reach the gateway; new ones are treated as `cut` says. */
const openShop = () => {
  const rig = tillRig(chipCard);
  const line = { cut: true };
  const host: Host = {
    ...rig.host,
    pay(parameters, key) {
      const isNew = parameters['customParameters[offline]'] === undefined;
      if (isNew && line.cut) rig.fates.unshift('notReached');
      return rig.host.pay(parameters, key);
    },
  };
  return { rig, line, run: rig.open({ host }) };
};

const sellsFor = async ({ rig, run }: { rig: Rig; run: TillRun }): Promise<{ sale: string; tookMs: number }> => {
  const start = rig.clock.monotonic();
  const running = run.sell(700n);
  await rig.clock.until(running.done);
  return { sale: running.sale, tookMs: rig.clock.monotonic() - start };
};

const STORED = 3;
const offsets = Array.from({ length: 12 }, (_, n) => n * 40);
const cases = (['stored', 'online'] as const).flatMap((how) => offsets.map((afterMs) => ({ how, afterMs })));

test.each(cases)('a sale that is made ($how) $afterMs ms into a drain', async ({ how, afterMs }) => {
  const world = openShop();
  const { rig, line, run } = world;
  const before: { sale: string; tookMs: number }[] = [];
  for (let n = 0; n < STORED; n += 1) before.push(await sellsFor(world));
  line.cut = how === 'stored';
  const calm = how === 'stored' ? (before[0]?.tookMs ?? 0) : 0;

  const draining = run.forwarder.drain('all');
  await rig.clock.advance(afterMs);
  const during = await sellsFor(world);
  await rig.clock.until(draining);
  await run.passTime(1);

  if (how === 'stored') expect(during.tookMs).toBeLessThanOrEqual(calm + 1);
  for (const { sale } of [...before, during]) {
    expect(rig.ofSale(sale).filter(({ paymentType }) => paymentType === 'DB')).toHaveLength(1);
    expect(rig.booked(sale)).toBe(700n);
    expect(run.says(sale).ending).toMatch(/^approved /);
  }
  expect([run.outbox.waiting(), run.outbox.parked(), run.reported]).toEqual([[], [], []]);
  run.close();
  rig.remove();
});

test('a drain of stored sales does not delay a sale, however long it takes', async () => {
  const world = openShop();
  const { rig, line, run } = world;
  for (let n = 0; n < STORED; n += 1) await sellsFor(world);
  line.cut = false;
  const calm = await sellsFor(world);
  // The gateway is slow with stored sales.
  rig.fates.push('requestLost');
  const draining = run.forwarder.drain('all');
  await rig.clock.advance(5);
  const during = await sellsFor(world);
  expect(during.tookMs).toBe(calm.tookMs);
  await rig.clock.until(draining);
  run.close();
  rig.remove();
});
