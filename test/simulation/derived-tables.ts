/**
 * Compares the tables that each step updates beside the journal with their source: open sales, holds, takings per
 * quarter of an hour, and each sale's place in the books.
 */
import { isDeepStrictEqual } from 'node:util';
import { batchesIn } from '../../src/books/books.ts';
import { staleLines } from '../../src/books/check.ts';
import { QUARTER_MS } from '../../src/books/lines/totals.ts';
import { openHolds } from '../../src/ledger/bills.ts';
import { openItemCount, openSums } from '../../src/ledger/open-figures.ts';
import { salesOfOperation } from '../../src/ledger/operation-index.ts';
import { type QueueRow, queueRows } from '../../src/recovery/queue-view.ts';
import { isOpen, isUnread, replay, type Sale } from '../../src/till/machine/sale.ts';
import { type Hold, holdOf } from '../../src/till/payments.ts';
import type { TillRun } from './till-run.ts';

type Till = Pick<TillRun, 'running' | 'clock'>;

/** Describes each table that is wrong. */
export function* wrongTables(till: Till): Generator<string> {
  const checks = { openQuestions: openRequests, figures: queueFigures, holds: holdTables, takings, offline, lines };
  for (const [name, [stored, created]] of Object.entries(checks).map(([name, check]) => [name, check(till)] as const))
    if (!isDeepStrictEqual(stored, created))
      yield `the table of ${name} has ${textOf(stored)}, the journal ${textOf(created)}`;
}

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}` : each));

type Pair = [kept: unknown, created: unknown];

const rereadSales = ({ running: { ledger } }: Till, ids: readonly string[]): Sale[] =>
  ids.flatMap((id) => replay(ledger.events(id)) ?? []);

const openRequests = (till: Till): Pair => {
  const { ledger } = till.running;
  const requests = rereadSales(till, ledger.openSales()).filter(
    (sale) => sale.at === 'ended' && !isUnread(sale) && (sale.intent.by === 'terminal' || sale.differs !== undefined),
  );
  return [ledger.openQuestions(), requests.filter(isOpen).map(({ intent }) => intent.sale)];
};

/** The figures row by row, as the queue shows them. */
const queueFigures = ({ running, clock }: Till): Pair => {
  const { sql } = running.journal;
  const { currency } = running.config;
  const rows = queueRows({ ...running, sql, clock });
  const rowsOfKinds = (states: readonly QueueRow['state'][], kinds: readonly string[]): QueueRow[] =>
    rows.filter(({ state, kind }) => states.includes(state) && kinds.includes(kind));
  const stored = rowsOfKinds(['waiting', 'behind'], ['forward', 'follow']);
  const created = {
    stored: {
      count: stored.length,
      minor: stored.reduce((sum, { amount }) => (amount.currency === currency ? sum + amount.minor : sum), 0n),
    },
    unknown: rowsOfKinds(['waiting', 'behind', 'terminal'], ['reversal', 'repeat', 'inquiry']).length,
    forPerson: rows.filter(({ state }) => ['overdue', 'parked', 'person', 'task'].includes(state)).length,
  };
  return [
    { sums: openSums(sql, { now: clock.now(), currency }), items: openItemCount(sql) },
    { sums: created, items: new Set(rows.map(({ sale }) => sale)).size },
  ];
};

const offline = ({ running: { journal } }: Till): Pair => {
  const quarters = (n: string, minor: string, parentId: string): unknown =>
    journal.sql.all(
      `SELECT at - at % ${QUARTER_MS} AS at, boot, up_ms - up_ms % ${QUARTER_MS} AS up_ms, kind, sum(${n}) AS n,
       sum(${minor}) AS minor FROM ${parentId} GROUP BY 1, 2, 3, 4 HAVING sum(${n}) <> 0 OR sum(${minor}) <> 0 ORDER BY 1, 2, 3, 4`,
    );
  return [quarters('n', 'minor', 'offline_quarter'), quarters('1', 'minor', 'offline_sale')];
};

/** The lines of the batches and their sums. */
const lines = ({ running: { journal } }: Till): Pair => [staleLines(journal.sql, batchesIn(journal.sql)), []];

/** Compares the table of holds, and the lists of open holds now and at later moments, with the sales. */
const holdTables = (till: Till): Pair => {
  const { running } = till;
  const days = running.config.preauthorisation?.days ?? 7;
  const all = rereadSales(till, salesOfOperation(running.journal.sql, 'preauthorisation', 0)).map((sale) =>
    holdOf({ sale, followers: rereadSales(till, running.ledger.followersOf(sale.intent.sale)) }, days),
  );
  const open = all.filter(({ state }) => state === 'open' || state === 'unknown');
  const rows = running.journal.sql.all('SELECT receipt, charged FROM open_hold ORDER BY receipt');
  const moments = [0, days - 1, days + 1, days + 31].map((day) => till.clock.now() + day * 86_400_000);
  const isShown = ({ completed, expiresAt: until }: Hold, now: number): boolean =>
    until >= now - 30 * 86_400_000 && (completed.minor === 0n || now < until);
  return [
    {
      table: rows.map(({ receipt, charged }) => [receipt, charged]),
      lists: moments.map((now) => openHolds(running, now).map(({ sale }) => sale.intent.receipt)),
    },
    {
      table: open.map(({ sale, completed }) => [sale.intent.receipt, completed.minor > 0n ? 1 : 0]),
      lists: moments.map((now) => open.filter((hold) => isShown(hold, now)).map(({ sale }) => sale.intent.receipt)),
    },
  ];
};

/** Computed from the rows of the sales, which are checked against the books. */
const takings = ({ running: { journal } }: Till): Pair => {
  const { sql } = journal;
  const stored = sql.all('SELECT part, at, currency, name, made, taken, refunded, begun FROM takings_quarter');
  const rows = sql.all(
    `SELECT s.at, t.currency, t.brand, t.terminal_id, t.minor FROM takings t JOIN sale_search s ON s.receipt = t.receipt`,
  );
  const sums = new Map<string, number[]>();
  const add = (key: readonly unknown[], values: readonly number[]): void => {
    const text = JSON.stringify(key);
    sums.set(
      text,
      (sums.get(text) ?? [0, 0, 0, 0]).map((sum, n) => sum + (values[n] ?? 0)),
    );
  };
  for (const { at, currency, brand, terminal_id, minor } of rows) {
    const quarter = Number(at) - (Number(at) % QUARTER_MS);
    const countAndSums = [Number(minor) > 0 ? 1 : 0, Math.max(0, Number(minor)), Math.max(0, -Number(minor))];
    add(['total', quarter, currency, ''], [...countAndSums, 1]);
    add(['brand', quarter, currency, brand], [...countAndSums, 0]);
    add(['terminal_id', quarter, currency, terminal_id], [...countAndSums, 0]);
  }
  const withoutZeros = (entries: Iterable<readonly [string, readonly number[]]>): unknown =>
    [...entries].filter(([, values]) => values.some((value) => value !== 0)).sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    withoutZeros(
      stored.map(({ part, at, currency, name, made: count, taken: takenMinor, refunded, begun: startedCount }) => [
        JSON.stringify([part, at, currency, name]),
        [count, takenMinor, refunded, startedCount].map(Number),
      ]),
    ),
    withoutZeros(sums),
  ];
};
