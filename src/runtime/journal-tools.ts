/** Looks into a journal file without being its till: a check, and a copy of whatever can still be read. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { Fault } from '../base/fault.ts';
import type { Entry } from '../journal/chain.ts';
import { openSqlToRead } from '../journal/sql.ts';
import { entryOf, verified } from '../journal/verify.ts';

/** Throws `journal.corrupt` with the number of the first entry that fails. */
export const verifyJournal = (path: string): { entries: number } => {
  const sql = openExisting(path);
  try {
    let entries = 0;
    for (const _ of verified(sql, dirname(path))) entries += 1;
    // The chain proves the entries; the rest of the file is the database's own to prove.
    const [check] = sql.all('PRAGMA integrity_check');
    if (check?.['integrity_check'] !== 'ok')
      throw new Fault('journal.unreadable', { why: String(check?.['integrity_check']), data: dirname(path) });
    return { entries };
  } finally {
    sql.close();
  }
};

/** Gives every row in order, each with what the check says of it so far. Returns the first damage found, if any. */
export const exportJournal = (path: string, give: (entry: Entry & { check: 'good' | 'unproven' }) => void): unknown => {
  const sql = openExisting(path);
  let good = 0;
  let damage: unknown;
  try {
    for (const entry of verified(sql, dirname(path))) {
      good = entry.entry;
      give({ ...entry, check: 'good' });
    }
  } catch (error) {
    damage = error;
  }
  try {
    // From the damage on nothing is proven any more, but all of it may be needed.
    if (damage !== undefined)
      for (const row of sql.iterate('SELECT * FROM entry WHERE entry > ? ORDER BY entry', good))
        give({ ...entryOf(row), check: 'unproven' });
  } catch (error) {
    damage = error;
  } finally {
    sql.close();
  }
  return damage;
};

const openExisting = (path: string) => {
  if (!existsSync(path)) throw new Fault('journal.missing', { path });
  return openSqlToRead(path);
};
