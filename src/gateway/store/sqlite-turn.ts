/** One work's turn in an open SQLite transaction, and the prepared statements that it asks. */
import type Database from 'better-sqlite3';
import { Fault } from '../../base/fault.ts';
import type { Query } from './query.ts';

/** In which words whatever SQLite throws leaves here. */
export type Unusable = (error: unknown) => Fault;

/** The statements around works. */
export type Control = ReturnType<typeof controlOn>;

export const controlOn = (file: Database.Database) => {
  const statement = (sql: string) => {
    const prepared = file.prepare<[]>(sql);
    return () => void prepared.run();
  };
  const rollback = statement('rollback');
  return {
    begin: statement('begin immediate'),
    commit: statement('commit'),
    save: statement('savepoint work'),
    release: statement('release work'),
    undo: statement('rollback to work'),
    /** A grave error (disk full, read or write failed) has ended the transaction by itself. */
    lost: () => !file.inTransaction,
    abandon: () => {
      try {
        if (file.inTransaction) rollback();
      } catch {
        // Whoever begins next is told: a transaction that could not be ended lets none begin.
      }
    },
  };
};

/** A single statement is all or nothing by itself. */
type TurnOptions = { unusable: Unusable; writes: 'once' | 'often' };

/** One work's turn in the open transaction. */
export const turnOn = (statements: Statements, control: Control, { unusable, writes }: TurnOptions) => {
  let saved = false;
  let over = false;
  let failed: Fault | undefined;
  const guarded = <T>(ask: () => T): T => {
    if (over) throw new Fault('gateway.state', { why: 'a work used its session after its end' });
    // After a failure nothing of this work may stand, and perhaps no transaction is open any more.
    if (failed !== undefined) throw failed;
    try {
      return ask();
    } catch (error) {
      failed = unusable(error);
      throw failed;
    }
  };
  const end = (how: () => void) => {
    over = true;
    if (control.lost()) throw failed ?? new Fault('gateway.state', { why: 'the transaction was lost' });
    if (saved) how();
  };
  return {
    rows: async <P, R>(query: Query<P, R>, values: P) => guarded(() => statements.rows(query, values)),
    change: async <P>(query: Query<P, unknown>, values: P) =>
      guarded(() => {
        if (!saved && writes === 'often') {
          control.save();
          saved = true;
        }
        return statements.change(query, values);
      }),
    keep() {
      if (failed !== undefined) throw failed;
      end(control.release);
    },
    undo() {
      end(() => {
        control.undo();
        control.release();
      });
    },
  };
};

/** Prepared once for each query that is kept. */
export interface Statements {
  rows<P, R>(query: Query<P, R>, values: P): readonly R[];
  change<P>(query: Query<P, unknown>, values: P): number;
}

export const statementsOn = (file: Database.Database): Statements => {
  // By query, not by text: one that is made for a single question goes when it is answered.
  const prepared = new WeakMap<object, Database.Statement<unknown[]>>();
  const of = (query: Query<never, unknown>): Database.Statement<unknown[]> => {
    const known = prepared.get(query);
    if (known !== undefined) return known;
    const made = file.prepare<unknown[]>(query.sql);
    prepared.set(query, made);
    return made;
  };
  return {
    rows: <P, R>(query: Query<P, R>, values: P) => of(query).all(query.bind(values)) as R[],
    change: (query, values) => of(query).run(query.bind(values)).changes,
  };
};
