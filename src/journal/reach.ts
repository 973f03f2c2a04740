/**
 * How far back a file reaches: the oldest version that may open it, and the oldest one that has worked on it since it
 * has its version. A version that is older than the file leaves the file's version as it is; the newer one, started
 * again, sees by this row that it has to bring up to date what the older one did not know of.
 */
import type { Sql } from './sql.ts';

export type Reach = {
  /** The lowest version that may open the file. */
  readonly readableSince: number;
  /** The lowest version that has worked on it since it is of its own. */
  readonly workedBy: number;
};

export const REACH_TABLE = 'journal_reach';

const table = `CREATE TABLE IF NOT EXISTS ${REACH_TABLE} (only INTEGER PRIMARY KEY CHECK (only = 1),
  readable_since INTEGER NOT NULL, worked_by INTEGER NOT NULL) STRICT`;

/** A file without the row is from before there was one: only its own version may open it. */
export const reachOf = (sql: Sql, version: number): Reach => {
  const isThere = sql.get('SELECT 1 FROM sqlite_master WHERE name = ?', REACH_TABLE) !== undefined;
  const row = isThere ? sql.get(`SELECT readable_since, worked_by FROM ${REACH_TABLE}`) : undefined;
  if (row === undefined) return { readableSince: version, workedBy: version };
  return { readableSince: Number(row['readable_since']), workedBy: Number(row['worked_by']) };
};

/** An older version works on the file from here on. */
export const noteWork = (sql: Sql, workedBy: number): void =>
  sql.run(`UPDATE ${REACH_TABLE} SET worked_by = ? WHERE worked_by > ?`, workedBy, workedBy);

export const setReach = (sql: Sql, { readableSince, workedBy }: Reach): void => {
  sql.run(table);
  sql.run(
    `INSERT INTO ${REACH_TABLE} (only, readable_since, worked_by) VALUES (1, ?, ?) ON CONFLICT DO UPDATE SET
     readable_since = excluded.readable_since, worked_by = excluded.worked_by`,
    readableSince,
    workedBy,
  );
};
