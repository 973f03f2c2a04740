/** The store on PostgreSQL, where any number of gateways share the same data. */

import { createHash } from 'node:crypto';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type { PoolClient } from 'pg';
import { Fault } from '../../base/fault.ts';
import { type Connection, createDurableWrites, type DurableWrites, type Engine } from './engine.ts';
import { type MigrationStep, pendingStatements, type VersionRow, versionTable } from './migrate.ts';
import { createPool, type PostgresPool } from './postgres-pool.ts';
import type { Query } from './query.ts';
import type { Tables } from './schema.ts';

export type PostgresOptions = {
  /** Maximum number of connections; default 8. */
  connections?: number;
};

/**
 * Opens the database of `url`, and migrates its tables to the last step. Throws `gateway.state`: not reachable, from a
 * newer version, not durable by its settings. No error contains the url's password.
 */
export const openPostgresEngine = async (
  url: string,
  steps: readonly MigrationStep[],
  { connections = 8 }: PostgresOptions = {},
): Promise<Engine> => {
  const pool = createPool(url, connections);
  try {
    await pool.use(async (client) => {
      await refuseUndurable(client);
      await migrate(client, steps);
    });
  } catch (error) {
    await pool.end();
    throw pool.faultOf(error);
  }
  return createEngine(pool);
};

/** Acknowledged data must survive a power failure of the server: two of its settings would allow their loss. */
const refuseUndurable = async (client: PoolClient): Promise<void> => {
  const settingsQuery =
    "select current_setting('fsync', true) as fsync, current_setting('synchronous_commit', true) as commit";
  const { rows } = await client.query<{ fsync: string | null; commit: string | null }>(settingsQuery);
  if (rows[0]?.fsync === 'off') throw new Fault('gateway.state', { why: 'the server runs with fsync=off' });
  if (rows[0]?.commit === 'off') throw new Fault('gateway.state', { why: 'synchronous_commit=on was not accepted' });
};

/**
 * In one transaction, and under a lock: of several programs that start together, one makes the tables and the others
 * wait.
 */
const migrate = async (client: PoolClient, steps: readonly MigrationStep[]): Promise<void> => {
  await client.query(`begin; select pg_advisory_xact_lock(${lockOf('tillgate schema')})`);
  try {
    await client.query(versionTable);
    const { rows } = await client.query<VersionRow>('select * from schema_version');
    for (const statement of pendingStatements(steps, rows[0])) await client.query(statement);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
};

const createEngine = (pool: PostgresPool): Engine => {
  const nameQueue = createNameQueue();
  const calls = createCallTracker();
  const writes = createDurableWrites();
  /** One statement that may be repeated on another connection: it reads, or repeating it has no further effect. */
  const runAlone = <P, R>(query: Query<P, R>, values: P) =>
    pool.use((client) => client.query(boundQuery(query, values)));
  const direct: Connection = {
    rows: async <P, R>(query: Query<P, R>, values: P) => (await runAlone(query, values)).rows as R[],
    row: async <P, R>(query: Query<P, R>, values: P) => (await runAlone(query, values)).rows[0] as R | undefined,
    change: async () => {
      throw new Fault('gateway.state', { why: 'a write outside of a transaction' });
    },
  };
  return {
    sql: new Kysely<Tables>({ dialect }),
    shared: true,
    writes,
    read: (work) => calls.run(() => work(direct)),
    changeOnce: (query, values) =>
      calls.run(async () => {
        const hasChanged = (await runAlone(query, values)).rowCount ?? 0;
        if (hasChanged > 0) writes.notify();
        return hasChanged;
      }),
    transact: (names, work) =>
      calls.run(() => nameQueue.run(names, () => transaction({ pool, writes }, locksOf(names), work))),
    ping: () => calls.run(async () => void (await pool.use((client) => client.query('select 1')))),
    async close() {
      await calls.close();
      await pool.end();
    },
  };
};

/**
 * Each statement sees the latest committed data, so a read after taking a lock sees what the previous holder wrote. A
 * server set to read-only is obeyed: a payment that started there could not be ended.
 */
const BEGIN = 'begin isolation level read committed';

/** One round trip to begin and lock; a connection lost before then is replaced, but not afterwards. */
const transaction = async <T>(
  { pool, writes }: { pool: PostgresPool; writes: DurableWrites },
  locks: string,
  work: (db: Connection) => Promise<T>,
): Promise<T> => {
  const { client, release } = await pool.begin(`${BEGIN}${locks}`);
  const turn = createTurn(pool, client);
  try {
    const result = await work(turn);
    await turn.commit();
    if (turn.changed()) writes.notify();
    release();
    return result;
  } catch (error) {
    turn.end();
    // If even the rollback fails, the connection is unusable, and closing it undoes the transaction too.
    await client.query('rollback').then(
      () => release(),
      () => release({ broken: true }),
    );
    throw error;
  }
};

/** One transaction on its connection. */
const createTurn = (pool: PostgresPool, client: PoolClient) => {
  let isOver = false;
  let failed: Fault | undefined;
  let hasChanged = false;
  const guard = async <T>(ask: () => Promise<T>): Promise<T> => {
    if (isOver) throw new Fault('gateway.state', { why: 'a transaction used its session after its end' });
    if (failed !== undefined) throw failed;
    try {
      return await ask();
    } catch (error) {
      failed = pool.faultOf(error);
      throw failed;
    }
  };
  return {
    rows: <P, R>(query: Query<P, R>, values: P) =>
      guard(async () => (await client.query(boundQuery(query, values))).rows as R[]),
    row: <P, R>(query: Query<P, R>, values: P) =>
      guard(async () => (await client.query(boundQuery(query, values))).rows[0] as R | undefined),
    change: <P>(query: Query<P, unknown>, values: P) =>
      guard(async () => {
        const count = (await client.query(boundQuery(query, values))).rowCount ?? 0;
        hasChanged ||= count > 0;
        return count;
      }),
    changed: () => hasChanged,
    lock: (names: readonly string[]) => guard(async () => void (await client.query(locksOf(names).slice(1)))),
    async commit() {
      const { command } = await guard(() => client.query('commit'));
      isOver = true;
      // PostgreSQL reports in this way that a statement had failed although the caller ignored it.
      if (command !== 'COMMIT')
        throw failed ?? new Fault('gateway.state', { why: 'PostgreSQL rolled back a failed transaction' });
    },
    end() {
      isOver = true;
    },
  };
};

/** Named, so that each connection plans a statement once. Kysely only writes the SQL. */
const boundQuery = <P, R>(query: Query<P, R>, values: P) => ({
  name: query.name,
  text: query.sql,
  values: query.bind(values),
});

const dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (database: Kysely<Tables>) => new PostgresIntrospector(database),
  createQueryCompiler: () => new PostgresQueryCompiler(),
};

