/**
 * Sales of which a newer version has written what this one does not know. Nothing of theirs is sent by this version: it
 * is set aside, and goes on by itself once a version that knows it works on the file.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { FROM_NEWER } from '../base/open-messages.ts';
import type { Sql } from '../journal/sql.ts';
import { messageKinds } from '../queue/outbox-tables.ts';
import { isUnread } from '../till/machine/sale.ts';
import { readingText } from '../till/machine/unread.ts';
import type { LedgerIndex } from './ledger-index.ts';

const schema = 'CREATE TABLE IF NOT EXISTS unread_sale (sale TEXT PRIMARY KEY, what TEXT NOT NULL) STRICT';

/** What this version can read: another one reads the journal in another way, and makes all indexes anew. */
const reading = createHash('sha256').update(readingText).digest('hex').slice(0, 12);

export const unreadIndex = (sql: Sql): LedgerIndex => {
  sql.run(schema);
  return {
    version: `unread-1-${reading}`,
    tellsReading: true,
    // Few sales are in it: how many, only the journal knows.
    isWhole: () => true,
    clear: () => sql.run('DELETE FROM unread_sale'),
    moved({ before, after }) {
      if (!isUnread(after) || (before !== undefined && isUnread(before))) return;
      sql.run('INSERT OR REPLACE INTO unread_sale (sale, what) VALUES (?, ?)', after.intent.sale, after.unread);
    },
  };
};

const ofNewer = `(kind NOT IN (${messageKinds.map((kind) => `'${kind}'`).join(', ')})
  OR sale IN (SELECT sale FROM unread_sale) OR after_sale IN (SELECT sale FROM unread_sale))`;

/** On each start, once the indexes stand: a message that was set aside by an older version than this one goes on. */
export const setNewerAside = (sql: Sql, clock: Pick<Clock, 'now'>): void =>
  sql.atomically(() => {
    sql.run(
      `UPDATE message SET state = 'waiting', note = '', due_at = ? WHERE state = 'parked' AND note = ? AND NOT ${ofNewer}`,
      clock.now(),
      FROM_NEWER,
    );
    sql.run(`UPDATE message SET state = 'parked', note = ? WHERE state = 'waiting' AND ${ofNewer}`, FROM_NEWER);
  });
