/** Transactions on one SQLite file share a commit, and no caller gets a result before all of it is durable. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { errorText, Fault } from '../../../src/base/fault.ts';
import { openSqliteStore } from '../../../src/gateway/database/open.ts';
import type { Query } from '../../../src/gateway/store/query.ts';
import type { SqliteOptions } from '../../../src/gateway/store/sqlite.ts';
import { createGroups } from '../../../src/gateway/store/sqlite-groups.ts';
import { createStatements } from '../../../src/gateway/store/sqlite-turn.ts';
import type { Store } from '../../../src/gateway/store/store.ts';
import { add, facts, idsOf, processing } from '../../contract/store-samples.ts';

const folder = mkdtempSync(join(tmpdir(), 'groups-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const open = async (options: SqliteOptions): Promise<Store> => {
  files += 1;
  return openSqliteStore(join(folder, `${files}.db`), options);
};

const addMany = (store: Store, count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => add(store, processing({ id: `p${index}` }))));

test.each<[title: string, group: number, workCount: number, commits: readonly number[]]>([
  ['all of them share one commit', 256, 100, [100]],
  ['at most the limit share one commit', 40, 100, [40, 40, 20]],
  ['each has its own commit if the limit is one', 1, 3, [1, 1, 1]],
])('of simultaneous transactions %s', async (_, group, transactionCount, commits) => {
  const commitCounts: number[] = [];
  const store = await open({ group, onCommit: (count) => commitCounts.push(count) });
  await addMany(store, transactionCount);
  expect(commitCounts).toEqual(commits);
  await store.close();
});

test('transactions, endings and notes that arrive while a group is open join it', async () => {
  const commitCounts: number[] = [];
  const store = await open({ onCommit: (count) => commitCounts.push(count) });
  await add(store, processing({ id: 'p1' }), processing({ id: 'p2' }));
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const first = store.transact([], async () => {
    await arrived;
  });
  const inner = Promise.all([
    store.finish('p1', { resultCode: '000.100.110', facts }),
    store.note('p2', { ...facts, why: 'noted' }),
    store.memory.withLocks(['a'], (documents) => documents.set([{ key: 'a', value: '1' }])),
  ]);
  arrive();
  await Promise.all([first, inner]);
  expect(commitCounts).toEqual([1, 4]);
  await store.close();
});

test('no caller gets a result before the commit, neither writers nor readers of what was written', async () => {
  const order: string[] = [];
  const store = await open({ onCommit: () => order.push('commit') });
  const { promise: readDone, resolve: reading } = Promise.withResolvers<void>();
  const written = store.transact([], async (session) => {
    await session.add(processing({ id: 'p1' }), []);
    reading();
  });
  const pendingWork = [
    written.then(() => order.push('wrote')),
    readDone.then(() => store.payment('p1')).then((commitCounts) => order.push(`read ${commitCounts?.id}`)),
  ];
  await Promise.all(pendingWork);
  expect(order[0]).toBe('commit');
  expect(order.slice(1).sort()).toEqual(['read p1', 'wrote']);
  await store.close();
});

test('a read needs no transaction if no group is open', async () => {
  let commits = 0;
  const store = await open({ onCommit: () => (commits += 1) });
  await add(store, processing({ id: 'p1' }));
  expect(await store.payment('p1')).toBeDefined();
  expect(idsOf(await store.unfinished(Number.MAX_SAFE_INTEGER))).toEqual(['p1']);
  expect(commits).toBe(1);
  await store.close();
});

const ROOM_PAGES = 24;

/** The number of pages of a file without any row. */
const pagesOfNew = async (): Promise<number> => {
  await (await open({})).close();
  const file = new Database(join(folder, `${files}.db`), { readonly: true });
  const count = Number(file.pragma('page_count', { simple: true }));
  file.close();
  return count;
};

