/** Sightings: how often, and for how much, the risk rules saw a subject. */
import { type Kysely, sql as raw } from 'kysely';
import type { Connection } from '../store/engine.ts';
import { manyRows, query } from '../store/query.ts';
import type { SightingTable, Tables } from '../store/schema.ts';
import type { Sighting } from '../store/store.ts';

interface Sightings {
  add(db: Connection, newSightings: readonly Sighting[]): Promise<void>;
  sum(
    db: Connection,
    key: { entityId: string; subject: string; since: number },
  ): Promise<{ count: number; minor: bigint }>;
}

export const sightings = (sql: Kysely<Tables>): Sightings => {
  const insertSightings = manyRows<SightingTable, unknown>(['entity_id', 'subject', 'at', 'minor'], (rows) =>
    sql.insertInto('sighting').values(rows),
  );
  const sumQuery = query((key: { entityId: string; subject: string; since: bigint }) =>
    sql
      .selectFrom('sighting')
      .select((row) => row.fn.countAll<bigint>().as('count'))
      // One of the engines returns a sum of 64-bit numbers as a decimal.
      .select(raw<bigint>`cast(coalesce(sum(minor), 0) as bigint)`.as('minor'))
      .where('entity_id', '=', key.entityId)
      .where('subject', '=', key.subject)
      .where('at', '>=', key.since),
  );
  return {
    async add(db, newSightings) {
      const rows = newSightings.map(({ entityId, at, ...rest }) => ({ entity_id: entityId, at: BigInt(at), ...rest }));
      for (const [statement, portion] of insertSightings.portions(rows)) await db.change(statement, portion);
    },
    async sum(db, { since, ...of }) {
      const row = await db.row(sumQuery, { ...of, since: BigInt(since) });
      return { count: Number(row?.count ?? 0n), minor: row?.minor ?? 0n };
    },
  };
};
