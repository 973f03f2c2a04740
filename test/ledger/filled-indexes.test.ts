/**
 * A changed index is refilled from the journal, and no other index is. Interrupted anywhere, it is either complete or
 * still to be filled.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStores } from '../../src/app/stores.ts';
import { systemIds } from '../../src/base/ids.ts';
import { openBooks } from '../../src/books/books.ts';
import { lineIndex } from '../../src/books/lines/line-index.ts';
import { totalsIndex } from '../../src/books/lines/totals.ts';
import { type Config, loadConfig } from '../../src/folder/config.ts';
import type { Journal } from '../../src/journal/journal.ts';
import type { Sql } from '../../src/journal/sql.ts';
import { conservationIndex } from '../../src/ledger/conservation-index.ts';
import {
  changesAfter,
  type IndexOptions,
  type IndexProgress,
  type LedgerIndex,
  openIndexes,
} from '../../src/ledger/ledger-index.ts';
import { operationIndex } from '../../src/ledger/operation-index.ts';
import { deviceIndex, lateIndex, openQuestionIndex, saleIndex, unreadIndex } from '../../src/ledger/sale-indexes.ts';
import { requestKeyIndex, searchIndex } from '../../src/ledger/search-index.ts';
import { offlineBook } from '../../src/offline/book.ts';
import { forwardLosses } from '../../src/offline/forward-losses.ts';
import { fixedMoment } from '../books/books-rig.ts';
import { dice } from '../support/chance/dice.ts';
import { openJournalUnsynced } from '../support/disk/unsynced-sql.ts';
import { steadyMachine } from '../support/till/steady-machine.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';
import { writeSales } from './all-sales.ts';

const clock = virtualClock();
const BATCH = 40;
const rule = { cutOff: '04:00', timeZone: 'Europe/Vienna' };

let folder: string;
let config: Config;
let journal: Journal;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'indexes-'));
  config = loadConfig(folder, systemIds);
  journal = openJournalUnsynced(join(folder, 'journal.db'), clock);
  writeSales(journal);
});
afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Each index of a till with its tables, in the till's order. */
const table: readonly [tables: string, make: (sql: Sql) => LedgerIndex][] = [
  ['sale', saleIndex],
  ['late_ask', (sql) => lateIndex(sql, clock)],
  ['sale_search', searchIndex],
  ['device_sale', deviceIndex],
  ['open_question', openQuestionIndex],
  ['offline_sale offline_quarter offline_seen', (sql) => offlineBook(sql)],
  ['conservation conservation_sum imbalance', (sql) => conservationIndex(sql)],
  ['sale_operation open_hold', operationIndex],
  ['forward_loss unpaid_try unpaid_open', forwardLosses],
  ['takings takings_quarter', totalsIndex],
  ['sale_asked sale_count', requestKeyIndex],
  ['unread_sale', unreadIndex],
  [
    'book_line book_batch book_sum gateway_listed',
    (sql) => lineIndex(sql, openBooks({ journal: { ...journal, sql }, terminalId: '1', rule, now: fixedMoment })),
  ],
];
const tables = table.flatMap(([names]) => names.split(' '));

const all = (sql: Sql): LedgerIndex[] => table.map(([, make]) => make(sql));

const nameOf = ({ version }: LedgerIndex): string => version.split('-')[0] ?? '';

/** `notify` is called for each change that the index receives. */
const counted = (index: LedgerIndex, notify: () => void): LedgerIndex => ({
  ...index,
  apply(change) {
    notify();
    index.apply(change);
  },
});

/** All indexes, the named one in another version. */
const renewed =
  (name: string, version = 'next', notify = () => {}) =>
  (sql: Sql): LedgerIndex[] =>
    all(sql).map((index) =>
      nameOf(index) === name ? { ...counted(index, notify), version: `${name}-${version}` } : index,
    );

const open = (options: IndexOptions & { sql?: Sql; indexes?: (sql: Sql) => LedgerIndex[] } = {}) => {
  const { sql = journal.sql, indexes = all, ...more } = options;
  return openIndexes({ ...journal, sql, length: journal.length }, indexes(sql), { batch: BATCH, ...more });
};

/** All rows of all indexes, by table. */
const rows = (): Record<string, unknown[]> =>
  Object.fromEntries(
    tables.map((name) => [
      name,
      journal.sql
        .all(`SELECT * FROM ${name}`)
        .map((row) => JSON.stringify(row, texts))
        .sort(),
    ]),
  );
const texts = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

/** The number of changes to sales. */
const changes = (): number => [...changesAfter(journal.sql, 0)].length;

/** Fills all indexes, as after a version that had none. */
const anew = (): void => {
  journal.sql.run('DELETE FROM ledger_index');
  open();
};

/** Reports the table of each row that is written. */
const writing = (notify: (name: string) => void): Sql => ({
  ...journal.sql,
  run(statement, ...values) {
    const written = /^\s*(?:INSERT(?: OR REPLACE)? INTO|UPDATE|DELETE FROM) (\w+)/.exec(statement)?.[1];
    if (written !== undefined) notify(written);
    journal.sql.run(statement, ...values);
  },
});

const noted = (): { versions: string; entry: number; sales: number } => {
  const row = journal.sql.get('SELECT versions, entry, sales FROM ledger_index');
  return { versions: String(row?.['versions']), entry: Number(row?.['entry']), sales: Number(row?.['sales']) };
};

