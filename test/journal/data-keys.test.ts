/**
 * The key of a stored record is destroyed at its answer, whether approved or declined: in the file, in its write-ahead
 * log, in the second copy, and at a till that sends it for another one. The copy that an upgrade leaves never holds it.
 * The test searches byte by byte.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunningTill } from '../../src/app/start-till.ts';
import { changeConfig } from '../../src/folder/config.ts';
import { withSlashes } from '../support/platform/platform.ts';
import { openExport, twoTills } from './two-tills.ts';

let shop: ReturnType<typeof twoTills>;
beforeEach(() => {
  shop = twoTills();
  changeConfig(shop.folderOf('a'), shop.parts.ids, (config) => ({ ...config, secondCopy: shop.folderOf('mirror') }));
});
afterEach(() => shop.remove());

const filesBelow = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });

/** The names of the files in all tills' folders that contain one of these keys. */
const holding = (keys: readonly Buffer[]): string[] =>
  filesBelow(shop.root)
    .filter((file) => keys.some((key) => readFileSync(file).includes(key)))
    .map((file) => withSlashes(file.slice(shop.root.length + 1)))
    .sort();

const keysIn = (running: Pick<RunningTill, 'journal'>): Buffer[] =>
  running.journal.sql
    .all('SELECT wrapped FROM message WHERE wrapped IS NOT NULL')
    .map(({ wrapped }) => Buffer.from(wrapped as Uint8Array));

const stored = async (running: RunningTill, ...amounts: bigint[]): Promise<Buffer[]> => {
  shop.line.up = false;
  for (const amount of amounts) expect(await shop.sell(running, amount)).toMatchObject({ ending: 'approved' });
  shop.line.up = true;
  const keys = keysIn(running);
  expect(keys).toHaveLength(amounts.length);
  return keys;
};

describe('while the till is open', () => {
  const endings: Record<string, (running: RunningTill) => Promise<unknown>> = {
    yes: (running) => shop.forward(running),
    no: (running) => {
      shop.line.approves = false;
      return shop.forward(running);
    },
    'a void before the first try': async (running) => {
      for (const { intent } of running.ledger.sales(2))
        await shop.clock.until(running.till.follow({ operation: 'void', receipt: intent.receipt }, () => {}).done);
    },
  };
  test.each(Object.entries(endings))('after %s', (_, ending) =>
    shop.life('a', async (running) => {
      const keys = await stored(running, 1_000n, 1_100n);
      await running.secondCopy?.waitUntilCaughtUp();
      expect(holding(keys)).toEqual(expect.arrayContaining(['a/journal.db-wal', 'mirror/journal.db']));
      await ending(running);
      // A void and a person's confirmation take effect a second later, and a pass of the queue at its end.
      await shop.clock.advance(1_000);
      expect(keysIn(running)).toEqual([]);
      await running.secondCopy?.waitUntilCaughtUp();
      expect(holding(keys)).toEqual([]);
    }),
  );
});

test('the copy of an upgrade holds no key, though the original file does', async () => {
  const keys = await shop.life('a', (running) => stored(running, 1_000n));
  const path = join(shop.folderOf('a'), 'journal.db');
  const database = new Database(path);
  database.pragma('user_version = 1');
  database.close();
  await shop.life('a', async () => {
    expect(readdirSync(shop.folderOf('a'))).toContain('journal.db.v1.bak');
    expect(holding(keys).filter((file) => file.includes('.bak'))).toEqual([]);
    expect(holding(keys)).toContain('a/journal.db');
  });
});

test('a till that sends for another one has its own key and destroys it', async () => {
  await shop.life('a', (running) => stored(running, 1_000n));
  const file = join(shop.root, 'unsent.json');
  await shop.exportFrom('a', file);
  await shop.life('b', async (running) => {
    await running.takenOver.take(await openExport(file), ['Cleo']);
    const [name = ''] = readdirSync(join(shop.folderOf('b'), 'foreign')).filter((each) => each.endsWith('.db'));
    const database = new Database(join(shop.folderOf('b'), 'foreign', name), { readonly: true });
    const stored = database.prepare('SELECT wrapped FROM message').pluck().all() as Buffer[];
    database.close();
    expect(holding(stored).length).toBeGreaterThan(0);
    await shop.forwardForeign(running);
    expect(running.takenOver.sales().map(({ waiting }) => waiting)).toEqual([false]);
    expect(holding(stored)).toEqual([]);
  });
});
