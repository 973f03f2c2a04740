/**
 * Messages that left this till in an export. The other till sends them, and this one does not, until they are taken
 * back.
 */
import type { Clock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import { JOURNAL } from '../journal/day-seal.ts';
import type { Journal } from '../journal/journal.ts';
import { openWords } from '../locales/messages/en/sales.ts';
import type { Delivery } from '../queue/attempt.ts';
import { unmarked } from '../queue/manual-operations.ts';
import type { Message } from '../queue/outbox.ts';

/** An export with its id, the messages in it and the journal entries of their sales. */
type Exported = {
  readonly id: string;
  readonly messages: readonly { readonly id: string }[];
  readonly entries: readonly { readonly subject: string }[];
};

export interface HandedOver {
  /** Records, in one durable step, that these messages left in this export, and parks them. */
  note(exported: Exported, by: readonly string[]): void;
  /** Makes the messages of one export, or of all, due here again. Each starts with an inquiry. Returns their number. */
  takeBack(by: string | undefined, id?: string): number;
  /** Exports that have not been taken back, with the number of their messages still open here. */
  exports(): { id: string; open: number }[];
  isHandedOver(message: string): boolean;
}

/** Used in place of an export id for messages that a copied folder leaves to the original. */
const ORIGINAL = 'the original';

/** The queue's note on such a message. */
export const HANDED_OVER = openWords.handedOver;

const table = 'CREATE TABLE IF NOT EXISTS handed_over (message TEXT PRIMARY KEY, export TEXT NOT NULL) STRICT';

export const openHandedOver = (journal: Pick<Journal, 'sql' | 'write'>, clock: Clock): HandedOver => {
  const { sql } = journal;
  sql.run(table);
  return {
    note({ id, messages, entries }, by) {
      const sales = [...new Set(entries.map(({ subject }) => subject))];
      const body = { on: 'exported', id, by, sales, messages: messages.map((message) => message.id) };
      journal.write([{ subject: JOURNAL, kind: 'exported', body: JSON.stringify(body) }], () => {
        for (const message of messages) {
          sql.run('INSERT OR REPLACE INTO handed_over (message, export) VALUES (?, ?)', message.id, id);
          // The other till may send it, so from now on it counts as tried: nothing here ends it without an inquiry.
          sql.run(
            `UPDATE message SET state = 'parked', tried = 1, answers = 0, note = ?, body = ${unmarked}
             WHERE id = ? AND ${open}`,
            HANDED_OVER,
            message.id,
          );
        }
      });
    },
    takeBack(by, id) {
      const values = [ORIGINAL, id ?? null, id ?? null];
      const which = sql
        .all('SELECT message, export FROM handed_over WHERE export <> ? AND (? IS NULL OR export = ?)', ...values)
        .map(({ message }) => String(message));
      if (which.length === 0) throw new Fault('export.noneOut');
      const body = { on: 'takenBack', by, id, messages: which };
      journal.write([{ subject: JOURNAL, kind: 'takenBack', body: JSON.stringify(body) }], () => {
        for (const message of which) {
          sql.run('DELETE FROM handed_over WHERE message = ?', message);
          sql.run(
            `UPDATE message SET state = 'waiting', tried = 1, unknowns = 0, answers = 0, due_at = ?
             WHERE id = ? AND ${open}`,
            clock.now(),
            message,
          );
        }
      });
      return which.length;
    },
    exports: () =>
      sql
        .all(
          `SELECT export, sum(${open}) AS open FROM handed_over JOIN message ON message.id = handed_over.message
           WHERE export <> ? GROUP BY export ORDER BY min(message.put_at)`,
          ORIGINAL,
        )
        .map((row) => ({ id: String(row['export']), open: Number(row['open']) })),
    isHandedOver: (message) => sql.get('SELECT 1 FROM handed_over WHERE message = ?', message) !== undefined,
  };
};

const open = "state IN ('waiting', 'parked')";

/**
 * This folder is a copy: the original sends these messages, and they can never be taken back here. `also` runs in the
 * same durable step.
 */
export const leaveToOriginal = (
  { sql, write }: Pick<Journal, 'sql' | 'write'>,
  messages: readonly string[],
  also: () => void,
): void => {
  sql.run(table);
  const body = { on: 'leftToOriginal', messages };
  write([{ subject: JOURNAL, kind: 'leftToOriginal', body: JSON.stringify(body) }], () => {
    for (const message of messages) {
      sql.run('INSERT OR REPLACE INTO handed_over (message, export) VALUES (?, ?)', message, ORIGINAL);
      sql.run(
        `UPDATE message SET state = 'parked', tried = 1, answers = 0, note = ? WHERE id = ? AND ${open}`,
        HANDED_OVER,
        message,
      );
    }
    also();
  });
};

type Deliver = (message: Message) => Promise<Delivery>;

/** Never sends a message that left in an export, whatever made it due. */
export const skipHandedOver =
  ({ isHandedOver }: HandedOver, deliver: Deliver): Deliver =>
  async (message) =>
    isHandedOver(message.id) ? { means: 'refused', note: HANDED_OVER, settle: () => {} } : deliver(message);
