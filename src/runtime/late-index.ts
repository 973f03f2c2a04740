/** Sales that ended as never sent, and are to be asked about once more when no request of theirs can be under way. */
import type { Sql } from '../journal/sql.ts';
import type { LedgerIndex } from './ledger-index.ts';

/** The longest that a configuration lets a request be under way. */
export const LATE_AFTER_MS = 600_000;

const schema = 'CREATE TABLE IF NOT EXISTS late_check (sale TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT';

export const lateIndex = (sql: Sql): LedgerIndex => {
  sql.run(schema);
  return {
    version: 'late-1',
    // Each is taken out when it has been asked about: made anew they are asked about again, which does no harm.
    isWhole: () => true,
    clear: () => sql.run('DELETE FROM late_check'),
    moved({ event, at, after }) {
      const { sale } = after.intent;
      if (event.on === 'hostNotReached' || (event.on === 'reversed' && event.how === 'notFound'))
        sql.run('INSERT OR REPLACE INTO late_check VALUES (?, ?)', sale, at);
      // Approved by the chip it is forwarded under the same reference; found late it is being taken back.
      else if (after.at === 'ended' && (after.ending === 'approved' || event.on === 'approvedLate'))
        sql.run('DELETE FROM late_check WHERE sale = ?', sale);
    },
  };
};

/** Sales whose time has come, oldest first. A time still to come is of a clock that was set back: it counts. */
export const lateSales = (sql: Sql, now: number): string[] =>
  sql
    .all('SELECT sale FROM late_check WHERE at NOT BETWEEN ? AND ? ORDER BY rowid', now - LATE_AFTER_MS + 1, now)
    .map(({ sale }) => String(sale));

export const lateIsAsked = (sql: Sql, sale: string): void => sql.run('DELETE FROM late_check WHERE sale = ?', sale);
