/** Reads a journal file without running its till: checks it, and copies whatever is still readable. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Fault } from '../base/fault.ts';
import { type ExportedEntry, entryOf, hexOf, verifyEntries } from '../journal/chain.ts';
import { openSqlToRead, type Sql } from '../journal/sql.ts';
import { type BooksCheck, checkBooks } from './check.ts';

/**
 * Runs the verifier as a separate program with its own output. `args` are its arguments. Its exit code is 0 for an
 * intact journal.
 */
export const verifyApart = (args: readonly string[]): number =>
  spawnSync(process.execPath, [verifier(), ...args], { stdio: 'inherit' }).status ?? NOT_RUN;

type VerificationResult = { status: number; found: Record<string, unknown> | undefined };

/** The same with `--json`: the exit code and the findings. No findings if it refused its arguments. */
export const verifyApartAsJson = (args: readonly string[]): VerificationResult => {
  const { status, stdout } = spawnSync(process.execPath, [verifier(), ...args, '--json'], {
    stdio: ['inherit', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  return {
    status: status ?? NOT_RUN,
    found: stdout === '' ? undefined : (JSON.parse(stdout) as Record<string, unknown>),
  };
};

const verifier = (): string => fileURLToPath(new URL('../journal/verifier/main.ts', import.meta.url));

/** A signal ended it, or it never started. */
const NOT_RUN = 5;

/** Passes on each row in order, with the result of its check so far. Returns the first damage, if any. */
export const exportJournal = (path: string, onEntry: (entry: ExportedEntry) => void): unknown => {
  const sql = openExisting(path);
  let lastGoodEntry = 0;
  let damage: unknown;
  try {
    for (const entry of verifyEntries(sql, dirname(path))) {
      lastGoodEntry = entry.entry;
      onEntry({ ...entry, hash: hashAt(sql, entry.entry), check: 'good' });
    }
  } catch (error) {
    damage = error;
  }
  try {
    // Nothing after the damage is proved, but all of it can be needed.
    if (damage !== undefined)
      for (const row of sql.iterate('SELECT * FROM entry WHERE entry > ? ORDER BY entry', lastGoodEntry))
        onEntry({ ...entryOf(row), hash: hexOf(row['hash']), check: 'unproven' });
  } catch (error) {
    damage = error;
  } finally {
    sql.close();
  }
  return damage;
};

/**
 * Calculates the books of a till's journal from scratch. Throws `journal.missing`, and the faults of opening the file.
 */
export const booksOf = (path: string): BooksCheck => {
  const sql = openExisting(path);
  try {
    return checkBooks(sql);
  } finally {
    sql.close();
  }
};

const hashAt = (sql: Sql, entry: number): string =>
  hexOf(sql.get('SELECT hash FROM entry WHERE entry = ?', entry)?.['hash']);

const openExisting = (path: string) => {
  if (!existsSync(path)) throw new Fault('journal.missing', { path });
  return openSqlToRead(path);
};
