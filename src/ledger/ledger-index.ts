/** Tables updated in the same transactions as the journal. Their content can be rebuilt from it. */
import { type Entry, entryOf } from '../journal/chain.ts';
import type { Journal } from '../journal/journal.ts';
import type { Sql } from '../journal/sql.ts';
import { eventIn } from '../till/machine/event-text.ts';
import type { ReadEvent } from '../till/machine/events.ts';
import { begin, isOpen, next, replay, type Sale } from '../till/machine/sale.ts';

/**
 * One event of one sale. `before` is undefined for the first event. `after` equals it when the event changed nothing.
 */
export type Change = {
  readonly event: ReadEvent;
  readonly entry: number;
  /** Wall time of the entry, ms. */
  readonly at: number;
  readonly before: Sale | undefined;
  readonly after: Sale;
  /** The event is in the journal already: an error in it is recorded, because it can no longer be refused. */
  readonly isWritten?: true;
};

export interface LedgerIndex {
  /** The index's name, a hyphen and a version, such as `search-1`. Tables filled by another version are refilled. */
  readonly version: string;
  /** Its version says how the journal is read, so a different one refills all indexes. */
  readonly definesReading?: true;
  /** Whether the table is complete: an incomplete one is treated as empty. */
  isWhole(sales: number): boolean;
  /** Empties it. Call it inside a transaction. */
  clear(): void;
  /** Called for each change, inside the transaction that writes it. Throwing undoes a step that is not yet written. */
  apply(change: Change): void;
}

export type Indexes = {
  apply(change: Change): void;
  /** Records that the indexes include all entries up to this one. Call it inside the transaction. */
  upTo(entry: number): void;
};

/** The names of the indexes being filled from the journal, of whose `total` entries `done` are in. */
export type IndexProgress = { readonly indexes: readonly string[]; readonly done: number; readonly total: number };

/** `onProgress` is called while indexes are filled in more than one step, from the beginning to the end. */
export type IndexOptions = { onProgress?: ((progress: IndexProgress) => void) | undefined; batch?: number | undefined };

/**
 * Opens the indexes as one. Refills those made by another version and completes those that are behind. Refills all of
 * them when one has lost rows, or when this version reads the journal differently.
 */
export const openIndexes = (journal: Journal, indexes: readonly LedgerIndex[], options: IndexOptions = {}): Indexes => {
  const { sql } = journal;
  sql.run(schema);
  fillIndexes(journal, indexes, options);
  return {
    apply(change) {
      noteSale(sql, change);
      for (const index of indexes) index.apply(change);
    },
    upTo: (entry) => sql.run('UPDATE ledger_index SET entry = ?', entry),
  };
};

/** Counted in the table, not in memory, so that an undone write undoes it too. */
const noteSale = (sql: Sql, { before }: Change): void => {
  if (before === undefined) sql.run('UPDATE ledger_index SET sales = sales + 1');
};

/**
 * `versions`: the versions whose indexes include all entries up to `entry`; `search-1@500` includes them up to 500.
 * Versions older than this format accept only their own list and refill everything.
 */
const schema = `CREATE TABLE IF NOT EXISTS ledger_index (only INTEGER PRIMARY KEY CHECK (only = 1),
  versions TEXT NOT NULL, entry INTEGER NOT NULL, sales INTEGER NOT NULL) STRICT`;

type Filled = {
  readonly text: string | undefined;
  readonly entry: number;
  /** Sales that began up to `entry`. */
  readonly sales: number;
  /** The last entry that each index version includes. */
  readonly upTo: ReadonlyMap<string, number>;
};

const readFilled = (sql: Sql): Filled => {
  const row = sql.get('SELECT versions, entry, sales FROM ledger_index');
  const [text, entry] = [String(row?.['versions'] ?? ''), Number(row?.['entry'] ?? 0)];
  const filledUpTo = text.split(' ').map((one): [string, number] => {
    const [version = '', at = entry] = one.split('@');
    return [version, Number(at)];
  });
  return { text: row && text, entry, sales: Number(row?.['sales'] ?? 0), upTo: new Map(filledUpTo) };
};

