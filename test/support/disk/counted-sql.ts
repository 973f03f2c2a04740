/** A till's file whose work is counted: statements, the rows they returned, and how each looks for them. */
import type { Sql } from '../../../src/journal/sql.ts';

/** How often each statement was run, and how many rows it returned. */
export type SqlWork = Map<string, { times: number; rows: number }>;

export type CountedSql = Sql & {
  /** The work since the last call. */
  takeWork(): SqlWork;
};

export const countedSql = (sql: Sql): CountedSql => {
  let work: SqlWork = new Map();
  const countWork = (text: string, rows: number): void => {
    const counted = work.get(text) ?? { times: 0, rows: 0 };
    work.set(text, { times: counted.times + 1, rows: counted.rows + rows });
  };
  return {
    ...sql,
    run(text, ...values) {
      sql.run(text, ...values);
      countWork(text, 0);
    },
    get(text, ...values) {
      const row = sql.get(text, ...values);
      countWork(text, row === undefined ? 0 : 1);
      return row;
    },
    all(text, ...values) {
      const rows = sql.all(text, ...values);
      countWork(text, rows.length);
      return rows;
    },
    takeWork() {
      const done = work;
      work = new Map();
      return done;
    },
  };
};

/** Rows by table and by partial index, which is what a scan reads. */
export const sizesIn = (sql: Sql): Map<string, number> => {
  const count = (source: string): number => Number(sql.get(`SELECT count(*) AS n FROM ${source}`)?.['n']);
  const created = sql.all(
    "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%'",
  );
  return new Map(
    created.flatMap(({ type, name, tbl_name, sql: text }): [string, number][] => {
      if (type === 'table') return [[String(name), count(String(name))]];
      const condition = /\bWHERE\b([\s\S]*)$/i.exec(String(text))?.[1];
      return condition === undefined ? [] : [[String(name), count(`${tbl_name} WHERE ${condition}`)]];
    }),
  );
};

const LOOKING = /^(SCAN|SEARCH) (\w+)(?:.*?USING (?:COVERING )?INDEX (\w+))?/;

/**
 * The steps in these statements' plans that read more as `growing` (tables or partial indexes) grows: scans and ranges.
 * A step that stops after some rows found in order is not one.
 */
export const growingSteps = (sql: Sql, texts: Iterable<string>, growing: ReadonlySet<string>): string[] =>
  [...texts]
    .filter((text) => /^(SELECT|UPDATE|DELETE)/.test(text.trim()))
    .flatMap((text) => {
      const holes = Array.from(text.matchAll(/\?/g), () => null);
      const plan = sql.all(`EXPLAIN QUERY PLAN ${text}`, ...holes).map(({ detail }) => String(detail));
      const isCutShort = /\bLIMIT\b/.test(text) && !plan.some((step) => step.includes('TEMP B-TREE'));
      const names = aliasesIn(text);
      return plan.flatMap((step) => {
        const [, method, alias = '', index = ''] = LOOKING.exec(step) ?? [];
        const table = names.get(alias) ?? alias;
        const isWide = method === 'SCAN' || (method === 'SEARCH' && /[<>]\?\)?/.test(step));
        // A partial index has its own number of rows, independent of its table's.
        const read = index !== '' && isPartial(sql, index) ? index : table;
        return isWide && !isCutShort && growing.has(read) ? [`${step}: ${text.replaceAll(/\s+/g, ' ')}`] : [];
      });
    });

const isPartial = (sql: Sql, index: string): boolean =>
  /\bWHERE\b/i.test(String(sql.get('SELECT sql FROM sqlite_master WHERE name = ?', index)?.['sql'] ?? ''));

const aliasesIn = (text: string): Map<string, string> =>
  new Map(
    Array.from(text.matchAll(/\b(?:FROM|JOIN)\s+(\w+)(?:\s+(?:AS\s+)?(\w+))?/gi), ([, table = '', alias]) => [
      alias ?? table,
      table,
    ]),
  );
