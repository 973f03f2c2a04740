/** A file of an earlier version is migrated completely, or stays as it was. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { openSqliteStore } from '../../../src/gateway/database/open.ts';
import { sqliteSteps } from '../../../src/gateway/database/sqlite-steps.ts';
import { shortIdOf } from '../../../src/gateway/payments/short-id.ts';
import type { SqliteOptions } from '../../../src/gateway/store/sqlite.ts';
import { claimOf, facts, idsOf, processing, registration } from '../../contract/store-samples.ts';

const folder = mkdtempSync(join(tmpdir(), 'migration-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The released statements of version 1, verbatim. */
const version1 = [
  'create table schema_version (version integer not null)',
  `create table payment (
      sequence integer primary key autoincrement,
      id text not null unique,
      entity_id text not null,
      payment_type text not null,
      amount_minor integer not null check (amount_minor >= 0),
      currency text not null,
      at integer not null,
      merchant_transaction_id text,
      referenced_id text,
      state text not null check (state in ('processing', 'done')),
      result_code text check ((result_code is null) = (state = 'processing')),
      facts text not null
    ) strict`,
  'create index payment_reference on payment (entity_id, merchant_transaction_id)',
  'create index payment_follower on payment (referenced_id) where referenced_id is not null',
  "create index payment_unfinished on payment (sequence) where state = 'processing'",
  `create table claim (
      key text primary key,
      fingerprint text not null,
      payment_id text not null references payment (id)
    ) strict`,
  'create table acquirer_memory (key text primary key, value text not null) strict',
  'insert into schema_version values (1)',
];

const [first, second, third] = ['1a', '2b', '3c'].map((end) => end.padStart(32, '0')) as [string, string, string];
const oldFacts = (rootId: string, extraFacts: Record<string, string> = {}) =>
  JSON.stringify({
    descriptor: 'x',
    requestId: 'r',
    rootId,
    echo: { amount: '1.00' },
    customParameters: extraFacts,
    why: 'ü',
  });

const rows = [
  `insert into payment values (3, '${first}', 'e1', 'PA', 9007199254740993, 'EUR', 10, 'm', null, 'done', '000.100.110',
    '${oldFacts(first, { SHOP: 'one', toString: 'two' })}')`,
  `insert into payment values (7, '${second}', 'e1', 'CP', 5, 'EUR', 20, null, '${first}', 'processing', null,
    '${oldFacts(first)}')`,
  `insert into payment values (9, '${third}', 'e2', 'DB', 5, 'EUR', 30, 'm', null, 'processing', null,
    '${oldFacts(third)}')`,
  `insert into claim values ('k1', 'f1', '${first}'), ('k2', 'f2', '${second}'), ('k3', 'f3', '${first}')`,
  "insert into acquirer_memory values ('a', 'b')",
];

const versions = [
  { version: 0, statements: [] },
  { version: 1, statements: [...version1, ...rows] },
];

const make = (name: string, statements: readonly string[]): string => {
  const path = join(folder, `${name}.db`);
  rmSync(path, { force: true });
  const file = new Database(path);
  file.pragma('journal_mode = wal');
  for (const statement of statements) file.exec(statement);
  file.close();
  return path;
};

/** The whole content of the file: the tables' definitions, and every row. */
const contents = (path: string) => {
  const file = new Database(path, { readonly: true });
  const schemaObjects = file.prepare("select name, type, sql from sqlite_master where name not like 'sqlite%'").all();
  const tables = (schemaObjects as { name: string; type: string }[]).filter(({ type }) => type === 'table');
  const all = tables.map(({ name }) => [name, file.prepare(`select * from ${name}`).all()]);
  file.close();
  return { things: schemaObjects, all };
};

