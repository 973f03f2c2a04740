/** What the tables' queries need of a database: somewhere to ask, and transactions. */
import type { Kysely } from 'kysely';
import type { DurableWrites } from './durable-writes.ts';
import type { Query } from './query.ts';
import type { Tables } from './schema.ts';

/** Where queries are asked: inside one transaction, or outside of any. Throws `gateway.state`. */
export interface Connection {
  rows<P, R>(query: Query<P, R>, values: P): Promise<readonly R[]>;
  /** The first row, of a query that finds one at most. */
  row<P, R>(query: Query<P, R>, values: P): Promise<R | undefined>;
  /** Takes these names too, for the rest of the transaction. Absent: everything is its own already. */
  lock?(names: readonly string[]): Promise<void>;
  /** How many rows it changed. */
  change<P>(query: Query<P, unknown>, values: P): Promise<number>;
}

export interface Engine {
  /** Writes the SQL of this engine; asks nothing. */
  readonly sql: Kysely<Tables>;
  /** Whether other processes work on the same data at the same time. */
  readonly shared: boolean;
  /** Reads what is durable; no query of it may write. */
  read<T>(work: (on: Connection) => Promise<T>): Promise<T>;
  /** One statement that stands for itself, durable when it resolves. How many rows it changed. */
  single<P>(query: Query<P, unknown>, values: P): Promise<number>;
  /** All or nothing, durable when it resolves; works with a name in common run one after another. */
  transact<T>(names: readonly string[], work: (on: Connection) => Promise<T>): Promise<T>;
  /** Tells of whatever has become durable, of any work. */
  readonly writes: Pick<DurableWrites, 'listen'>;
  ping(): Promise<void>;
  close(): Promise<void>;
}
