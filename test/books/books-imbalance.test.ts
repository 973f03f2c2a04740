/** A journal with more given back than was sold: the till starts, says so everywhere, and does not make it worse. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunningTill } from '../../src/app/start-till.ts';
import { systemClock } from '../../src/base/clock.ts';
import { booksOf } from '../../src/books/journal-tools.ts';
import { zLines } from '../../src/books/reports/print.ts';
import { openShop, type Shop } from '../app/shop.ts';
import { refund, unbalance } from '../ledger/unbalanced.ts';
import { bookkeepingHost } from '../support/till/bookkeeping-host.ts';

let shop: Shop;
let running: RunningTill | undefined;
beforeEach(() => {
  shop = openShop();
});
afterEach(async () => {
  await running?.close();
  running = undefined;
  shop.remove();
});

const host = bookkeepingHost({
  mode: 'test',
  ...{ clock: systemClock, fate: () => 'answered', approves: () => true, takesMs: () => 0 },
  ...{ timeoutMs: 1_000, requestLifeMs: 2_000 },
});

const start = async (): Promise<RunningTill> => {
  running = await shop.start({ host: () => host });
  return running;
};

const stop = async (): Promise<void> => {
  await running?.close();
  running = undefined;
};

test.each([
  ['whose tables are rebuilt', true],
  ['whose last entries are missing from the tables', false],
])('a journal %s: the till starts, shows it, sells, and closes', async (_, forgetIndexes) => {
  const first = await start();
  const { intent } = await shop.sell(first, 1_000n);
  await stop();
  unbalance(shop.folder, intent, forgetIndexes);
  const imbalances = [{ sale: intent.sale, receipt: 1, currency: 'EUR', minor: 300n }];
  expect(booksOf(shop.file('journal.db')).overRefunded).toEqual(imbalances);
  const till = await start();
  expect(till.books.overRefunds()).toEqual(imbalances);
  expect(await shop.sell(till, 500n)).toMatchObject({ ending: 'approved', intent: { receipt: 4 } });
  const z = await till.books.close();
  expect(z.unbalanced).toEqual([{ receipt: 1, amount: '3.00 EUR' }]);
  expect(zLines(z, till.config, { width: 42, mode: till.mode }).join('\n')).toMatch(
    /REFUNDED BEYOND THE SALE\n0*1 +3\.00 EUR/,
  );
  await stop();
  const reopened = await start();
  expect(reopened.books.overRefunds()).toEqual(imbalances);
  expect((await shop.sell(reopened, 500n)).ending).toBe('approved');
});

test('an existing imbalance does not permit more: a further refund is refused, also of a balanced sale', async () => {
  const { intent } = await shop.sell(await start(), 1_000n);
  await stop();
  unbalance(shop.folder, intent, true);
  const till = await start();
  const second = await shop.sell(till, 200n);
  const refused = expect.objectContaining({ code: 'books.unbalanced' });
  expect(() => refund(till.ledger, intent, 5, 1n)).toThrow(refused);
  expect(() => refund(till.ledger, second.intent, 6, 201n)).toThrow(refused);
  expect(() => refund(till.ledger, second.intent, 7, 200n)).not.toThrow();
  expect(till.books.overRefunds().map(({ receipt, minor }) => [receipt, minor])).toEqual([[1, 300n]]);
});

test('without an imbalance nothing is reported', async () => {
  const till = await start();
  await shop.sell(till, 1_000n);
  const z = await till.books.close();
  expect(till.books.overRefunds()).toEqual([]);
  expect(z.unbalanced).toBeUndefined();
  await stop();
  expect(booksOf(shop.file('journal.db'))).toEqual({ overRefunded: [], zReports: 1, zBroken: [], staleLines: [] });
});
