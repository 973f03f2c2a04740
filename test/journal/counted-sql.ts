/** A journal's file that fails at the n-th statement: before it is done, or after. */
import type { Sql } from '../../src/journal/sql.ts';

export const countedSql = (sql: Sql, fails: { at: number; after: boolean; how(): void }) => {
  let count = 0;
  const counted = <T>(work: () => T): T => {
    count += 1;
    const isIts = count === fails.at;
    if (isIts && !fails.after) fails.how();
    const done = work();
    if (isIts && fails.after) fails.how();
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
      // After its commit too.
      atomically: (work) => counted(() => sql.atomically(work)),
      close: () => sql.close(),
    } satisfies Sql,
  };
};
