/**
 * Browsers that a manager has signed in at: they show the names of the staff, and wrong PINs elsewhere do not count
 * there. A browser keeps a random token in a cookie; the till stores only its hash.
 */
import type { Clock } from '../base/clock.ts';
import type { Sql, SqlRow } from '../journal/sql.ts';
import type { StaffEvent } from './people.ts';

export type KnownBrowser = {
  /** The hash of its token. */
  readonly hash: string;
  /** The manager who first signed in there. */
  readonly by: string;
  /** When that was, ms. */
  readonly knownAt: number;
  /** When somebody last signed in there, ms. */
  readonly usedAt: number;
};

export interface KnownBrowsers {
  has(hash: string): boolean;
  /** Adds a browser. Beyond the limit, the least recently used are forgotten; returns their hashes. */
  add(hash: string, by: string): string[];
  /** Records that somebody signed in there. */
  use(hash: string): void;
  /** Most recently used first. */
  rows(): KnownBrowser[];
  /** `by`: the person who wants it forgotten. */
  forget(hash: string, by: string): void;
}

/** More than a shop has. The bound keeps a manager who clears cookies daily from filling the table. */
export const KNOWN_BROWSERS_MOST = 20;

const schema = `CREATE TABLE IF NOT EXISTS known_browser (hash TEXT PRIMARY KEY, by TEXT NOT NULL,
  known_at INTEGER NOT NULL, used_at INTEGER NOT NULL) STRICT, WITHOUT ROWID`;

/** `note` records in the journal who added or removed a browser, and makes the change in the same step. */
type Parts = {
  sql: Sql;
  clock: Clock;
  note(event: Extract<StaffEvent, { on: 'browserKnown' | 'browserForgotten' }>, also: () => void): void;
};

export const openKnownBrowsers = ({ sql, clock, note }: Parts): KnownBrowsers => {
  sql.run(schema);
  const rows = (): KnownBrowser[] => sql.all('SELECT * FROM known_browser ORDER BY used_at DESC, hash').map(rowOf);
  const drop = (hash: string): void => sql.run('DELETE FROM known_browser WHERE hash = ?', hash);
  return {
    has: (hash) => sql.get('SELECT 1 FROM known_browser WHERE hash = ?', hash) !== undefined,
    add(hash, by) {
      const tooMany = rows().slice(KNOWN_BROWSERS_MOST - 1);
      const at = clock.now();
      note({ on: 'browserKnown', name: by }, () => {
        for (const one of tooMany) drop(one.hash);
        sql.run('INSERT INTO known_browser (hash, by, known_at, used_at) VALUES (?, ?, ?, ?)', hash, by, at, at);
      });
      return tooMany.map((one) => one.hash);
    },
    use: (hash) => sql.run('UPDATE known_browser SET used_at = ? WHERE hash = ?', clock.now(), hash),
    rows,
    forget(hash, by) {
      const found = rows().find((row) => row.hash === hash);
      if (found !== undefined) note({ on: 'browserForgotten', name: found.by, by }, () => drop(hash));
    },
  };
};

const rowOf = (row: SqlRow): KnownBrowser => ({
  hash: String(row['hash']),
  by: String(row['by']),
  knownAt: Number(row['known_at']),
  usedAt: Number(row['used_at']),
});
