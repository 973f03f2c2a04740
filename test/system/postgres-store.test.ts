/** The store on a real PostgreSQL: the contract, and what can only go wrong with several gateways on one server. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Fault, isFault } from '../../src/base/fault.ts';
import { openPostgresStore, openStore } from '../../src/gateway/database/open.ts';
import { postgresSteps } from '../../src/gateway/database/postgres-steps.ts';
import { lockOf } from '../../src/gateway/store/postgres.ts';
import type { Store } from '../../src/gateway/store/store.ts';
import { storeContract } from '../contract/store.ts';
import { add, claimOf, facts, idsOf, processing, registration } from '../contract/store-samples.ts';
import { increment } from '../contract/store-works.ts';
import { startPostgres, type TestPostgres } from '../support/servers/postgres.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.remove());

storeContract('on PostgreSQL', async () => openStore(await server.database()));

/** Two gateways on one database. */
const two = async (): Promise<{ url: string; stores: [Store, Store]; close(): Promise<unknown> }> => {
  const url = await server.database();
  // Both at once: one creates the tables, the other waits for it.
  const stores = await Promise.all([openPostgresStore(url), openPostgresStore(url)]);
  return { url, stores, close: () => Promise.all(stores.map((store) => store.close())) };
};

const alternately = <T>(stores: readonly Store[], count: number, work: (store: Store, at: number) => Promise<T>) =>
  Promise.allSettled(
    stores.flatMap((store, of) => Array.from({ length: count }, (_, index) => work(store, 2 * index + of))),
  );

test('one gateway reads what the other wrote, and both know that they share a database', async () => {
  const { stores, close } = await two();
  const [first, second] = stores;
  await add(first, processing({ id: 'p1' }));
  await second.finish('p1', { resultCode: '000.100.110', facts });
  expect(await first.payment('p1')).toMatchObject({ state: 'done' });
  expect([first.shared, second.shared]).toEqual([true, true]);
  await close();
});

test('transactions that lock the same name run one after another across both gateways', async () => {
  const { stores, close } = await two();
  await alternately(stores, 50, (store) => increment(store, 'count'));
  expect(await stores[0].memory.get('count')).toBe('100');
  await close();
});

test.each<[says: string, names: (at: number) => string[]]>([
  ['the same name', () => ['k']],
  ['different names', (at) => [`n${at}`]],
])('when two gateways use one key under %s exactly one wins', async (_, names) => {
  const { stores, close } = await two();
  const outcomes = await alternately(stores, 10, (store, at) =>
    store.transact(names(at), async (session) => {
      const claimed = await session.findClaimed(['k']);
      if (claimed !== undefined) throw new Error('taken');
      await session.add(processing({ id: `p${at}` }), [{ key: 'k', fingerprint: 'f' }]);
      return `p${at}`;
    }),
  );
  const winners = outcomes.filter((each) => each.status === 'fulfilled').map(({ value }) => value);
  expect(winners).toHaveLength(1);
  expect(await claimOf(stores[1], 'k')).toMatchObject({ paymentId: winners[0] });
  const { payments } = await stores[0].search({ entityId: 'e1', limit: 100 });
  expect(idsOf(payments)).toEqual(winners);
  await close();
});

test('of two endings at once the first counts, with its registration and its claims', async () => {
  const { stores, close } = await two();
  const claim = (at: number) => ({ key: `k${at}`, fingerprint: 'f' });
  for (let index = 0; index < 20; index += 1) {
    await stores[0].transact([], (session) => session.add(processing({ id: `p${index}` }), [claim(index)]));
    const stored = registration({ id: `r${index}` });
    await Promise.all([
      stores[0].finish(`p${index}`, { resultCode: '000.100.110', facts, registration: stored }),
      stores[1].finish(`p${index}`, { resultCode: '100.396.103', facts, releases: 'claims' }),
    ]);
    const ended = await stores[0].payment(`p${index}`);
    const freed = ended?.state === 'done' && ended.resultCode === '100.396.103';
    expect(await claimOf(stores[1], `k${index}`)).toEqual(freed ? undefined : expect.anything());
    expect(await stores[1].registration(`r${index}`)).toEqual(freed ? undefined : stored);
    expect(ended?.registrationId).toBe(freed ? undefined : `r${index}`);
  }
  await close();
});

test('a payment that a transaction has read does not end while it decides', async () => {
  const { stores, close } = await two();
  await add(stores[0], processing({ id: 'p1' }));
  const order: string[] = [];
  let ending: Promise<unknown> | undefined;
  await stores[0].transact(['p1'], async (session) => {
    await session.payment('p1');
    ending = endElsewhere(stores[1], order);
    // When the other gateway answers this ping, it has already sent its request to the server.
    await stores[1].ping();
    expect(await session.payment('p1')).toMatchObject({ state: 'processing' });
    order.push('decided');
  });
  await ending;
  expect(order).toEqual(['decided', 'ended']);
  await close();
});

/** Ends p1 from another gateway, outside the transaction that asks for it. */
const endElsewhere = async (store: Store, order: string[]) => {
  await store.finish('p1', { resultCode: '000.100.110', facts });
  order.push('ended');
};

