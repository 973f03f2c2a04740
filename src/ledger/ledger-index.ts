/** Tables kept in step with the journal, in the same transactions. What they hold can be made again from it. */
import { type Entry, entryOf } from '../journal/chain.ts';
import type { Journal } from '../journal/journal.ts';
import type { Sql } from '../journal/sql.ts';
import { eventIn } from '../till/machine/event-text.ts';
import type { ReadEvent } from '../till/machine/events.ts';
import { begin, isOpen, next, replay, type Sale } from '../till/machine/sale.ts';

/** One event of one sale. `before` is undefined for its first; `after` equals it when the event meant nothing. */
export type Change = {
  readonly event: ReadEvent;
  /** Its number in the journal. */
  readonly entry: number;
  /** Wall time of the entry, ms. */
  readonly at: number;
  readonly before: Sale | undefined;
  readonly after: Sale;
  /** It stands in the journal already: what is wrong with it is noted, and cannot be refused any more. */
  readonly stands?: true;
};

export interface LedgerIndex {
  /** Another one than the index was made with makes it anew. */
  readonly version: string;
  /** Whether it has as much in it as it should: half a table counts as none. */
  isWhole(sales: number): boolean;
  /** Empties it. Inside a transaction. */
  clear(): void;
  /** Told of each change, inside the transaction that writes it. Throwing undoes the whole step, unless it stands. */
  moved(change: Change): void;
}

export type Indexes = {
  moved(change: Change): void;
  /** Notes that all entries up to this one are in. Inside the transaction. */
  upTo(entry: number): void;
};

/** The indexes as one. Made anew from the journal unless they are of these versions and hold all of it. */
export const openIndexes = (journal: Journal, indexes: readonly LedgerIndex[]): Indexes => {
  const { sql } = journal;
  sql.run(schema);
  const versions = indexes.map(({ version }) => version).join(' ');
  const all: Indexes = {
    moved(change) {
      // In the table, not in memory: a write that is undone undoes it too.
      if (change.before === undefined) sql.run('UPDATE ledger_index SET sales = sales + 1');
      for (const index of indexes) index.moved(change);
    },
    upTo: (entry) => sql.run('UPDATE ledger_index SET entry = ?', entry),
  };
  const standing = sql.get('SELECT versions, entry, sales FROM ledger_index');
  const isOfThese = standing?.['versions'] === versions && Number(standing['entry']) <= journal.length;
  const isWhole = isOfThese && indexes.every((index) => index.isWhole(Number(standing['sales'])));
  const from = isWhole ? Number(standing['entry']) : 0;
  if (isWhole && from === journal.length) return all;
  sql.atomically(() => {
    if (!isWhole) {
      sql.run('INSERT OR REPLACE INTO ledger_index (only, versions, entry, sales) VALUES (1, ?, 0, 0)', versions);
      for (const index of indexes) index.clear();
    }
    // Entries about something else than sales are written without the index: it only has to go over them once.
    for (const change of changesAfter(sql, from)) all.moved(change);
    all.upTo(journal.length);
  });
  return all;
};

const schema = `CREATE TABLE IF NOT EXISTS ledger_index (only INTEGER PRIMARY KEY CHECK (only = 1),
  versions TEXT NOT NULL, entry INTEGER NOT NULL, sales INTEGER NOT NULL) STRICT`;

/**
 * All that happened to sales after an entry. Only open sales are held: of a million that have ended, one that is spoken
 * of again is read again. What else is written about, staff and limits, is looked up once and then passed over: its
 * entries are as many as the sales.
 */
export function* changesAfter(sql: Sql, from: number): Generator<Change> {
  const open = new Map<string, Sale>();
  const noSales = new Set<string>();
  for (const { entry, subject, body, at } of entriesAfter(sql, from)) {
    if (noSales.has(subject)) continue;
    const event = eventIn(body);
    const before = event.on === 'intended' ? undefined : (open.get(subject) ?? saleBefore(sql, subject, entry));
    const after = afterEvent(before, event);
    if (after === undefined) {
      noSales.add(subject);
      continue;
    }
    if (isOpen(after)) open.set(subject, after);
    else open.delete(subject);
    yield { event, entry, at, before, after, stands: true };
  }
}

function* entriesAfter(sql: Sql, from: number): Generator<Entry> {
  for (let last = from; ; ) {
    const page = sql.all('SELECT * FROM entry WHERE entry > ? ORDER BY entry LIMIT 500', last).map(entryOf);
    yield* page;
    last = page.at(-1)?.entry ?? 0;
    if (last === 0) return;
  }
}

const saleBefore = (sql: Sql, subject: string, entry: number): Sale | undefined =>
  replay(
    sql
      .all('SELECT body FROM entry WHERE subject = ? AND entry < ? ORDER BY entry', subject, entry)
      .map(({ body }) => eventIn(String(body))),
  );

/** The sale after this event; undefined for an event of a sale that never began. */
export const afterEvent = (before: Sale | undefined, event: ReadEvent): Sale | undefined => {
  if (event.on === 'intended') return begin(event.intent).sale;
  return before === undefined ? undefined : (next(before, event)?.sale ?? before);
};
