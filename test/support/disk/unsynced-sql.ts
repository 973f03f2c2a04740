/** The till's SQLite file as the till opens it, for tests without power cuts: nothing waits for the disk. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../../src/base/clock.ts';
import { type Journal, journalIn } from '../../../src/journal/journal.ts';
import { openSql, type Sql } from '../../../src/journal/sql.ts';

/** Opens or creates the file, as `openSql` does. */
export const openSqlUnsynced = (path: string): Sql => {
  // A new file is synced before syncing can be switched off.
  if (!existsSync(path)) writeFileSync(path, emptyFile());
  const sql = openSql(path);
  sql.run('PRAGMA synchronous = OFF');
  return sql;
};

/** A journal in such a file, as `openJournal` opens it. */
export const openJournalUnsynced = (path: string, clock: Clock): Journal =>
  journalIn(openSqlUnsynced(path), path, { clock });

let empty: Uint8Array | undefined;

/** The content that `openSql` gives a new file. */
const emptyFile = (): Uint8Array => {
  if (empty !== undefined) return empty;
  const folder = mkdtempSync(join(tmpdir(), 'empty-sql-'));
  try {
    const path = join(folder, 'empty.db');
    openSql(path).close();
    empty = readFileSync(path);
    return empty;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
