/** A journal that a newer program used: opened without changes if it permits that, and brought up to date later. */
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemRandom } from '../../src/base/ids.ts';
import { journalIn } from '../../src/journal/journal.ts';
import type { SchemaPlan, SchemaStep } from '../../src/journal/migrate.ts';
import { schemaPlan } from '../../src/ledger/schema.ts';
import { openOutbox } from '../../src/queue/outbox.ts';
import { sealer } from '../../src/queue/seal.ts';
import { openSqlUnsynced } from '../support/disk/unsynced-sql.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';
import { copiesIn, journalOf, lay, newest, newFolder, openAndClose, removeFolder, stateOf } from './older-journal.ts';

let folder = '';
beforeEach(() => {
  folder = newFolder();
  lay(folder, 'terminals');
});
afterEach(() => removeFolder(folder));

/** One version later: a new queue column that is filled from the journal, and a new table. */
const expanding: SchemaStep = {
  to: newest + 1,
  kind: 'expands',
  says: 'a message says when its sale began',
  change(sql) {
    const has = sql.all('PRAGMA table_info(message)').some(({ name }) => name === 'begun_at');
    if (!has) sql.run('ALTER TABLE message ADD COLUMN begun_at INTEGER');
    sql.run('CREATE TABLE IF NOT EXISTS loyalty (card TEXT PRIMARY KEY) STRICT');
    sql.run(`UPDATE message SET begun_at = (SELECT min(at) FROM entry WHERE subject = message.sale)
      WHERE begun_at IS NULL`);
  },
};
const withStep = (step: SchemaStep): SchemaPlan => ({ ...schemaPlan, steps: [...schemaPlan.steps, step] });

const ask = (statement: string): unknown => {
  const database = new Database(journalOf(folder));
  try {
    return database.prepare(statement).raw().all();
  } finally {
    database.close();
  }
};
const reach = () => ask('SELECT readable_since, worked_by FROM journal_reach');
const unfilled = () => ask('SELECT count(*) FROM message WHERE begun_at IS NULL');

/** A sale that a till of this version stores. */
const sell = (plan: SchemaPlan = schemaPlan): void => {
  const clock = virtualClock();
  const journal = journalIn(openSqlUnsynced(journalOf(folder)), journalOf(folder), { clock, plan });
  const outbox = openOutbox(journal.sql, sealer(new Uint8Array(32), systemRandom));
  journal.write([{ subject: 'new', kind: 'intended', body: '{}' }], () =>
    outbox.put({ id: 'new', kind: 'follow', sale: 'new', key: 'new', body: '{}' }, clock.now()),
  );
  journal.close();
};

test('an expanded file is used as it is, and its own program later fills in what was missed', () => {
  openAndClose(folder, withStep(expanding));
  expect(stateOf(journalOf(folder)).version).toBe(newest + 1);
  expect(reach()).toEqual([[newest, newest + 1]]);
  const copies = copiesIn(folder);
  sell();
  expect(stateOf(journalOf(folder)).version).toBe(newest + 1);
  expect(reach()).toEqual([[newest, newest]]);
  expect(unfilled()).toEqual([[1]]);
  expect(copiesIn(folder)).toEqual(copies);
  const { holdings } = stateOf(journalOf(folder));
  openAndClose(folder, withStep(expanding));
  expect(stateOf(journalOf(folder))).toMatchObject({ version: newest + 1, holdings });
  expect(reach()).toEqual([[newest, newest + 1]]);
  expect(unfilled()).toEqual([[0]]);
  expect(copiesIn(folder)).toEqual(copies);
});

test('no step runs again once the file is up to date', () => {
  openAndClose(folder, withStep(expanding));
  const change = () => expect.unreachable('nothing is missing');
  openAndClose(folder, withStep({ ...expanding, change }));
  expect(reach()).toEqual([[newest, newest + 1]]);
});

test('what was missed is filled in before a later step', () => {
  openAndClose(folder, withStep(expanding));
  sell();
  const later: SchemaStep = {
    to: newest + 2,
    kind: 'expands',
    says: 'looks at what was filled',
    change: (sql) => expect(sql.get('SELECT 1 FROM message WHERE begun_at IS NULL')).toBeUndefined(),
  };
  openAndClose(folder, { ...schemaPlan, steps: [...schemaPlan.steps, expanding, later] });
  expect(reach()).toEqual([[newest, newest + 2]]);
});

test('every older version refuses a contracted file and does not change it', () => {
  openAndClose(folder, withStep({ ...expanding, kind: 'contracts' }));
  expect(reach()).toEqual([[newest + 1, newest + 1]]);
  const before = stateOf(journalOf(folder));
  expect(() => openAndClose(folder)).toThrow(expect.objectContaining({ code: 'journal.newer' }));
  expect(stateOf(journalOf(folder))).toEqual(before);
  expect(reach()).toEqual([[newest + 1, newest + 1]]);
});
