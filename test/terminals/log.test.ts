/** The write-ahead log of a running till: bounded, and without destroyed data. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openShop, type Shop, SRED } from '../app/shop.ts';

let shop: Shop;
beforeEach(() => {
  shop = openShop();
});
afterEach(() => shop.remove());

test('the log does not grow with each sale', async () => {
  const running = await shop.start();
  let largest = 0;
  for (let n = 0; n < 200; n++) {
    await shop.sell(running, 100n);
    const { size } = statSync(shop.file('journal.db-wal'));
    if (n < 100) largest = Math.max(largest, size);
    else expect(size, `after ${n + 1} sales`).toBeLessThan(largest * 1.5);
  }
  await running.close();
});

test('once a stored sale is answered, neither its key nor the decrypted data is in any file of the till', async () => {
  shop.line.up = false;
  const running = await shop.start();
  await shop.sell(running);
  const stored = running.journal.sql.get("SELECT sealed, wrapped FROM message WHERE kind = 'forward'");
  // A long record lies on several pages, so this looks for a piece from the middle of one.
  const needles = [stored?.['sealed'], stored?.['wrapped'], SRED].map((part) =>
    part instanceof Uint8Array ? Buffer.from(part).subarray(-2_000).subarray(0, 64) : Buffer.from(String(part)),
  );
  const readStates = () =>
    needles.map((needle) => readdirSync(shop.folder).some((name) => readFileSync(shop.file(name)).includes(needle)));
  // The record and its key can be found, but never the clear text.
  expect(readStates()).toEqual([true, true, false]);
  shop.line.up = true;
  expect((await running.forwarder.drain('all')).done).toBe(1);
  expect(readStates()).toEqual([false, false, false]);
  await running.close();
});
