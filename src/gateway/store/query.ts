/** Queries written with Kysely, compiled at first use, and run repeatedly with new values. */
import { createHash } from 'node:crypto';
import { type Compilable, type RawBuilder, sql } from 'kysely';

/** One statement: values of type P go in, rows of type R come out. */
export type Query<P, R> = {
  readonly sql: string;
  /** The name under which a connection may keep a repeated statement prepared. */
  readonly name?: string;
  bind(values: P): unknown[];
  /** Only carries the type of the rows; never set. */
  readonly row?: R;
};

/** Stands in a query for a value that is supplied when it runs. */
class Place {
  readonly of: (values: unknown) => unknown;

  constructor(of: (values: unknown) => unknown) {
    this.of = of;
  }
}

/** The query that `build` makes; each property that it reads from its argument becomes a parameter of that name. */
export const query = <P extends object, R>(build: (of: P) => Compilable<R>): Query<P, R> => {
  const places = new Proxy({}, { get: (_, name) => new Place((values) => (values as P)[name as keyof P]) });
  return lazyQuery(() => build(places as P));
};

/** A parameter for each of these columns, as in the rows of an insert or an update. */
export const placesOf = <Row extends object, const Name extends keyof Row & string>(
  of: Row,
  names: readonly Name[],
): Pick<Row, Name> => Object.fromEntries(names.map((name) => [name, of[name]])) as unknown as Pick<Row, Name>;

/** Each of these columns as in the row that was to be inserted, to update the one in its way. */
export const excludedColumns = <Row extends object>(...names: readonly (keyof Row & string)[]) =>
  Object.fromEntries(names.map((name) => [name, sql`excluded.${sql.raw(name)}`])) as {
    [Name in keyof Row]?: RawBuilder<Row[Name]>;
  };

/** Compiles a query that already contains its values, for rare queries that differ each time. */
export const compileQuery = <P, R>(source: Compilable<R>): Query<P, R> => {
  const { sql, parameters } = source.compile();
  return { sql, bind: (values) => parameters.map((each) => (each instanceof Place ? each.of(values) : each)) };
};

/**
 * Compiled at first use: a store has two hundred statements, and a till needs few of them in its first hours. Equal
 * statements have equal names, in every process.
 */
const lazyQuery = <P, R>(build: () => Compilable<R>): Query<P, R> => {
  const compiledQuery = cacheResult(() => compileQuery<P, R>(build()));
  const name = cacheResult(() => createHash('sha256').update(compiledQuery().sql).digest('hex').slice(0, 32));
  return {
    get sql() {
      return compiledQuery().sql;
    },
    get name() {
      return name();
    },
    bind: (values) => compiledQuery().bind(values),
  };
};

const cacheResult = <T extends string | object>(make: () => T): (() => T) => {
  let compiledQuery: T | undefined;
  return () => {
    compiledQuery ??= make();
    return compiledQuery;
  };
};

/** Maximum number of rows or keys in one statement: limits the number of cached statements. */
const MANY_MAX = 16;

/** Statements for many rows: one for each number of rows, compiled when first needed. */
export type ManyRows<Row, R> = {
  /** The rows in portions, each with the statement for its size. */
  portions(rows: readonly Row[]): readonly (readonly [Query<readonly Row[], R>, readonly Row[]])[];
};

/** `build` gets one placeholder for each row and column. */
export const manyRows = <Row extends object, R>(
  columns: readonly (keyof Row & string)[],
  build: (rows: Row[]) => Compilable<R>,
): ManyRows<Row, R> =>
  createManyRows((count) => {
    const rows = Array.from({ length: count }, (_, row) =>
      columns.map((name) => [name, new Place((values) => (values as readonly Row[])[row]?.[name])] as const),
    );
    return build(rows.map((row) => Object.fromEntries(row) as unknown as Row));
  });

/** `build` gets one placeholder for each key. */
export const manyKeys = <R>(build: (keys: string[]) => Compilable<R>): ManyRows<string, R> =>
  createManyRows((count) => {
    const places = Array.from({ length: count }, (_, i) => new Place((keys) => (keys as readonly string[])[i]));
    return build(places as unknown as string[]);
  });

const createManyRows = <Row, R>(build: (count: number) => Compilable<R>): ManyRows<Row, R> => {
  const statements = new Map<number, Query<readonly Row[], R>>();
  const statementFor = (count: number): Query<readonly Row[], R> => {
    const cached = statements.get(count);
    if (cached !== undefined) return cached;
    const compiledQuery = lazyQuery<readonly Row[], R>(() => build(count));
    statements.set(count, compiledQuery);
    return compiledQuery;
  };
  return {
    portions(rows) {
      if (rows.length === 0) return [];
      if (rows.length <= MANY_MAX) return [[statementFor(rows.length), rows]];
      return [[statementFor(MANY_MAX), rows.slice(0, MANY_MAX)], ...this.portions(rows.slice(MANY_MAX))];
    },
  };
};
