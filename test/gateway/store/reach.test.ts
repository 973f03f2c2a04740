/** A gateway's database that a newer version has used: used unchanged if it allows that, and repaired afterwards. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { openSqliteStore } from '../../../src/gateway/database/open.ts';
import { sqliteSteps } from '../../../src/gateway/database/sqlite-steps.ts';
import { type MigrationStep, pendingStatements, type VersionRow } from '../../../src/gateway/store/migrate.ts';
import { facts, processing } from '../../contract/store-samples.ts';

const folder = mkdtempSync(join(tmpdir(), 'gateway-reach-'));
afterAll(() => rmSync(folder, { recursive: true }));
const knownVersion = sqliteSteps.length;
/** The oldest version that may open what this one has written. */
const since = sqliteSteps.findLastIndex(({ kind }) => kind === 'contracts') + 1;

/** The next version: a column filled from existing data, and a table. */
const expandingStep: MigrationStep = {
  kind: 'expands',
  statements: [
    'alter table payment add column seen_at integer',
    'create table loyalty (card text primary key) strict',
    'update payment set seen_at = at',
  ],
  repair: ['update payment set seen_at = at where seen_at is null'],
};

/** The effect of a program with these steps on the file. Throws as that program does. */
const start = (path: string, steps: readonly MigrationStep[]): void => {
  const file = new Database(path);
  try {
    const row = file.prepare<[], VersionRow>('select * from schema_version').get();
    file.transaction(() => {
      for (const statement of pendingStatements(steps, row)) file.exec(statement);
    })();
  } finally {
    file.close();
  }
};

const readRow = (path: string, statement: string): unknown => {
  const file = new Database(path, { readonly: true });
  try {
    return file.prepare(statement).raw().all();
  } finally {
    file.close();
  }
};
const schemaReach = (path: string) => readRow(path, 'select version, readable_since, worked_by from schema_version');
const unseenCount = (path: string) => readRow(path, 'select count(*) from payment where seen_at is null');

/** A payment by the current version. */
const pay = async (path: string, id: string): Promise<void> => {
  const store = await openSqliteStore(path);
  try {
    await store.transact([], (session) => session.add(processing({ id }), [{ key: id, fingerprint: 'f' }]));
    await store.finish(id, { resultCode: '000.100.110', facts });
  } finally {
    await store.close();
  }
};

test('an expanded file accepts payments, and its own version repairs what was missed, once', async () => {
  const path = join(folder, 'expanded.db');
  await pay(path, 'p1');
  start(path, [...sqliteSteps, expandingStep]);
  expect(schemaReach(path)).toEqual([[knownVersion + 1, since, knownVersion + 1]]);
  await pay(path, 'p2');
  expect(schemaReach(path)).toEqual([[knownVersion + 1, since, knownVersion]]);
  expect(unseenCount(path)).toEqual([[1]]);
  start(path, [...sqliteSteps, expandingStep]);
  expect(schemaReach(path)).toEqual([[knownVersion + 1, since, knownVersion + 1]]);
  expect(unseenCount(path)).toEqual([[0]]);
  start(path, [...sqliteSteps, { ...expandingStep, repair: ['no statement at all'] }]);
});

test('a contracted file is refused and left unchanged', async () => {
  const path = join(folder, 'contracted.db');
  await pay(path, 'p1');
  start(path, [...sqliteSteps, { ...expandingStep, kind: 'contracts' }]);
  await expect(openSqliteStore(path)).rejects.toMatchObject({ code: 'gateway.state' });
  expect(schemaReach(path)).toEqual([[knownVersion + 1, knownVersion + 1, knownVersion + 1]]);
  // Later steps do not restore compatibility.
  start(path, [...sqliteSteps, { ...expandingStep, kind: 'contracts' }, { kind: 'expands', statements: [] }]);
  expect(schemaReach(path)).toEqual([[knownVersion + 2, knownVersion + 1, knownVersion + 2]]);
});