test('many transactions that wait for one name leave connections for others', async () => {
  const { stores, close } = await two();
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const waiting = Array.from({ length: 40 }, () => stores[0].transact(['busy'], () => gate));
  await add(stores[0], processing({ id: 'p1' }));
  expect(await stores[0].payment('p1')).toBeDefined();
  open();
  await Promise.all(waiting);
  await close();
});

/** Everything that can be seen of an error, however it is printed. */
const everythingOf = (error: unknown): string => {
  if (!(error instanceof Error)) return JSON.stringify(error);
  const ownNames = Object.getOwnPropertyNames(error).map((name) => String(Reflect.get(error, name)));
  return [...ownNames, error.cause === undefined ? '' : everythingOf(error.cause)].join('\n');
};

test.each<[says: string, url: (port: string) => string]>([
  ['nobody answers', () => 'postgres://till:s3cr%40t@127.0.0.1:1/x'],
  ['the database does not exist', (port) => `postgres://tillgate:s3cr%40t@127.0.0.1:${port}/nowhere`],
  ['the user does not exist', (port) => `postgres://s3cr%40t:s3cr%40t@127.0.0.1:${port}/postgres`],
  ['the address is broken', () => 'postgres://till:s3cr%40t@127.0.0.1:port/x'],
  ['the escape is broken', () => 'postgres://till:s3cr%4@127.0.0.1:1/x'],
])('when %s the message is clear and does not have the password', async (_, urlOf) => {
  const { port } = new URL(await server.database());
  const error = await openStore(urlOf(port)).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(isFault(error, 'gateway.state')).toBe(true);
  expect(error instanceof Fault && error.message.length).toBeGreaterThan(50);
  expect(everythingOf(error)).not.toMatch(/s3cr(%4|@)/);
});

test('gateways that start at once create the tables once, and a newer version is refused', async () => {
  const url = await server.database();
  const stores = await Promise.all(Array.from({ length: 6 }, () => openPostgresStore(url, { connections: 2 })));
  await Promise.all(stores.map((store) => store.close()));
  expect(await server.ask(url, 'select version from schema_version')).toEqual([{ version: postgresSteps.length }]);
  await server.ask(url, 'update schema_version set version = 99, readable_since = 99');
  await expect(openPostgresStore(url)).rejects.toMatchObject({
    code: 'gateway.state',
    message: expect.stringContaining(`version 99, this program knows ${postgresSteps.length}`),
  });
});

test('a start that dies while it creates the tables leaves none, and the next one creates them', async () => {
  const url = await server.database();
  const blocker = new pg.Client({ connectionString: url });
  await blocker.connect();
  // A table with the name of the last step's is in the way.
  await blocker.query('create table store_fact (other text)');
  await expect(openPostgresStore(url)).rejects.toMatchObject({ code: 'gateway.state' });
  const tables = await blocker.query("select tablename from pg_tables where schemaname = 'public'");
  expect(tables.rows).toEqual([{ tablename: 'store_fact' }]);
  await blocker.query('drop table store_fact');
  await blocker.end();
  const store = await openPostgresStore(url);
  await store.keepFact('a', 'b');
  await store.close();
});

test('a commit waits for the disk, whatever the database is set to', async () => {
  const url = await server.database();
  await server.ask(url, `alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`);
  const store = await openPostgresStore(url);
  await store.close();
  expect(await server.ask(url, 'show synchronous_commit')).toEqual([{ synchronous_commit: 'off' }]);
  // An address that asks for this setting is refused.
  await expect(openPostgresStore(`${url}?options=-c%20synchronous_commit%3Doff`)).rejects.toMatchObject({
    code: 'gateway.state',
    message: expect.stringContaining('synchronous_commit'),
  });
});

test('locks are 64-bit numbers derived from their names', () => {
  const locks = ['', 'a', 'b', 'möbel', 'x'.repeat(1000)].map(lockOf);
  expect(new Set(locks).size).toBe(locks.length);
  for (const lock of locks) expect(BigInt.asIntN(64, lock)).toBe(lock);
});

test('a database that a newer program expanded takes payments, and records that an older one used it', async () => {
  const url = await server.database();
  const known = postgresSteps.length;
  const since = postgresSteps.findLastIndex(({ kind }) => kind === 'contracts') + 1;
  await (await openPostgresStore(url)).close();
  await server.ask(url, 'alter table payment add column seen_at bigint');
  await server.ask(url, 'create table loyalty (card text primary key)');
  await server.ask(url, `update schema_version set version = ${known + 1}, worked_by = ${known + 1}`);
  const store = await openPostgresStore(url);
  await add(store, processing({ id: 'p1' }));
  await store.finish('p1', { resultCode: '000.100.110', facts });
  expect(await store.payment('p1')).toMatchObject({ state: 'done' });
  await store.close();
  expect(await server.ask(url, 'select version, readable_since, worked_by from schema_version')).toEqual([
    { version: known + 1, readable_since: since, worked_by: known },
  ]);
});
