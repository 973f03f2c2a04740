/** What one version of a SQLite file's tables takes away from programs that use the previous version's tables. */
import type Database from 'better-sqlite3';

type Column = { readonly type: string; readonly isNeeded: boolean; readonly key: number };
/** Columns and unique indexes of each table. */
export type Tables = Readonly<Record<string, { columns: Record<string, Column>; unique: string[] }>>;

type Info = { name: string; type: string; notnull: number; dflt_value: unknown; pk: number };

export const tablesIn = (database: Database.Database): Tables => {
  const names = database
    .prepare<[], string>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
    )
    .pluck()
    .all();
  return Object.fromEntries(
    names.map((table) => {
      const columns = database.pragma(`table_info(${table})`) as Info[];
      const indexes = database.pragma(`index_list(${table})`) as { name: string; unique: number }[];
      const keysOf = (index: string): string =>
        (database.pragma(`index_info(${index})`) as { name: string | null }[]).map(({ name }) => name ?? '').join(',');
      return [
        table,
        {
          columns: Object.fromEntries(
            columns.map(({ name, type, notnull, dflt_value, pk }) => [
              name,
              { type, isNeeded: notnull === 1 && dflt_value === null && !(type === 'INTEGER' && pk === 1), key: pk },
            ]),
          ),
          unique: indexes.flatMap(({ name, unique }) => (unique === 1 ? [keysOf(name)] : [])).toSorted(),
        },
      ];
    }),
  );
};

/** As text; empty when a version that knows only `oldTables` can work with `newTables`. */
export const removedIn = (oldTables: Tables, newTables: Tables): string[] =>
  Object.entries(oldTables).flatMap(([table, old]) => {
    const newTable = newTables[table];
    if (newTable === undefined) return [`${table} is gone`];
    const changed = Object.entries(old.columns).flatMap(([name, { type, isNeeded, key }]) => {
      const column = newTable.columns[name];
      if (column === undefined) return [`${table}.${name} is gone`];
      if (column.type !== type || column.key !== key) return [`${table}.${name} is another one`];
      return column.isNeeded && !isNeeded ? [`${table}.${name} may not be left out any more`] : [];
    });
    const added = Object.entries(newTable.columns).flatMap(([name, { isNeeded }]) =>
      old.columns[name] === undefined && isNeeded ? [`${table}.${name} is new, and has no default`] : [],
    );
    const bound = newTable.unique
      .filter((columns) => !old.unique.includes(columns))
      .map((columns) => `${table} has to be unique in ${columns}`);
    return [...changed, ...added, ...bound];
  });
