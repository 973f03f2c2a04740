/** The SQLite store: the contract, and the properties of a file. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { openSqliteStore, openStore } from '../../src/gateway/database/open.ts';
import { sqliteSteps } from '../../src/gateway/database/sqlite-steps.ts';
import { storeContract } from '../contract/store.ts';
import { registration } from '../contract/store-samples.ts';

const folder = mkdtempSync(join(tmpdir(), 'store-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
const newStorePath = () => {
  files += 1;
  return join(folder, `${files}.db`);
};

storeContract('in memory', () => openSqliteStore(':memory:'));
/** An empty store's file, made once: making one anew takes longer than most tests. */
const emptyStore = (() => {
  let created: Promise<string> | undefined;
  return async () => {
    created ??= (async () => {
      const path = newStorePath();
      await (await openStore(path)).close();
      return path;
    })();
    const path = newStorePath();
    copyFileSync(await created, path);
    return path;
  };
})();
storeContract('in a file', async () => openStore(await emptyStore()));
storeContract('in a file, each transaction with its own commit', async () =>
  openSqliteStore(await emptyStore(), { group: 1 }),
);

test('stores in memory share nothing, although they start as copies of the first', async () => {
  const [first, second] = [await openStore(':memory:'), await openStore(':memory:')];
  await first.keepFact('name', 'first');
  await second.keepFact('name', 'second');
  const third = await openStore(':memory:');
  expect(await Promise.all([first, second, third].map((store) => store.fact('name')))).toEqual([
    'first',
    'second',
    undefined,
  ]);
  for (const store of [first, second, third]) await store.close();
});

test('a file survives the store', async () => {
  const path = newStorePath();
  const first = await openSqliteStore(path);
  await first.memory.withLocks(['a'], (documents) => documents.set([{ key: 'a', value: '1' }]));
  await first.close();
  const second = await openSqliteStore(path);
  expect(await second.memory.get('a')).toBe('1');
  await second.close();
});

test('nothing encrypted of a deleted registration is left in the file', async () => {
  const path = newStorePath();
  const sealed = { keyId: 'k1', wrappedKey: 'wrapped-key-to-look-for', box: 'box-to-look-for'.repeat(20) };
  const { sealed: _, ...open } = registration({ id: 'r1', sealed });
  const onDisk = () => [sealed.wrappedKey, sealed.box].map((secret) => readFileSync(path).includes(secret));
  const first = await openSqliteStore(path);
  await first.transact(['r1'], (session) => session.addRegistration({ ...open, sealed }));
  await first.close();
  expect(onDisk()).toEqual([true, true]);
  const second = await openSqliteStore(path);
  await second.transact(['r1'], (session) => session.changeRegistration({ ...open, state: 'deleted' }));
  await second.close();
  expect(onDisk()).toEqual([false, false]);
});

test('a file has one gateway at a time', async () => {
  const path = newStorePath();
  const first = await openSqliteStore(path);
  await expect(openSqliteStore(path)).rejects.toMatchObject({
    code: 'gateway.busy',
    facts: { data: dirname(path) },
  });
  await first.close();
  await (await openSqliteStore(path)).close();
});

test('the file is in WAL mode, with the version that this program writes', async () => {
  const path = newStorePath();
  await (await openSqliteStore(path)).close();
  const file = new Database(path, { readonly: true });
  expect(file.pragma('journal_mode', { simple: true })).toBe('wal');
  expect(file.prepare('select version from schema_version').pluck().all()).toEqual([sqliteSteps.length]);
  file.close();
});

test.each<[string, (path: string) => void]>([
  ['is not a database', (path) => writeFileSync(path, 'a shopping list, and not a short one: bread, milk, eggs, tea.')],
  [
    'is from a newer version',
    (path) => {
      const file = new Database(path);
      file.exec('create table schema_version (version integer not null); insert into schema_version values (99)');
      file.close();
    },
  ],
  ['is a folder', (path) => void mkdtempSync(`${path}-`)],
])('a file that %s is refused and left unchanged', async (name, make) => {
  const path = newStorePath();
  make(path);
  const target = name === 'is a folder' ? folder : path;
  await expect(openSqliteStore(target)).rejects.toMatchObject({ code: 'gateway.state' });
});
