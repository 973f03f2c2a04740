/** Turns a till's file into one of the program's first version, so that the next start has to upgrade it. */
import type { Sql } from '../../src/journal/sql.ts';

/** The columns that later versions added. */
const newerColumns = ['after_sale', 'again', 'answers'];

/** That version has no queue in which a message waits for another sale: such a file stays as it is. */
export const toFirstVersion = (sql: Sql): void => {
  const waitingRow = sql.get(
    "SELECT 1 FROM message WHERE state IN ('waiting', 'parked') AND (after_sale IS NOT NULL OR kind = 'follow')",
  );
  if (waitingRow !== undefined) return;
  sql.atomically(() => {
    const indexes = sql.all(
      "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'message' AND sql > ''",
    );
    for (const { name } of indexes) sql.run(`DROP INDEX ${name}`);
    for (const column of newerColumns) sql.run(`ALTER TABLE message DROP COLUMN ${column}`);
    sql.run('PRAGMA user_version = 0');
  });
};