test('the table above lists all indexes of a till, and its journal has something for each of them', () => {
  const parts = { dataDir: folder, clock, random: dice(1).random, machine: steadyMachine(clock), around: {} };
  openStores(parts, { config, journal, tillKey: new Uint8Array(32) });
  expect(noted().versions).toBe(
    all(journal.sql)
      .map(({ version }) => version)
      .join(' '),
  );
  const empty = Object.entries(rows()).flatMap(([name, some]) => (some.length === 0 ? [name] : []));
  // Filled by the comparison with the gateway.
  expect(empty).toEqual(['gateway_listed']);
});

test.each(table)('a new version of the index of %s refills no other index', (names, make) => {
  open();
  const before = rows();
  const written = new Set<string>();
  const index = make(journal.sql);
  open({ sql: writing((name) => written.add(name)), indexes: renewed(nameOf(index)) });
  expect(noted().versions.split(' ')).toContain(`${nameOf(index)}-next`);
  // Reading the journal differently refills everything.
  const own = index.definesReading ? tables : names.split(' ');
  expect([...written].filter((name) => name !== 'ledger_index').sort()).toEqual([...own].sort());
  expect(rows()).toEqual(before);
});

test('a complete index is neither filled nor read again, however it was opened before', () => {
  open();
  const requests: string[] = [];
  const listening: Sql = {
    ...writing((name) => void requests.push(name)),
    all(statement, ...values) {
      const found = journal.sql.all(statement, ...values);
      if (found.length > 0) requests.push(statement);
      return found;
    },
  };
  const isRead = (): string[] =>
    requests.filter((one) => tables.includes(one) || one.includes('FROM entry WHERE entry >'));
  open({ sql: listening });
  expect(isRead()).toEqual([]);
  // Opened by a command that needs five of them.
  open({ sql: listening, indexes: (sql) => all(sql).slice(0, 5) });
  open({ sql: listening });
  expect(isRead()).toEqual([]);
});

test('indexes that were not open get what they missed, and nothing else', () => {
  open();
  const some = (sql: Sql): LedgerIndex[] => all(sql).slice(0, 5);
  writeSales(journal, 100);
  open({ indexes: some });
  let count = 0;
  const notify = (): void => {
    count += 1;
  };
  open({ indexes: (sql) => all(sql).map((index) => counted(index, notify)) });
  const later = rows();
  expect(count).toBe(8 * (changes() / 2));
  anew();
  expect(rows()).toEqual(later);
});

/** What a power cut leaves: all transactions before this one, with or without this one. */
const cutAt = (step: number, when: 'inside' | 'after'): Sql => {
  let steps = 0;
  const cut = (at: typeof when): void => {
    if (steps === step && at === when) throw new Error('power cut');
  };
  return {
    ...journal.sql,
    atomically(work) {
      steps += 1;
      const done = journal.sql.atomically(() => {
        const inside = work();
        cut('inside');
        return inside;
      });
      cut('after');
      return done;
    },
  };
};

test.each(table)(
  'wherever filling %s is interrupted, it is not taken for complete; the next start continues',
  (_, make) => {
    open();
    const before = rows();
    const name = nameOf(make(journal.sql));
    const steps = Math.ceil((changes() + 1) / BATCH);
    for (let step = 1; step <= steps; step += 1)
      for (const when of ['inside', 'after'] as const) {
        let count = 0;
        const indexes = renewed(name, `${step}.${when}`, () => {
          count += 1;
        });
        expect(() => open({ sql: cutAt(step, when), indexes })).toThrow('power cut');
        const isLast = step === steps && when === 'after';
        const { versions, entry } = noted();
        expect(versions.split(' ').includes(`${name}-${step}.${when}`) && entry === journal.length).toBe(isLast);
        open({ indexes });
        expect(rows()).toEqual(before);
        // Only the interrupted transaction is repeated.
        expect(count).toBeLessThanOrEqual(changes() + (when === 'inside' ? BATCH : 0));
      }
  },
);

test('a half-filled index is ignored by another version of it', () => {
  open();
  const before = rows();
  expect(() => open({ sql: cutAt(1, 'after'), indexes: renewed('search', 'one') })).toThrow('power cut');
  expect(noted().versions).toMatch(/ search-one@\d+ /);
  open({ indexes: renewed('search', 'two') });
  expect(rows()).toEqual(before);
});

test('a long filling reports its progress from zero to the end', () => {
  open();
  const reports: IndexProgress[] = [];
  const hear = (progress: IndexProgress): void => void reports.push(progress);
  open({ onProgress: hear });
  open({ onProgress: hear, batch: 10_000, indexes: renewed('search', 'at once') });
  expect(reports).toEqual([]);
  open({ onProgress: hear, indexes: renewed('search') });
  const total = journal.length;
  expect(reports.every((one) => one.total === total && one.indexes.join() === 'search')).toBe(true);
  const done = reports.map((one) => one.done);
  expect(done).toEqual([...new Set(done)].sort((one, other) => one - other));
  expect([done[0], done.at(-1)]).toEqual([0, total]);
  expect(done.length).toBeGreaterThan(3);
  // After an interruption it continues where it was.
  reports.length = 0;
  const indexes = renewed('search', 'cut');
  expect(() => open({ sql: cutAt(1, 'after'), indexes })).toThrow('power cut');
  const reached = Number(/search-cut@(\d+)/.exec(noted().versions)?.[1]);
  open({ onProgress: hear, indexes });
  expect(reports[0]).toEqual({ indexes: ['search'], done: reached, total });
});
