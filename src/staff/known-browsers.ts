/**
 * Browsers that a manager has signed in at: they show the names of the people, and others' wrong PINs do not count
 * there. Each is known by the hash of a random word that it keeps in a cookie; the word itself is kept nowhere here.
 */
import type { Clock } from '../base/clock.ts';
import type { Sql, SqlRow } from '../journal/sql.ts';
import type { StaffEvent } from './people.ts';

export type KnownBrowser = {
  /** Hash of its word. */
  readonly hash: string;
  /** The manager who signed in there first. */
  readonly by: string;
  /** When that was, ms. */
  readonly knownAt: number;
  /** When somebody signed in there last, ms. */
  readonly usedAt: number;
};

export interface KnownBrowsers {
  has(hash: string): boolean;
  /** A new one; beyond the bound the one that was used longest ago is forgotten. Gives the hashes of those. */
  add(hash: string, by: string): string[];
  /** Somebody signed in there. */
  use(hash: string): void;
  /** The latest used first. */
  rows(): KnownBrowser[];
  /** `by`: who wants it so. */
  forget(hash: string, by: string): void;
}

/** More than a shop has; a manager who clears the cookies every day does not fill the till up. */
export const KNOWN_BROWSERS_MOST = 20;

const schema = `CREATE TABLE IF NOT EXISTS known_browser (hash TEXT PRIMARY KEY, by TEXT NOT NULL,
  known_at INTEGER NOT NULL, used_at INTEGER NOT NULL) STRICT, WITHOUT ROWID`;

/** `note` writes into the journal who knew or forgot which, and does the change in the same step. */
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
      const gone = rows().slice(KNOWN_BROWSERS_MOST - 1);
      const at = clock.now();
      note({ on: 'browserKnown', name: by }, () => {
        for (const one of gone) drop(one.hash);
        sql.run('INSERT INTO known_browser (hash, by, known_at, used_at) VALUES (?, ?, ?, ?)', hash, by, at, at);
      });
      return gone.map((one) => one.hash);
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