/** What the table says, or nothing filled when the table cannot be relied on. */
const trustedOrEmpty = (filled: Filled, length: number, indexes: readonly LedgerIndex[]): Filled => {
  const { entry, sales, upTo } = filled;
  const isWhole =
    entry <= length &&
    indexes.every((index) => upTo.has(index.version) || index.definesReading !== true) &&
    indexes.every((index) => upTo.get(index.version) !== entry || index.isWhole(sales));
  return isWhole ? filled : { text: undefined, entry: 0, sales: 0, upTo: new Map() };
};

/** Changes in one transaction, which are a few megabytes of the write-ahead log. */
const BATCH = 2_000;
/** Transactions between two checkpoints of the write-ahead log, which grows with each of them. */
const FOLD_AFTER = 8;

const nameOf = (version: string): string => version.replace(/-.*/, '');

/**
 * Reads the journal once and gives each index what it lacks. If it is interrupted, the next start continues from there.
 */
const fillIndexes = (
  journal: Journal,
  indexes: readonly LedgerIndex[],
  { onProgress = () => {}, batch = BATCH }: IndexOptions,
): void => {
  const { sql, length } = journal;
  const filled = trustedOrEmpty(readFilled(sql), length, indexes);
  const textAt = noteWriter(filled, indexes);
  const rows = indexes.map((index) => ({ index, from: filled.upTo.get(index.version) ?? 0 }));
  const from = Math.min(length, ...rows.map((row) => row.from));
  if (from === length && filled.text === textAt(length)) return;

  const begin = (): void => {
    const insertNote = 'INSERT OR REPLACE INTO ledger_index (only, versions, entry, sales) VALUES (1, ?, ?, ?)';
    sql.run(insertNote, textAt(from), filled.entry, filled.sales);
    for (const { index } of rows) if (!filled.upTo.has(index.version)) index.clear();
  };
  const changes = changesAfter(sql, from);
  /** Returns the entry up to which everything is included. */
  const fillBatch = (): number => {
    for (let n = 1; ; n += 1) {
      const { value, done } = changes.next();
      // Entries about anything but sales are passed over once.
      if (done === true) return length;
      if (value.entry > filled.entry) noteSale(sql, value);
      for (const row of rows) if (value.entry > row.from) row.index.apply(value);
      if (n === batch) return value.entry;
    }
  };
  const step = (isFirst: boolean): number =>
    sql.atomically(() => {
      if (isFirst) begin();
      const at = fillBatch();
      sql.run('UPDATE ledger_index SET versions = ?, entry = ?', textAt(at), Math.max(filled.entry, at));
      return at;
    });

  const isLong = length - from > batch;
  const laggingNames = rows.filter((row) => row.from === from).map(({ index }) => nameOf(index.version));
  const notify = (done: number): void => void (isLong && onProgress({ indexes: laggingNames, done, total: length }));
  notify(from);
  for (let i = -1, steps = 1; i < length; steps += 1) {
    i = step(steps === 1);
    if (isLong && (i === length || steps % FOLD_AFTER === 0)) journal.fold();
    notify(i);
  }
};

/** Writes the note for these indexes at an entry, and keeps the notes of indexes that are not opened here. */
const noteWriter = ({ entry, upTo }: Filled, indexes: readonly LedgerIndex[]): ((at: number) => string) => {
  const names = new Set(indexes.map(({ version }) => nameOf(version)));
  const others = [...upTo].filter(([version]) => version !== '' && !names.has(nameOf(version)));
  return (at) =>
    [
      ...indexes.map(({ version }) => {
        const has = Math.max(at, upTo.get(version) ?? 0);
        return has < entry ? `${version}@${has}` : version;
      }),
      ...others.map((pair) => pair.join('@')),
    ].join(' ');
};

/**
 * Yields all that happened to sales after an entry. Only open sales stay in memory: one that has ended and appears
 * again is read again. Other subjects, such as staff and limits, are looked up once and then skipped, since they can
 * have as many entries as the sales.
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
    yield { event, entry, at, before, after, isWritten: true };
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

/** The sale after this event. Undefined for an event of a sale that never began. */
export const afterEvent = (before: Sale | undefined, event: ReadEvent): Sale | undefined => {
  if (event.on === 'intended') return begin(event.intent).sale;
  return before === undefined ? undefined : (next(before, event)?.sale ?? before);
};
