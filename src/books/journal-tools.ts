/** Looks into a journal file without being its till: a check, and a copy of whatever can still be read. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Fault } from '../base/fault.ts';
import { type Entry, entryOf, verified } from '../journal/chain.ts';
import { openSqlToRead, type Sql } from '../journal/sql.ts';
import { type BooksCheck, checkBooks } from './check.ts';

/**
 * Runs the verifier as a program of its own, which speaks for itself. `words` are its arguments; its exit code is 0 for
 * a whole journal.
 */
export const verifyApart = (words: readonly string[]): number =>
  spawnSync(process.execPath, [verifier(), ...words], { stdio: 'inherit' }).status ?? NOT_RUN;

type Verified = { status: number; found: Record<string, unknown> | undefined };

/** The same with `--json`: its exit code, and what it found; nothing where it refused its arguments. */
export const verifiedApart = (words: readonly string[]): Verified => {
  const { status, stdout } = spawnSync(process.execPath, [verifier(), ...words, '--json'], {
    stdio: ['inherit', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  return {
    status: status ?? NOT_RUN,
    found: stdout === '' ? undefined : (JSON.parse(stdout) as Record<string, unknown>),
  };
};

const verifier = (): string => fileURLToPath(new URL('../journal/verifier/main.ts', import.meta.url));

/** It was ended by a signal, or never began. */
const NOT_RUN = 5;

/** An entry with its hash in hex, and what the check says of it. */
export type Exported = Entry & { hash: string; check: 'good' | 'unproven' };

/** Gives every row in order, each with what the check says of it so far. Returns the first damage found, if any. */
export const exportJournal = (path: string, give: (entry: Exported) => void): unknown => {
  const sql = openExisting(path);
  let good = 0;
  let damage: unknown;
  try {
    for (const entry of verified(sql, dirname(path))) {
      good = entry.entry;
      give({ ...entry, hash: hashAt(sql, entry.entry), check: 'good' });
    }
  } catch (error) {
    damage = error;
  }
  try {
    // From the damage on nothing is proven any more, but all of it may be needed.
    if (damage !== undefined)
      for (const row of sql.iterate('SELECT * FROM entry WHERE entry > ? ORDER BY entry', good))
        give({ ...entryOf(row), hash: hexOf(row['hash']), check: 'unproven' });
  } catch (error) {
    damage = error;
  } finally {
    sql.close();
  }
  return damage;
};

/** Adds the books of a till's journal up anew. Throws `journal.missing`, and what opening the file throws. */
export const booksOf = (path: string): BooksCheck => {
  const sql = openExisting(path);
  try {
    return checkBooks(sql);
  } finally {
    sql.close();
  }
};

const hexOf = (hash: unknown): string => (hash instanceof Uint8Array ? Buffer.from(hash).toString('hex') : '');

const hashAt = (sql: Sql, entry: number): string =>
  hexOf(sql.get('SELECT hash FROM entry WHERE entry = ?', entry)?.['hash']);

const openExisting = (path: string) => {
  if (!existsSync(path)) throw new Fault('journal.missing', { path });
  return openSqlToRead(path);
};
