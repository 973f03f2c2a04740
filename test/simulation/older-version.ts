/** Makes of a till's file what the first version of the program would have left: its next start has to upgrade it. */
import type { Sql } from '../../src/journal/sql.ts';

/** Columns that came with later versions. */
const later = ['after_sale', 'again', 'answers'];

/** A queue in which something waits behind another sale is none of that version: it stays as it is. */
export const toFirstVersion = (sql: Sql): void => {
  const waits = sql.get(
    "SELECT 1 FROM message WHERE state IN ('waiting', 'parked') AND (after_sale IS NOT NULL OR kind = 'follow')",
  );
  if (waits !== undefined) return;
  sql.atomically(() => {
    const indexes = sql.all(
      "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'message' AND sql > ''",
    );
    for (const { name } of indexes) sql.run(`DROP INDEX ${name}`);
    for (const column of later) sql.run(`ALTER TABLE message DROP COLUMN ${column}`);
    sql.run('PRAGMA user_version = 0');
  });
};
