/** Sales that ended as never sent, and are to be asked about once more when no request of theirs can be under way. */
import type { Clock } from '../base/clock.ts';
import type { Sql } from '../journal/sql.ts';
import type { ReadEvent } from '../till/machine/events.ts';
import type { Sale } from '../till/machine/sale.ts';
import type { LedgerIndex } from './ledger-index.ts';

/** The longest that a configuration lets a request be under way. */
export const LATE_AFTER_MS = 600_000;

/** `up_ms`: how long the machine was up then. A wall clock that is set must not shorten the wait. */
const schema = [
  'DROP TABLE IF EXISTS late_check',
  'CREATE TABLE IF NOT EXISTS late_ask (sale TEXT PRIMARY KEY, up_ms INTEGER NOT NULL) STRICT',
];

export const lateIndex = (sql: Sql, clock: Pick<Clock, 'monotonic'>): LedgerIndex => {
  for (const statement of schema) sql.run(statement);
  return {
    version: 'late-3',
    // Each is taken out when it has been asked about: made anew they are asked about again, which does no harm.
    isWhole: () => true,
    clear: () => sql.run('DELETE FROM late_ask'),
    moved({ event, before, after }) {
      const { sale } = after.intent;
      if (mayHaveArrived(event, after) || isNotTaken(sql, before, after)) lateIsToAsk(sql, clock, sale);
      // Approved by the chip it is forwarded under the same reference; found late it is being taken back.
      else if (after.at === 'ended' && (after.ending === 'approved' || event.on === 'approvedLate'))
        lateIsAsked(sql, sale);
    },
  };
};

/** What was taken offline was asked about online before: it counts as never sent when it is never forwarded. */
const mayHaveArrived = (event: ReadEvent, after: Sale): boolean => {
  if (event.on === 'reversed') return event.how === 'notFound';
  // While the chip may still approve without the gateway nothing is noted: most do, and then nothing is asked.
  if (event.on === 'hostNotReached')
    return after.at !== 'goingOffline' && !(after.at === 'ended' && after.ending === 'approved');
  const isNeverForwarded =
    event.on === 'withdrawn' || event.on === 'cardDataExpired' || (event.on === 'personSaid' && event.ends === true);
  return isNeverForwarded && after.at === 'ended' && after.ending === 'notSent';
};

/** The chip did not approve it, and the gateway was asked before. */
const isNotTaken = (sql: Sql, before: Sale | undefined, after: Sale): boolean =>
  before?.at === 'goingOffline' &&
  after.at === 'ended' &&
  after.ending !== 'approved' &&
  sql.get("SELECT 1 FROM entry WHERE subject = ? AND kind = 'hostNotReached'", after.intent.sale) !== undefined;

/** Sales whose time has come, those that wait longest first. `all`: those too whose time is still to come. */
export const lateSales = (sql: Sql, clock: Pick<Clock, 'monotonic'>, which: 'due' | 'all'): string[] => {
  const now = Math.floor(clock.monotonic());
  // A time still to come is of an earlier run of the machine: at least as long as this one has passed since.
  const waited = 'iif(up_ms <= ?, ? - up_ms, ?)';
  return sql
    .all(
      `SELECT sale FROM late_ask WHERE ${waited} >= ? ORDER BY rowid`,
      now,
      now,
      now,
      which === 'all' ? 0 : LATE_AFTER_MS,
    )
    .map(({ sale }) => String(sale));
};

export const lateIsAsked = (sql: Sql, sale: string): void => sql.run('DELETE FROM late_ask WHERE sale = ?', sale);

/** After all others that wait, and not before its time. */
export const lateIsToAsk = (sql: Sql, clock: Pick<Clock, 'monotonic'>, sale: string): void =>
  sql.run('INSERT OR REPLACE INTO late_ask (sale, up_ms) VALUES (?, ?)', sale, Math.floor(clock.monotonic()));
