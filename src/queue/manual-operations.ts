/** What people can do with messages at rest, and how messages are tried again once the cause is fixed. */
import { Fault } from '../base/fault.ts';
import { FROM_NEWER, testAnswersIn } from '../base/open-messages.ts';
import type { Sql } from '../journal/sql.ts';
import { ANSWERS_MOST, RENEWED_TRIES } from './policy.ts';

/**
 * A field of the readable body, not the note, marks a message that a test system answered: the note is for people, and
 * a decline's code does not say who declined. The next try removes the mark, and so does anything that parks the
 * message again.
 */
const isBody = "iif(json_valid(body), json_type(body) = 'object', 0)";
export const marked = `iif(${isBody}, json_set(body, '$.otherMode', ?), body)`;
export const unmarked = `iif(${isBody}, json_remove(body, '$.otherMode'), body)`;
/** A message that only a newer version can send is never taken up here. */
const isOurs = `note <> '${FROM_NEWER}'`;
const isMarked = `state = 'parked' AND ${isOurs} AND iif(${isBody}, json_extract(body, '$.otherMode') IS NOT NULL, 0)`;

/** Whether a message at rest was parked because a test system answered it. */
export const isForOtherMode = ({ body }: { readonly body: string }): boolean => testAnswersIn(body) !== undefined;

/** What people can do with the messages of an outbox. */
export interface ManualOperations {
  /** The waiting message of this sale that was never tried: only the till knows of it. */
  untried(sale: string): string | undefined;
  /** Inside a journal write: removes a message that was never tried. Throws `queue.tried` when it was, or is gone. */
  withdraw(id: string): void;
  /** Gives all parked messages, or those of one sale, another turn now. Returns how many. */
  unpark(now: number, sale?: string): number;
  /** Gives messages that were parked because a test system answered another turn now. Returns how many. */
  retryRepaired(now: number): number;
  /** Gives messages that were parked after the maximum number of answers some more tries from now on. */
  renew(now: number): void;
  /** Moves the waiting messages of this sale before everything except reversals, now. Returns how many. */
  hurry(sale: string): number;
}

export const createManualOperations = (sql: Sql): ManualOperations => ({
  untried(sale) {
    const found = sql.get("SELECT id FROM message WHERE sale = ? AND state = 'waiting' AND tried = 0", sale);
    return found === undefined ? undefined : String(found['id']);
  },
  withdraw(id) {
    const isThere = sql.get("SELECT 1 FROM message WHERE id = ? AND state = 'waiting' AND tried = 0", id);
    if (isThere === undefined) throw new Fault('queue.tried', { id });
    sql.run("UPDATE message SET state = 'withdrawn', sealed = NULL, wrapped = NULL WHERE id = ?", id);
  },
  unpark(now, sale) {
    const [which, values] = sale === undefined ? ['', []] : ['AND sale = ?', [sale]];
    const parked = sql.all(`SELECT id FROM message WHERE state = 'parked' AND ${isOurs} ${which}`, ...values).length;
    sql.run(
      `UPDATE message SET state = 'waiting', unknowns = 0, answers = 0, due_at = ?
       WHERE state = 'parked' AND ${isOurs} ${which}`,
      now,
      ...values,
    );
    return parked;
  },
  retryRepaired(now) {
    const parked = sql.all(`SELECT id FROM message WHERE ${isMarked}`).length;
    // Called after each approval: usually there is nothing to write.
    if (parked > 0)
      sql.run(`UPDATE message SET state = 'waiting', unknowns = 0, answers = 0, due_at = ? WHERE ${isMarked}`, now);
    return parked;
  },
  renew: (now) =>
    sql.run(
      `UPDATE message SET state = 'waiting', answers = ?, due_at = ?
       WHERE state = 'parked' AND ${isOurs} AND answers >= ?`,
      ANSWERS_MOST - RENEWED_TRIES,
      now,
      ANSWERS_MOST,
    ),
  hurry(sale) {
    const waiting = sql.all("SELECT id FROM message WHERE sale = ? AND state = 'waiting'", sale).length;
    // Messages are sent in the order in which they became due.
    sql.run("UPDATE message SET due_at = 0 WHERE sale = ? AND state = 'waiting'", sale);
    return waiting;
  },
});
