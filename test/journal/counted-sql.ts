/** A journal file that fails at the n-th statement, before or after it runs, or calls back at each statement. */
import type { Sql } from '../../src/journal/sql.ts';

export const countedSql = (sql: Sql, fails: { at: number; after: boolean; how(): void }) =>
  toldSql(sql, (at, after) => {
    if (at === fails.at && after === fails.after) fails.how();
  });

/** Reports each statement, counted from 1, before it and after it. */
export const toldSql = (sql: Sql, notify: (at: number, after: boolean) => void) => {
  let count = 0;
  const counted = <T>(work: () => T): T => {
    count += 1;
    const at = count;
    notify(at, false);
    const done = work();
    notify(at, true);
    return done;
  };
  return {
    get count() {
      return count;
    },
    sql: {
      run: (text, ...values) => counted(() => sql.run(text, ...values)),
      get: (text, ...values) => counted(() => sql.get(text, ...values)),
      all: (text, ...values) => counted(() => sql.all(text, ...values)),
      iterate: (text, ...values) => counted(() => sql.all(text, ...values)).values(),
      // A transaction counts as one statement, so it can also fail after its commit.
      atomically: (work) => counted(() => sql.atomically(work)),
      close: () => sql.close(),
    } satisfies Sql,
  };
};