/** Calls in progress: a store closes when all of them are over, and accepts no more meanwhile. */
export interface Calls {
  /** Throws `gateway.state` once closing has begun. */
  run<T>(call: () => Promise<T>): Promise<T>;
  /** Resolves when all started calls are over. */
  close(): Promise<void>;
}

const createCallTracker = (): Calls => {
  const running = new Set<Promise<unknown>>();
  let closed = false;
  return {
    async run(call) {
      if (closed) throw new Fault('gateway.state', { why: 'it is closed' });
      const pending = call();
      running.add(pending);
      try {
        return await pending;
      } finally {
        running.delete(pending);
      }
    },
    async close() {
      closed = true;
      // Their callers learn how they end.
      await Promise.allSettled(running);
    },
  };
};

/** Transactions with a common name run one after another within this process, before any of them takes a connection. */
export interface NameTurns {
  /** Runs `work` when every earlier transaction with one of these names is over. */
  run<T>(names: readonly string[], work: () => Promise<T>): Promise<T>;
}

/** A transaction waits only for earlier ones, so that no two can wait for each other. */
const createNameQueue = (): NameTurns => {
  const lastByName = new Map<string, Promise<void>>();
  return {
    async run(names, work) {
      const earlier = names.map((name) => lastByName.get(name)).filter((each) => each !== undefined);
      const { promise: finished, resolve: end } = Promise.withResolvers<void>();
      for (const name of names) lastByName.set(name, finished);
      try {
        if (earlier.length > 0) await Promise.all(earlier);
        return await work();
      } finally {
        for (const name of names) if (lastByName.get(name) === finished) lastByName.delete(name);
        end();
      }
    },
  };
};

// Names as PostgreSQL's advisory locks: 64-bit numbers, always taken in the same order.

/** A signed 64-bit number. Two names with one number only cause an unnecessary wait. */
export const lockOf = (name: string): bigint => createHash('sha256').update(name).digest().readBigInt64BE();

/** Statements to follow `begin`; the locks end with the transaction. Sorted, to prevent deadlocks. */
const locksOf = (names: readonly string[]): string =>
  [...new Set(names.map(lockOf))]
    .sort((left, right) => (left < right ? -1 : 1))
    .map((lock) => `;select pg_advisory_xact_lock(${lock})`)
    .join('');
