/** No version removes anything from the tables that older versions use, unless a step declares that it contracts. */
import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { postgresSteps } from '../../src/gateway/database/postgres-steps.ts';
import { sqliteSteps } from '../../src/gateway/database/sqlite-steps.ts';
import { schemaPlan } from '../../src/ledger/schema.ts';
import { removedIn, tablesIn } from '../support/future/expanding.ts';
import { type Baseline, baselineFile, tablesOfToday } from '../support/future/today.ts';

const baseline = JSON.parse(readFileSync(baselineFile, 'utf8')) as Baseline;

test('each step says whether it expands or contracts', () => {
  for (const { kind } of [...schemaPlan.steps, ...sqliteSteps, ...postgresSteps])
    expect(['expands', 'contracts']).toContain(kind);
  expect(schemaPlan.steps.map(({ to }) => to)).toEqual(schemaPlan.steps.map((_, index) => index + 2));
});

test('all tables of the oldest version that may open the files are unchanged', async () => {
  const today = await tablesOfToday();
  for (const store of ['journal', 'gateway'] as const) {
    // After a step that contracts, run: node test/support/future/write-baseline.ts
    expect([store, today[store].readableSince]).toEqual([store, baseline[store].readableSince]);
    expect(removedIn(baseline[store].tables, today[store].tables)).toEqual([]);
  }
});

/** Nothing is dropped, renamed or narrowed; a new column in an existing table is optional. */
const narrows = /\b(drop (table|column|trigger)|rename|alter column|set not null|add constraint)\b/i;
const isNeededColumn = /add column (if not exists )?\w+ (?!.*\bdefault\b).*\bnot null\b/i;

test('no statement of an expanding step of the gateway removes anything, on either engine', () => {
  const all = [...sqliteSteps, ...postgresSteps].flatMap((step) => step.statements);
  /** Without an index that enforces nothing, an older version is slower but gives the same answers. */
  const dropsRule = (statement: string): boolean => {
    const index = /\bdrop index (?:if exists )?(\w+)/i.exec(statement)?.[1];
    const created = all.filter((each) => each.includes(`create index ${index} on `));
    return index !== undefined && created.length === 0;
  };
  const isRefused = (statement: string): boolean =>
    narrows.test(statement) || isNeededColumn.test(statement) || dropsRule(statement);
  const statements = [...sqliteSteps, ...postgresSteps].flatMap((step) =>
    step.kind === 'expands' ? [...step.statements, ...(step.repair ?? [])] : [],
  );
  expect(statements.filter(isRefused)).toEqual([]);
  expect(isRefused('alter table payment add column lane text')).toBe(false);
  expect(isRefused("alter table payment add column lane text not null default ''")).toBe(false);
  expect(isRefused('alter table payment add column lane text not null')).toBe(true);
  expect(isRefused('alter table payment drop column facts')).toBe(true);
  expect(isRefused('drop index payment_short')).toBe(false);
  expect(isRefused('drop index one_of_its_kind')).toBe(true);
});

const runStatements = (statements: string): string[] => {
  const database = new Database(':memory:');
  try {
    database.exec('CREATE TABLE a (id TEXT PRIMARY KEY, b INTEGER, c TEXT NOT NULL); CREATE TABLE d (e TEXT)');
    const before = tablesIn(database);
    database.exec(statements);
    return removedIn(before, tablesIn(database));
  } finally {
    database.close();
  }
};

test.each<[string, string, string[]]>([
  ['a table and optional columns', "ALTER TABLE a ADD COLUMN f TEXT NOT NULL DEFAULT ''; CREATE TABLE g (h)", []],
  ['an index', 'CREATE INDEX i ON a (b)', []],
  ['a dropped table', 'DROP TABLE d', ['d is gone']],
  ['a dropped column', 'ALTER TABLE a DROP COLUMN b', ['a.b is gone']],
  ['a renamed column', 'ALTER TABLE a RENAME COLUMN b TO x', ['a.b is gone']],
  ['a changed type', 'DROP TABLE d; CREATE TABLE d (e INTEGER)', ['d.e is another one']],
  [
    'a column that became required',
    'DROP TABLE d; CREATE TABLE d (e TEXT NOT NULL)',
    ['d.e may not be left out any more'],
  ],
  [
    'a new required column',
    'DROP TABLE d; CREATE TABLE d (e TEXT, f TEXT NOT NULL)',
    ['d.f is new, and has no default'],
  ],
  ['a new unique constraint', 'CREATE UNIQUE INDEX i ON a (b)', ['a has to be unique in b']],
])('%s', (_, statements, words) => expect(runStatements(statements)).toEqual(words));
