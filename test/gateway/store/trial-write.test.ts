/** A trial write fails on a full SQLite file like a payment, leaves no growth, and notices free space. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { openSqliteStore } from '../../../src/gateway/database/open.ts';
import type { Store } from '../../../src/gateway/store/store.ts';
import { add, processing } from '../../contract/store-samples.ts';

const folder = mkdtempSync(join(tmpdir(), 'trial-write-'));
afterAll(() => rmSync(folder, { recursive: true }));

const full = { code: 'gateway.state', facts: { trouble: 'diskFull' } };
const isTaken = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

/** Adds payments until one is refused; returns how many were accepted. */
const fill = async (store: Store, from: number): Promise<number> => {
  let count = from;
  while (await isTaken(add(store, processing({ id: `p${count}` })))) count += 1;
  return count;
};

test('a trial fails on a full file like a payment, and succeeds when there is space again', async () => {
  const path = join(folder, 'full.db');
  const pages = (await openSqliteStore(path).then(async (store) => {
    await store.tryWrite();
    await store.close();
    const file = new Database(path);
    const count = Number(file.pragma('page_count', { simple: true }));
    file.close();
    return count;
  })) as number;
  const smallStore = await openSqliteStore(path, { maxPages: pages + 6, group: 1 });
  await smallStore.tryWrite();
  const writtenCount = await fill(smallStore, 0);
  expect(writtenCount).toBeGreaterThan(0);
  await expect(smallStore.tryWrite()).rejects.toMatchObject(full);
  await expect(add(smallStore, processing({ id: 'late' }))).rejects.toMatchObject(full);
  // The file stays full, and a transaction that only reads is no proof of free space.
  const reading = smallStore.transact([], (session) => session.payment('p0'));
  await expect(smallStore.tryWrite()).rejects.toMatchObject(full);
  await reading;
  expect(await smallStore.payment('p0')).toBeDefined();
  await smallStore.close();
  const largerStore = await openSqliteStore(path, { maxPages: pages + 40, group: 1 });
  await largerStore.tryWrite();
  await add(largerStore, processing({ id: 'late' }));
  await largerStore.close();
});

test('a thousand trials leave one row, and no more pages than three did', async () => {
  const path = join(folder, 'grows-not.db');
  const storeSizeAfter = async (trials: number) => {
    const store = await openSqliteStore(path);
    for (let turn = 0; turn < trials; turn += 1) await store.tryWrite();
    await store.close();
    const file = new Database(path);
    const rows = file.prepare('select name, length(value) as size from store_fact').all();
    const count = file.pragma('page_count', { simple: true });
    file.close();
    return { rows, count };
  };
  const few = await storeSizeAfter(3);
  expect(few.rows).toEqual([{ name: expect.stringContaining('trial write'), size: 8_000 }]);
  expect((await storeSizeAfter(1_000)).count).toBe(few.count);
});
