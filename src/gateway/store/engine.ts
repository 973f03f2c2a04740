/** The queries' view of a database: connections and transactions. */
import type { Kysely } from 'kysely';
import type { Query } from './query.ts';
import type { Tables } from './schema.ts';

/** Runs queries: inside one transaction, or outside of any. Throws `gateway.state`. */
export interface Connection {
  rows<P, R>(query: Query<P, R>, values: P): Promise<readonly R[]>;
  /** The first row of a query that finds at most one. */
  row<P, R>(query: Query<P, R>, values: P): Promise<R | undefined>;
  /** Locks these names too, for the rest of the transaction. Absent: the transaction already has exclusive access. */
  lock?(names: readonly string[]): Promise<void>;
  /** Returns how many rows it changed. */
  change<P>(query: Query<P, unknown>, values: P): Promise<number>;
}

export interface Engine {
  /** Writes this engine's SQL; runs nothing. */
  readonly sql: Kysely<Tables>;
  /** Whether other processes use the same data at the same time. */
  readonly shared: boolean;
  /** Reads durable data; its queries must not write. */
  read<T>(work: (db: Connection) => Promise<T>): Promise<T>;
  /** One statement on its own, durable when it resolves. Returns how many rows it changed. */
  changeOnce<P>(query: Query<P, unknown>, values: P): Promise<number>;
  /** Atomic, and durable when it resolves; transactions with a common name run one after another. */
  transact<T>(names: readonly string[], work: (db: Connection) => Promise<T>): Promise<T>;
  /** Notifies of everything that has become durable. */
  readonly writes: Pick<DurableWrites, 'listen'>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export type DurableWrites = {
  /** Calls `listener` at each durable write, until the returned function is called. */
  listen(listener: () => void): () => void;
  /** Reports that something was written and is durable. */
  notify(): void;
};

export const createDurableWrites = (): DurableWrites => {
  const listeners = new Set<() => void>();
  return {
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notify() {
      for (const listener of listeners) listener();
    },
  };
};
