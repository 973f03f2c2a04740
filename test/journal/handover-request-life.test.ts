/**
 * A request is still under way when its till dies: the till that takes over its money uses its own clock for the wait.
 */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openExport, twoTills } from './two-tills.ts';

const DAY_MS = 86_400_000;

let shop: ReturnType<typeof twoTills>;
beforeEach(() => {
  shop = twoTills();
});
afterEach(() => shop.remove());

test.each([
  ['up as long as the dead till’s machine', 0, 0],
  ['up for a hundred days longer', 0, 100 * DAY_MS],
  ['just started, while the dead till’s was up for long', 100 * DAY_MS, 0],
])('on a machine that was %s, the first "not found" proves nothing', async (_, deadUpMs, ownUpMs) => {
  await shop.clock.advance(DAY_MS);
  shop.upBefore.set('a', deadUpMs);
  shop.upBefore.set('b', ownUpMs);
  const sale = await shop.life('a', async (running) => {
    // Lost, not found by the inquiry, and sent again: this request arrives after the till has given up.
    shop.line.fates.push('requestLost', 'answered', 'takenLate');
    const sale = await shop.sell(running, 700n);
    expect(sale.ending).toBe('unknown');
    return sale.intent.sale;
  });
  const file = join(shop.root, 'unsent.json');
  await shop.exportFrom('a', file);
  await shop.life('b', async (running) => {
    await running.takenOver.take(await openExport(file), ['Cleo']);
    await shop.clock.until(running.takenOver.drain());
    expect([shop.charged(sale), running.takenOver.sales().map(({ waiting }) => waiting)]).toEqual([0n, [true]]);
    await shop.forwardForeign(running);
    expect(running.takenOver.sales().map(({ waiting }) => waiting)).toEqual([false]);
  });
  const books = shop.gateway.books.filter(({ merchantTransactionId: of }) => of === sale);
  expect(books.map(({ paymentType }) => paymentType)).toEqual(['DB', 'RV']);
  expect(shop.charged(sale)).toBe(0n);
});
