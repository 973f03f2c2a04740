/**
 * The journal: everything that happened, in order, written before it is acted on. Append-only and hash-chained.
 *
 * A write returns when its entries are on the disk. Everything else in the same step (a message to send, a counter) is
 * written in the same transaction through `also`, so that no crash can separate them.
 */
import { dirname } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { type Entry, entryOf, type Head, verifyEntries } from './chain.ts';
import { type NewEntry, openEnd, openSealing, sealedHead } from './day-seal.ts';
import { migrate, type SchemaPlan } from './migrate.ts';
import type { Signer } from './signing.ts';
import { openSql, type Sql } from './sql.ts';

export type { NewEntry } from './day-seal.ts';

export interface Journal {
  readonly sql: Sql;
  /** Appends entries, and does `also` (with the new number of entries), in one durable step. */
  write(entries: readonly NewEntry[], also?: (length: number) => void): void;
  /** All entries about one subject, in order. */
  about(subject: string): Entry[];
  entries(): IterableIterator<Entry>;
  /** Seals from now on before the first entry of each new day, and at once if this key has sealed nothing yet. */
  sealWith(signer: Signer): void;
  /** Seals everything so far, in a durable step of its own: for the close of a day, and on demand. */
  seal(): void;
  /** Tests whether the disk takes a durable write like a sale's; leaves no trace. Throws `journal.unwritable`. */
  tryWrite(): void;
  /** Entries since the last seal. */
  readonly unsealed: number;
  /** Calls back after each durable step. The callback must not throw. */
  watch(callback: () => void): void;
  /** The number of durable steps since it was opened: each is one sync of the disk. */
  readonly steps: number;
  /** Checkpoints the write-ahead log and empties it, so that destroyed keys disappear. For quiet moments. */
  tidy(): void;
  /**
   * Checkpoints the log but keeps its size: overwriting costs the disk a third less than growing a file, because only
   * the bytes have to be synced. For quiet moments; a sale never waits for it. After `noteKeysDestroyed` it empties
   * the log, as `tidy` does.
   */
  fold(): void;
  /** A step has destroyed keys: the next checkpoint removes them from the log. */
  noteKeysDestroyed(): void;
  /** The value of `steps` at the last checkpoint. */
  readonly tidiedAt: number;
  readonly length: number;
  close(): void;
}

const schema = [
  `CREATE TABLE IF NOT EXISTS entry (entry INTEGER PRIMARY KEY, at INTEGER NOT NULL, subject TEXT NOT NULL,
   kind TEXT NOT NULL, body TEXT NOT NULL, hash BLOB NOT NULL) STRICT`,
  'CREATE INDEX IF NOT EXISTS entry_subject ON entry (subject)',
  'CREATE TABLE IF NOT EXISTS head (only INTEGER PRIMARY KEY CHECK (only = 1), entry INTEGER NOT NULL, hash BLOB NOT NULL) STRICT',
];

type Opening = {
  /** Receives every entry during the opening: all are then checked, not only those after the last seal. */
  onEntry?: (entry: Entry) => void;
  /** The key whose seals are trusted, base64url. Without it every entry is checked. */
  sealKey?: string | undefined;
  /** How an older file is upgraded. */
  plan?: SchemaPlan;
};

/**
 * Opens the journal in `path` and checks the entries after its last good seal. Throws `journal.busy`,
 * `journal.unwritable`, `journal.newer`, or `journal.corrupt` with the entry's number; nothing is repaired.
 */
export const openJournal = (path: string, clock: Clock, opening: Opening = {}): Journal =>
  journalIn(openSql(path), path, { clock, ...opening });

/** The same for a file that is already open; it is closed when this throws. */
export const journalIn = (sql: Sql, path: string, { clock, ...opening }: Opening & { clock: Clock }): Journal => {
  const create = () => {
    for (const statement of schema) sql.run(statement);
  };
  try {
    if (opening.plan === undefined) create();
    else migrate(sql, path, { plan: opening.plan, create });
    return createJournal(sql, clock, walk(sql, path, opening));
  } catch (error) {
    sql.close();
    throw error;
  }
};

