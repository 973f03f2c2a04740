/** One unit of work in an open SQLite transaction, and its prepared statements. */
import type Database from 'better-sqlite3';
import { Fault } from '../../base/fault.ts';
import type { Connection } from './engine.ts';
import type { Query } from './query.ts';

/** Converts any error of SQLite to a fault. */
export type Unusable = (error: unknown) => Fault;

/** The statements around units of work. */
export type Control = ReturnType<typeof createControl>;

export const createControl = (file: Database.Database) => {
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
    /** A grave error (disk full, read or write failed) ends the transaction by itself. */
    lost: () => !file.inTransaction,
    abandon: () => {
      try {
        if (file.inTransaction) rollback();
      } catch {
        // Reported to the next one: if a transaction cannot be ended, none can begin.
      }
    },
  };
};

/** A single statement is atomic by itself. */
type TurnOptions = { unusable: Unusable; writes: 'once' | 'often' };

/** One unit of work in the open transaction. */
export class Turn implements Connection {
  readonly #statements: PreparedStatements;
  readonly #control: Control;
  readonly #options: TurnOptions;
  #saved = false;
  #over = false;
  #failed: Fault | undefined;

  constructor(statements: PreparedStatements, control: Control, options: TurnOptions) {
    this.#statements = statements;
    this.#control = control;
    this.#options = options;
  }

  async rows<P, R>(query: Query<P, R>, values: P): Promise<readonly R[]> {
    this.#refuse();
    try {
      return this.#statements.rows(query, values);
    } catch (error) {
      throw this.#fail(error);
    }
  }

  async row<P, R>(query: Query<P, R>, values: P): Promise<R | undefined> {
    this.#refuse();
    try {
      return this.#statements.row(query, values);
    } catch (error) {
      throw this.#fail(error);
    }
  }

  async change<P>(query: Query<P, unknown>, values: P): Promise<number> {
    this.#refuse();
    try {
      if (!this.#saved && this.#options.writes === 'often') {
        this.#control.save();
        this.#saved = true;
      }
      return this.#statements.change(query, values);
    } catch (error) {
      throw this.#fail(error);
    }
  }

  keep(): void {
    if (this.#failed !== undefined) throw this.#failed;
    if (this.#end()) this.#control.release();
  }

  undo(): void {
    if (!this.#end()) return;
    this.#control.undo();
    this.#control.release();
  }

  #refuse(): void {
    if (this.#over) throw new Fault('gateway.state', { why: 'a transaction used its session after its end' });
    // After a failure nothing of this unit of work may stay, and perhaps no transaction is open any more.
    if (this.#failed !== undefined) throw this.#failed;
  }

  #fail(error: unknown): Fault {
    this.#failed = this.#options.unusable(error);
    return this.#failed;
  }

  /** Ends it, and returns whether there is a savepoint to release. */
  #end(): boolean {
    this.#over = true;
    if (this.#control.lost()) throw this.#failed ?? new Fault('gateway.state', { why: 'the transaction was lost' });
    return this.#saved;
  }
}

/** Prepared once for each cached query. */
export interface PreparedStatements {
  rows<P, R>(query: Query<P, R>, values: P): readonly R[];
  row<P, R>(query: Query<P, R>, values: P): R | undefined;
  change<P>(query: Query<P, unknown>, values: P): number;
  /** The number of rows changed so far, including those rolled back. */
  changed(): number;
}

export const createStatements = (file: Database.Database): PreparedStatements => {
  // By query object, not by text: a statement made for a single use is freed afterwards.
  const prepared = new WeakMap<object, Database.Statement<unknown[]>>();
  const prepare = (query: Query<never, unknown>): Database.Statement<unknown[]> => {
    const cached = prepared.get(query);
    if (cached !== undefined) return cached;
    const newStatement = file.prepare<unknown[]>(query.sql);
    prepared.set(query, newStatement);
    return newStatement;
  };
  let changed = 0;
  return {
    rows: <P, R>(query: Query<P, R>, values: P) => prepare(query).all(query.bind(values)) as R[],
    row: <P, R>(query: Query<P, R>, values: P) => prepare(query).get(query.bind(values)) as R | undefined,
    change(query, values) {
      const { changes } = prepare(query).run(query.bind(values));
      changed += changes;
      return changes;
    },
    changed: () => changed,
  };
};
