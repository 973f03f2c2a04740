/** Names as PostgreSQL's advisory locks: 64-bit numbers, taken in one order by everybody. */
import { createHash } from 'node:crypto';

/** A signed number of 64 bits. Two names of one number only wait for each other without need. */
export const lockOf = (name: string): bigint => createHash('sha256').update(name).digest().readBigInt64BE();

/** Statements to follow `begin`; the locks go with the transaction. Sorted, lest two works wait for each other. */
export const locksOf = (names: readonly string[]): string =>
  [...new Set(names.map(lockOf))]
    .sort((one, other) => (one < other ? -1 : 1))
    .map((lock) => `;select pg_advisory_xact_lock(${lock})`)
    .join('');
