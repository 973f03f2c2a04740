/** Bills and holds from the records of a running till, before and after a restart. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunningTill } from '../../src/app/start-till.ts';
import { billOfSale, openHolds, receiptContextOf } from '../../src/ledger/bills.ts';
import { openShop, type Shop } from '../app/shop.ts';
import { eur } from '../support/till/till-rig.ts';

let shop: Shop;
beforeEach(() => {
  shop = openShop();
});
afterEach(() => shop.remove());

const DAY_MS = 86_400_000;
const tell = () => {};

const withTill = async (work: (running: RunningTill) => Promise<void>): Promise<void> => {
  const running = await shop.start();
  await work(running).finally(() => running.close());
};

test('the parts of a bill are found by any of its receipts, also after the index was lost', async () => {
  const bill = { id: 'b'.repeat(32), total: eur(10_000n) };
  await withTill(async (running) => {
    await running.till.sell({ amount: eur(6_000n), bill }, tell).done;
    await running.till.sell({ amount: eur(500n) }, tell).done;
    await running.till.sell({ amount: eur(1_500n), tip: eur(100n), bill }, tell).done;
    expect(billOfSale(running, running.till.find(2))).toBeUndefined();
    expect(billOfSale(running, running.till.find(1))).toMatchObject({ paid: eur(7_500n), left: eur(2_500n) });
    running.journal.sql.run('DELETE FROM sale_operation');
  });
  await withTill(async (running) => {
    const found = billOfSale(running, running.till.find(3));
    expect(found).toMatchObject({ paid: eur(7_500n), left: eur(2_500n) });
    expect(found?.legs.map(({ sale }) => sale.intent.receipt)).toEqual([1, 3]);
  });
});

test('a reprinted receipt shows what was left then, not what is left now', async () => {
  const bill = { id: 'b'.repeat(32), total: eur(10_000n) };
  await withTill(async (running) => {
    for (const minor of [6_000n, 4_000n]) await running.till.sell({ amount: eur(minor), bill }, tell).done;
    expect(receiptContextOf(running, running.till.find(1)).bill?.left).toEqual(eur(4_000n));
    expect(receiptContextOf(running, running.till.find(2)).bill?.left).toEqual(eur(0n));
  });
});

test('a hold is listed with its expiry day, and for a while afterwards', async () => {
  await withTill(async (running) => {
    const { intent } = await running.till.preauthorise({ amount: eur(8_000n) }, tell).done;
    const [hold] = openHolds(running, intent.at);
    expect(hold).toMatchObject({ held: eur(8_000n), left: eur(8_000n), expiresAt: intent.at + 7 * DAY_MS });
    expect(openHolds(running, intent.at + 8 * DAY_MS)).toHaveLength(1);
    expect(openHolds(running, intent.at + 40 * DAY_MS)).toEqual([]);
    expect(receiptContextOf(running, running.till.find(1)).heldUntil).toBe(intent.at + 7 * DAY_MS);
    const longer = { ...running, config: { ...running.config, preauthorisation: { days: 30 } } };
    expect(openHolds(longer, intent.at)[0]?.expiresAt).toBe(intent.at + 30 * DAY_MS);
  });
});