test('a full disk refuses what does not fit, stores nothing of it, and the other transactions stand', async () => {
  // As large as the empty tables, with space for some of the transactions but not for all.
  const store = await open({ maxPages: (await pagesOfNew()) + ROOM_PAGES });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, (_, index) =>
      store.transact([], async (session) => {
        await session.add(processing({ id: `p${index}` }), [{ key: `k${index}`, fingerprint: 'f' }]);
        await session.addAnswer({ status: 200, body: 'x'.repeat(6_000) }, [{ key: `a${index}`, fingerprint: 'f' }]);
      }),
    ),
  );
  const stored = outcomes.filter(({ status }) => status === 'fulfilled').length;
  expect(stored).toBeGreaterThan(0);
  expect(stored).toBeLessThan(40);
  const rejected = outcomes.find((each) => each.status === 'rejected');
  expect(rejected?.reason).toMatchObject({ code: 'gateway.state', message: expect.stringContaining('full') });
  for (const [outcomeIndex, { status }] of outcomes.entries()) {
    const answer = await store.transact([], (session) => session.findClaimed([`a${outcomeIndex}`]));
    const found = [await store.payment(`p${outcomeIndex}`), answer].filter((each) => each !== undefined);
    expect(found).toHaveLength(status === 'fulfilled' ? 2 : 0);
  }
  await store.close();
});

/** A table whose constraint is checked at the end of the transaction, so that its commit can fail. */
const openDeferredStore = () => {
  const file = new Database(':memory:');
  file.pragma('foreign_keys = on');
  file.exec('create table item (id text primary key, of text references item deferrable initially deferred)');
  const unusable = (error: unknown) => new Fault('gateway.state', { why: errorText(error) }, error);
  const groups = createGroups(file, createStatements(file), { group: 3, unusable });
  const insert: Query<{ id: string; of: string | null }, unknown> = {
    sql: 'insert into item (id, of) values (?, ?)',
    bind: ({ id, of }) => [id, of],
  };
  const addItem = (id: string, of: string | null = null) =>
    groups.add((connection) => connection.change(insert, { id, of }), 'often');
  return { put: addItem, file, kept: () => file.prepare('select id from item order by id').pluck().all() };
};

test('a failed commit fails every transaction of its group, stores nothing of it, and the next group stands', async () => {
  const { put: addItem, kept: storedIds } = openDeferredStore();
  const storeFault = new Fault('gateway.state', { why: 'FOREIGN KEY constraint failed' });
  const writes = [addItem('a'), addItem('b', 'nobody'), addItem('c'), addItem('d'), addItem('e')];
  const outcomes = await Promise.allSettled(writes);
  expect(outcomes.map((each) => (each.status === 'rejected' ? String(each.reason) : each.value))).toEqual([
    ...[storeFault, storeFault, storeFault].map(String),
    1,
    1,
  ]);
  expect(storedIds()).toEqual(['d', 'e']);
});

test('a transaction lost in the middle of a group fails the earlier units of work, and not the later ones', async () => {
  const { put: addItem, file, kept: storedIds } = openDeferredStore();
  const rollbackQuery: Query<{ id: string }, unknown> = {
    sql: 'insert or rollback into item (id) values (?)',
    bind: ({ id }) => [id],
  };
  const groups = createGroups(file, createStatements(file), {
    group: 10,
    unusable: (error) => new Fault('gateway.state', { why: errorText(error) }, error),
  });
  await addItem('a');
  const failWholeGroup = (id: string) => groups.add((connection) => connection.change(rollbackQuery, { id }), 'often');
  // SQLite ends the whole transaction by itself here, as it does when a disk fails.
  const outcomes = await Promise.allSettled([failWholeGroup('b'), failWholeGroup('a'), failWholeGroup('c')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  expect(storedIds()).toEqual(['a', 'c']);
});

test('a file that is gone fails all waiting callers, and none waits forever', async () => {
  const { put: addItem, file } = openDeferredStore();
  file.close();
  const outcomes = await Promise.allSettled([addItem('a'), addItem('b'), addItem('c'), addItem('d')]);
  expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
});