const walk = (sql: Sql, path: string, { onEntry, sealKey }: Opening): Head => {
  const provenHead = onEntry === undefined && sealKey !== undefined ? sealedHead(sql, sealKey) : undefined;
  const entries = verifyEntries(sql, dirname(path), provenHead);
  for (;;) {
    const { value, done } = entries.next();
    if (done === true) return value;
    onEntry?.(value);
  }
};

const createJournal = (sql: Sql, clock: Clock, opened: Head): Journal => {
  const end = openEnd(sql, opened);
  const sealing = openSealing(sql, end);
  const trial = openTrial(sql);
  let steps = 0;
  const folding = openFolding(sql);
  let step = () => {};

  const write = (entries: readonly NewEntry[], { seals, also }: Step): void => {
    const at = clock.now();
    const seal = seals ? sealing.entry(at) : [];
    try {
      end.append([...seal, ...entries], at, also);
    } catch (error) {
      sealing.reread();
      throw error;
    }
    if (seal.length > 0) sealing.noteSealed(end.head.entry - entries.length);
    steps += 1;
    step();
  };

  return {
    sql,
    get length() {
      return end.head.entry;
    },
    get tidiedAt() {
      return folding.at();
    },
    get steps() {
      return steps;
    },
    get unsealed() {
      return sealing.unsealed();
    },
    write: (entries, also) => write(entries, { seals: entries.length > 0 && sealing.isDue(clock.now()), also }),
    sealWith(signer) {
      if (sealing.by(signer).isNew) write([], { seals: true });
    },
    seal: () => write([], { seals: true }),
    tryWrite() {
      trial();
      steps += 1;
    },
    watch(listener) {
      step = listener;
    },
    about: (subject) => sql.all('SELECT * FROM entry WHERE subject = ? ORDER BY entry', subject).map(entryOf),
    entries: () => inPages(sql),
    tidy: () => folding.tidy(steps),
    fold: () => folding.fold(steps),
    noteKeysDestroyed: folding.noteKeysDestroyed,
    close: () => sql.close(),
  };
};

/** The checkpoints of the write-ahead log: the step of the last one, and whether it must remove keys. */
const openFolding = (sql: Sql) => {
  let at = 0;
  let hasKeys = false;
  const checkpoint = (how: 'TRUNCATE' | 'RESTART', steps: number): void => {
    sql.all(`PRAGMA wal_checkpoint(${how})`);
    at = steps;
    if (how === 'TRUNCATE') hasKeys = false;
  };
  return {
    at: () => at,
    tidy: (steps: number) => checkpoint('TRUNCATE', steps),
    fold: (steps: number) => checkpoint(hasKeys ? 'TRUNCATE' : 'RESTART', steps),
    noteKeysDestroyed() {
      hasKeys = true;
    },
  };
};

/** In pages, because nothing could be written during an open query. */
function* inPages(sql: Sql): Generator<Entry> {
  for (let last = 0; ; ) {
    const page = sql.all('SELECT * FROM entry WHERE entry > ? ORDER BY entry LIMIT 500', last).map(entryOf);
    yield* page;
    last = page.at(-1)?.entry ?? 0;
    if (last === 0) return;
  }
}

type Step = { seals: boolean; also?: ((length: number) => void) | undefined };

// Tests whether the journal's file takes writes now, outside the chain: no entry, no second copy, no growth.

const TABLE = 'CREATE TABLE IF NOT EXISTS trial (turn INTEGER PRIMARY KEY, filler TEXT NOT NULL) STRICT';
/** Two pages: a full disk shows where the file has to grow, as in a sale. */
const FILLER = '0'.repeat(8_000);

/** The next row is added before the last one is deleted, so that new pages are needed: two sets of pages alternate. */
const openTrial = (sql: Sql): (() => void) => {
  let turn = 1;
  return () => {
    const next = 3 - turn;
    sql.atomically(() => {
      sql.run(TABLE);
      sql.run(
        'INSERT INTO trial (turn, filler) VALUES (?, ?) ON CONFLICT DO UPDATE SET filler = excluded.filler',
        next,
        FILLER,
      );
      sql.run('DELETE FROM trial WHERE turn <> ?', next);
    });
    turn = next;
  };
};
