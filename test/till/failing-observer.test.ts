/** An observer of a sale can fail at any moment: the sale continues, and reports about the money stay true. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Rig, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = tillRig();
});
afterEach(() => rig.remove());

for (const at of ['presenting', 'authorising', 'completing', 'ended'] as const) {
  test(`a listener that throws at "${at}" changes nothing: approved, charged once, and the failure is reported`, async () => {
    const run = rig.open();
    const sale = run.sell(1_000n, (progress) => {
      if (progress.kind === 'sale' && progress.sale.at === at) throw new TypeError('a bug in the screen');
    });
    const endedSale = await rig.clock.until(sale.done);
    expect([endedSale.ending, endedSale.reason, rig.booked(sale.sale)]).toEqual(['approved', 'approved', 1_000n]);
    expect(run.reported.map(String)).toContain('TypeError: a bug in the screen');
    run.close();

    const next = rig.open();
    next.till.recover();
    await next.passTime(2);
    expect([next.says(sale.sale).charged, rig.booked(sale.sale)]).toEqual([1_000n, 1_000n]);
    next.close();
  });
}
