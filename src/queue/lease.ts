/**
 * Who sends the messages of a journal. Another process cannot open the file at all: this keeps a second sender out of
 * the same one. The row lives as long as the connection, so that a crash leaves none behind.
 */
import { Fault } from '../base/fault.ts';
import type { Sql } from '../journal/sql.ts';

const schema =
  'CREATE TEMP TABLE IF NOT EXISTS sender (only INTEGER PRIMARY KEY CHECK (only = 1), holder TEXT NOT NULL)';

/** Throws `queue.held`. Call what it gives to let go. */
export const takeLease = (sql: Sql, holder: string): (() => void) => {
  sql.run(schema);
  const held = sql.get('SELECT holder FROM sender')?.['holder'];
  if (held !== undefined) throw new Fault('queue.held', { holder: String(held) });
  sql.run('INSERT INTO sender (only, holder) VALUES (1, ?)', holder);
  return () => sql.run('DELETE FROM sender');
};
