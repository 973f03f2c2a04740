/**
 * Whether this till is in test mode or live: written to its journal's file once, and never changed. A live till begins
 * in its own folder; a test till never becomes one.
 */
import type { Mode } from '../base/mode.ts';
import { codes } from '../base/result-codes.ts';
import type { Journal } from '../journal/journal.ts';
import type { Sql } from '../journal/sql.ts';

/** Why an older till without a recorded mode was judged to be live. */
export type LiveEvidence = 'realTerminal' | 'liveAnswer';

const table = `CREATE TABLE IF NOT EXISTS till_mode (only INTEGER PRIMARY KEY CHECK (only = 1),
  mode TEXT NOT NULL CHECK (mode IN ('test', 'live')), judged TEXT, told INTEGER NOT NULL DEFAULT 0) STRICT`;

const write = (sql: Sql, mode: Mode, judged: LiveEvidence | null): void => {
  sql.run(table);
  sql.run('INSERT OR IGNORE INTO till_mode (only, mode, judged) VALUES (1, ?, ?)', mode, judged);
};

/** A sale on a terminal that authorises by itself and does not say that it is simulated. */
const paidAtRealTerminal = `SELECT 1 FROM entry AS noted JOIN entry AS paid ON paid.subject = noted.subject
  WHERE noted.kind = 'terminalNoted' AND paid.kind = 'terminalApproved'
  AND upper(json_extract(noted.body, '$.device')) NOT LIKE '%SIMULATED%' LIMIT 1`;

/** Before a gateway of this program could be live, it never gave this answer. */
const answeredLive = `SELECT 1 FROM entry WHERE kind IN ('hostApproved', 'forwarded', 'approvedLate')
  AND json_extract(body, '$.answer.code') = '${codes.succeeded}' LIMIT 1`;

const evidenceIn = (sql: Sql): LiveEvidence | undefined => {
  if (sql.get(paidAtRealTerminal) !== undefined) return 'realTerminal';
  return sql.get(answeredLive) === undefined ? undefined : 'liveAnswer';
};

/** For a journal from before modes were recorded: its content decides. */
export const judgeMode = (sql: Sql): void => {
  const judged = evidenceIn(sql);
  write(sql, judged === undefined ? 'test' : 'live', judged ?? null);
};

/** A journal without a mode is a new one and gets the mode `initial`, which only going live sets. */
export const modeOf = ({ sql }: Pick<Journal, 'sql'>, initial: Mode = 'test'): Mode => {
  const stored = isThere(sql) ? sql.get('SELECT mode FROM till_mode')?.['mode'] : undefined;
  if (stored === undefined) write(sql, initial, null);
  return (stored ?? initial) === 'live' ? 'live' : 'test';
};

/** The mode that a journal's file has, or will have once its till is started. Writes nothing. */
export const readMode = (sql: Sql): Mode => {
  if (isThere(sql)) return modeOf({ sql });
  return isThere(sql, 'entry') && evidenceIn(sql) !== undefined ? 'live' : 'test';
};

const isThere = (sql: Sql, table = 'till_mode'): boolean =>
  sql.get('SELECT 1 FROM sqlite_master WHERE name = ?', table) !== undefined;

/** Why this till was judged to be live, until a manager has been told. */
export const liveEvidence = ({ sql }: Pick<Journal, 'sql'>): LiveEvidence | undefined => {
  if (!isThere(sql)) return undefined;
  const judged = sql.get("SELECT judged FROM till_mode WHERE mode = 'live' AND told = 0")?.['judged'];
  return judged === 'realTerminal' || judged === 'liveAnswer' ? judged : undefined;
};

/** Records that a manager has been told. */
export const acknowledgeMode = ({ sql }: Pick<Journal, 'sql'>): void => sql.run('UPDATE till_mode SET told = 1');
