/**
 * The journal: what happened, in order, written down before it is acted on. Append-only and hash-chained.
 *
 * A write returns when its entries are on the disk. Whatever belongs to the same step (a message to send, a counter)
 * goes into the same transaction through `also`, so that no crash can part them.
 */
import { dirname } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { type Entry, firstLink, link } from './chain.ts';
import { openSql, type Sql } from './sql.ts';
import { entryOf, type Head, verified } from './verify.ts';

export type NewEntry = { subject: string; kind: string; body: string };

export interface Journal {
  readonly sql: Sql;
  /** Appends entries, and does `also` (given the number of entries there are then), in one durable step. */
  write(entries: readonly NewEntry[], also?: (length: number) => void): void;
  /** All entries about one subject, in order. */
  about(subject: string): Entry[];
  /** All entries, from the first. */
  entries(): IterableIterator<Entry>;
  /** How many durable steps were made since it was opened: each is one sync of the disk. */
  readonly steps: number;
  /** Folds the write-ahead log into the file. For quiet moments; a sale never waits for it. */
  tidy(): void;
  /** The number of steps at the last tidying. */
  readonly tidiedAt: number;
  /** How many entries there are. */
  readonly length: number;
  close(): void;
}

const schema = [
  `CREATE TABLE IF NOT EXISTS entry (entry INTEGER PRIMARY KEY, at INTEGER NOT NULL, subject TEXT NOT NULL,
   kind TEXT NOT NULL, body TEXT NOT NULL, hash BLOB NOT NULL) STRICT`,
  'CREATE INDEX IF NOT EXISTS entry_subject ON entry (subject)',
  'CREATE TABLE IF NOT EXISTS head (only INTEGER PRIMARY KEY CHECK (only = 1), entry INTEGER NOT NULL, hash BLOB NOT NULL) STRICT',
];

/**
 * Opens the journal in `path`, checks every entry, and gives each to `seen` on the way.
 * Throws `journal.busy`, `journal.unwritable`, or `journal.corrupt` with the entry's number; nothing is repaired.
 */
export const openJournal = (path: string, clock: Clock, seen: (entry: Entry) => void = () => {}): Journal => {
  const sql = openSql(path);
  try {
    for (const statement of schema) sql.run(statement);
    return journalOver(sql, clock, walk(sql, path, seen));
  } catch (error) {
    sql.close();
    throw error;
  }
};

const walk = (sql: Sql, path: string, seen: (entry: Entry) => void): Head => {
  const entries = verified(sql, dirname(path));
  for (;;) {
    const { value, done } = entries.next();
    if (done === true) return value;
    seen(value);
  }
};

const journalOver = (sql: Sql, clock: Clock, opened: Head): Journal => {
  let head = opened.entry === 0 ? { entry: 0, hash: firstLink } : opened;
  let steps = 0;
  let tidiedAt = 0;
  return {
    sql,
    get length() {
      return head.entry;
    },
    get tidiedAt() {
      return tidiedAt;
    },
    get steps() {
      return steps;
    },
    write(entries, also) {
      try {
        head = sql.atomically(() => {
          let last = head;
          for (const fresh of entries) last = append(sql, last, { ...fresh, at: clock.now() });
          sql.run('INSERT OR REPLACE INTO head (only, entry, hash) VALUES (1, ?, ?)', last.entry, last.hash);
          also?.(last.entry);
          return last;
        });
      } catch (error) {
        // A commit can fail after it has reached the disk: what stands there is what counts.
        head = storedHead(sql) ?? head;
        throw error;
      }
      steps += 1;
    },
    about: (subject) => sql.all('SELECT * FROM entry WHERE subject = ? ORDER BY entry', subject).map(entryOf),
    *entries() {
      for (let last = 0; ; ) {
        // In pages: nothing could be written while a query is under way.
        const page = sql.all('SELECT * FROM entry WHERE entry > ? ORDER BY entry LIMIT 500', last).map(entryOf);
        yield* page;
        last = page.at(-1)?.entry ?? 0;
        if (last === 0) return;
      }
    },
    tidy() {
      sql.all('PRAGMA wal_checkpoint(TRUNCATE)');
      tidiedAt = steps;
    },
    close: () => sql.close(),
  };
};

const storedHead = (sql: Sql): Head | undefined => {
  const { entry, hash } = sql.get('SELECT entry, hash FROM head') ?? {};
  return hash instanceof Uint8Array ? { entry: Number(entry), hash } : undefined;
};

const append = (sql: Sql, before: Head, fresh: NewEntry & { at: number }): Head => {
  const entry: Entry = { entry: before.entry + 1, ...fresh };
  const hash = link(before.hash, entry);
  sql.run(
    'INSERT INTO entry (entry, at, subject, kind, body, hash) VALUES (?, ?, ?, ?, ?, ?)',
    ...[entry.entry, entry.at, entry.subject, entry.kind, entry.body, hash],
  );
  return { entry: entry.entry, hash };
};
