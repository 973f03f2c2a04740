/** A PostgreSQL server that stops and restarts under the store. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgresStore } from '../../src/gateway/database/open.ts';
import { add, claimOf, facts, processing } from '../contract/store-samples.ts';
import { startPostgres, type TestPostgres } from '../support/servers/postgres.ts';

// Its own server: a restart takes longer with each database on it.
let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.remove());

test('after a server restart the next call works, and every transaction is whole or absent', async () => {
  const url = await server.database();
  const stores = await Promise.all([openPostgresStore(url), openPostgresStore(url)]);
  await Promise.all(Array.from({ length: 16 }, (_, index) => add(stores[0], processing({ id: `before${index}` }))));
  const broken = stores[0].transact(['k'], async (session) => {
    await session.add(processing({ id: 'p1' }), [{ key: 'k', fingerprint: 'f' }]);
    server.restart();
    await session.payment('p1');
  });
  await expect(broken).rejects.toMatchObject({ code: 'gateway.state' });
  for (const store of stores) {
    await store.ping();
    expect(await store.payment('p1')).toBeUndefined();
    expect(await claimOf(store, 'k')).toBeUndefined();
  }
  expect((await stores[1].search({ entityId: 'e1', limit: 1 })).total).toBe(16);
  await add(stores[0], processing({ id: 'p1' }));
  await Promise.all(stores.map((store) => store.close()));
});

test('idle connections that the restart closed are replaced at the first call of each kind', async () => {
  const store = await openPostgresStore(await server.database());
  const calls: (() => Promise<unknown>)[] = [
    () => add(store, processing({ id: 'p1' })),
    () => store.payment('p1'),
    () => store.note('p1', facts),
    () => store.finish('p1', { resultCode: '000.100.110', facts, releases: 'claims' }),
    () => store.memory.withLocks(['a'], (documents) => documents.set([{ key: 'a', value: '1' }])),
    () => store.keepFact('a', '1'),
  ];
  for (const call of calls) {
    server.restart();
    await call();
  }
  expect(await store.payment('p1')).toMatchObject({ state: 'done' });
  await store.close();
});

test('a stopped server is a data fault of the gateway, which recovers when the server is back', async () => {
  const store = await openPostgresStore(await server.database());
  server.halt();
  const disconnected = { code: 'gateway.state', message: expect.stringContaining('ECONNREFUSED') };
  try {
    await expect(store.ping()).rejects.toMatchObject(disconnected);
    await expect(add(store, processing({ id: 'p1' }))).rejects.toMatchObject(disconnected);
  } finally {
    server.start();
  }
  await add(store, processing({ id: 'p1' }));
  await store.close();
});
