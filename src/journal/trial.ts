/** Whether the journal's file takes writes now, found out beside the chain: no entry, no second copy, no growth. */
import type { Sql } from './sql.ts';

const TABLE = 'CREATE TABLE IF NOT EXISTS trial (turn INTEGER PRIMARY KEY, filler TEXT NOT NULL) STRICT';
/** Two pages: a full disk is met where the file has to grow, as with a sale. */
const FILLER = '0'.repeat(8_000);

/** The next row is added before the last one goes, so that new pages are needed, and the same ones each other time. */
export const openTrial = (sql: Sql): (() => void) => {
  let turn = 1;
  return () => {
    const next = 3 - turn;
    sql.atomically(() => {
      sql.run(TABLE);
      sql.run(
        'INSERT INTO trial (turn, filler) VALUES (?, ?) ON CONFLICT DO UPDATE SET filler = excluded.filler',
        ...[next, FILLER],
      );
      sql.run('DELETE FROM trial WHERE turn <> ?', next);
    });
    turn = next;
  };
};
