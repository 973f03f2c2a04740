/** Which checkouts are open, which are over, and what is taken away of those. */
import { type Kysely, sql as raw } from 'kysely';
import { query } from '../../store/query.ts';
import type { Tables } from '../../store/schema.ts';

/** As the index over them has it. */
const NEVER_SUBMITTED = '[]';

export const checkoutTimes = (sql: Kysely<Tables>) => ({
  // By an index alone, and no row is made of those that are passed over: a channel may have many.
  open: query((of: { entityId: string; since: bigint; offset: number }) =>
    sql
      .selectFrom('checkout')
      .select('at')
      .where('entity_id', '=', of.entityId)
      .where('at', '>', of.since)
      .orderBy('at')
      .limit(1)
      .offset(of.offset),
  ),
  oldest: query((_: object) =>
    sql.selectFrom('checkout').select('at').where('box', 'is not', null).orderBy('at').limit(1),
  ),
  forgetting: query((of: { until: bigint }) =>
    sql
      .updateTable('checkout')
      .set({ key_id: null, wrapped_key: null, box: null })
      .where('box', 'is not', null)
      .where('at', '<=', of.until),
  ),
  dropping: query((of: { until: bigint; limit: number }) => {
    const abandoned = sql
      .selectFrom('checkout')
      .select('id')
      .where('attempts', '=', raw.lit(NEVER_SUBMITTED))
      .where('box', 'is', null)
      .where('at', '<=', of.until)
      .limit(of.limit);
    return sql.deleteFrom('checkout').where('id', 'in', abandoned);
  }),
});
