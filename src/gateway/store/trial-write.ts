/** Whether the store takes writes now: found out by one of the kind that a payment needs, of which nothing is left. */
import type { Engine } from './engine.ts';
import { query } from './query.ts';
import type { FactTable } from './schema.ts';

/** Two pages of SQLite: a full disk is met where the file has to grow, as with a payment. */
const FILLER = '0'.repeat(8_000);
const FIRST = 'trial write';
const SECOND = 'trial write 2';

/**
 * Resolves when the store has made something durable since it was asked, be it somebody else's work: of a store with
 * much to do the trial may wait for its turn, and is not needed. Throws `gateway.state`, with the `trouble` where it is
 * known.
 *
 * In a store of one process the next row is added before the last one goes, so that new pages are needed. In a shared
 * one all gateways overwrite the same row in one statement each, so that none can hold up another.
 */
export const trialWriteOn = (engine: Engine): (() => Promise<void>) => {
  const { sql } = engine;
  const keeping = query((of: FactTable) =>
    sql
      .insertInto('store_fact')
      .values({ name: of.name, value: of.value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet((row) => ({ value: row.ref('excluded.value') }))),
  );
  const removing = query((of: { name: string }) => sql.deleteFrom('store_fact').where('name', '=', of.name));
  let [kept, next] = [FIRST, SECOND];
  const own = async (): Promise<void> => {
    if (engine.shared) {
      await engine.single(keeping, { name: FIRST, value: FILLER });
      return;
    }
    const [removed, added] = [kept, next];
    await engine.transact([], async (on) => {
      await on.change(keeping, { name: added, value: FILLER });
      await on.change(removing, { name: removed });
    });
    // Not before it stands: over a row that is there already a trial needs no new page.
    [kept, next] = [added, removed];
  };
  return () =>
    new Promise((resolve, reject) => {
      const stop = engine.writes.listen(resolve);
      own().then(resolve, reject).finally(stop);
    });
};