test('rows of version 1 are read in today’s form', async () => {
  const path = make('rows', versions[1]?.statements ?? []);
  const store = await openSqliteStore(path);
  const stored = { descriptor: 'x', requestId: 'r', acquirerId: first, echo: { amount: '1.00' }, why: 'ü' };
  expect(await store.payment(first)).toEqual({
    id: first,
    entityId: 'e1',
    paymentType: 'PA',
    paymentMethod: 'CC',
    amount: { minor: 9007199254740993n, currency: 'EUR' },
    at: 10,
    shortId: '0000.0000.0026',
    merchantTransactionId: 'm',
    rootId: first,
    facts: {
      ...stored,
      echo: { amount: '1.00', 'customParameters[SHOP]': 'one', 'customParameters[toString]': 'two' },
    },
    state: 'done',
    resultCode: '000.100.110',
  });
  expect(await store.payment(second)).toMatchObject({
    shortId: shortIdOf(second),
    rootId: first,
    referencedId: first,
    facts: stored,
  });
  const search = async (criteria: object) =>
    idsOf((await store.search({ entityId: 'e1', limit: 9, ...criteria })).payments);
  expect(await search({ rootId: first })).toEqual([first, second]);
  expect(await search({ shortId: shortIdOf(second), paymentMethods: ['CC'] })).toEqual([second]);
  expect(idsOf(await store.followersOf(first))).toEqual([second]);
  expect(idsOf(await store.unfinished(100))).toEqual([second, third]);
  expect(await claimOf(store, 'k2')).toEqual({ fingerprint: 'f2', kind: 'payment', paymentId: second });
  expect(await store.memory.get('a')).toBe('b');
  // The store continues with these rows: a new payment comes after them, and an old claim is released.
  await store.transact([], (session) => session.add(processing({ id: 'p1' }), [{ key: 'k4', fingerprint: 'f' }]));
  await store.finish(second, {
    resultCode: '100.396.103',
    facts,
    releases: 'claims',
    registration: registration({ id: 'r' }),
  });
  expect(await claimOf(store, 'k2')).toBeUndefined();
  expect(await claimOf(store, 'k1')).toMatchObject({ paymentId: first });
  expect(await search({ rootId: 'p1' })).toEqual(['p1']);
  await store.close();
});

test.each(versions)('from version $version the tables become those of a new file', async ({ version, statements }) => {
  const path = make(`same-${version}`, statements);
  await (await openSqliteStore(path)).close();
  const newDatabase = make(`fresh-${version}`, []);
  await (await openSqliteStore(newDatabase)).close();
  expect(contents(path).things).toEqual(contents(newDatabase).things);
  const file = new Database(path);
  expect(file.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(file.pragma('foreign_key_check')).toEqual([]);
  file.close();
});

/** The number of statements that opening such a file runs. */
const countStatements = async (path: string): Promise<number> => {
  let statements = 0;
  const execute: SqliteOptions['execute'] = (sql, run) => {
    statements += 1;
    run(sql);
  };
  await (await openSqliteStore(path, { execute })).close();
  return statements;
};

test.each(versions)(
  'from version $version a failure at any statement changes nothing',
  async ({ version, statements }) => {
    const count = await countStatements(make(`count-${version}`, statements));
    expect(count).toBeGreaterThan(15);
    const path = make(`stopped-${version}`, statements);
    const before = contents(path);
    for (let stopAt = 0; stopAt < count; stopAt += 1) {
      for (const moment of ['before', 'after']) {
        let statementIndex = 0;
        const execute: SqliteOptions['execute'] = (sql, run) => {
          const isStop = statementIndex === stopAt;
          statementIndex += 1;
          if (isStop && moment === 'before') throw new Error(`stopped before ${stopAt}`);
          run(sql);
          if (isStop) throw new Error(`stopped after ${stopAt}`);
        };
        await expect(openSqliteStore(path, { execute })).rejects.toMatchObject({ code: 'gateway.state' });
        expect(contents(path)).toEqual(before);
      }
    }
    await (await openSqliteStore(path)).close();
  },
);

test('an up-to-date file runs only the query for its version', async () => {
  const path = make('again', []);
  await (await openSqliteStore(path)).close();
  expect(await countStatements(path)).toBe(1);
});

test('on a full disk it is refused by name, at every size, and the file stays as it was', async () => {
  const path = make('full', versions[1]?.statements ?? []);
  const before = contents(path);
  const pages = (statementIndex: string) => {
    const file = new Database(statementIndex);
    const count = Number(file.pragma('page_count', { simple: true }));
    file.close();
    return count;
  };
  const copy = join(folder, 'whole.db');
  copyFileSync(path, copy);
  await (await openSqliteStore(copy)).close();
  const full = { code: 'gateway.state', message: expect.stringContaining('full') };
  for (let maxPages = pages(path); maxPages < pages(copy); maxPages += 1) {
    await expect(openSqliteStore(path, { maxPages })).rejects.toMatchObject(full);
    expect(contents(path)).toEqual(before);
  }
});

test('refuses a file of a newer version, with both versions in the text', async () => {
  const knownVersion = sqliteSteps.length;
  const path = make('newer', [...version1, `update schema_version set version = ${knownVersion + 1}`]);
  const before = contents(path);
  const text = `version ${knownVersion + 1}, this program knows ${knownVersion}`;
  const refusal = { code: 'gateway.state', message: expect.stringContaining(text) };
  await expect(openSqliteStore(path)).rejects.toMatchObject(refusal);
  expect(contents(path)).toEqual(before);
});
