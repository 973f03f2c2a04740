/** The limits of a busy Saturday, as rows: the measured value, the target, and whether it holds. */
import type { Compared } from './compared.ts';
import type { PlayedDay } from './day.ts';
import { type Look, quantile, type Row, refusalsIn, salesIn, workEach } from './figures.ts';
import type { EndingCounts } from './listeners.ts';

export type Bound = { name: string; found: string; expected: string; isMet: boolean };

const GROWS_MOST = 1.5;
const LIST_MS = 25;
const CLOSING_MS = 300;
const CSV_MS = 400;
const WORK_GROWS_MOST = 1.3;
const START_MS = 700;
const MEMORY_MB = 220;

/** The lists that must be as fast in the last tenth of the day as in the first, by their names for people. */
const lists: readonly (readonly [Look, string])[] = [
  ['x', 'X report'],
  ['list', 'list of sales'],
  ['search', 'search'],
  ['batches', 'batches'],
  ['open', 'open items'],
  ['holds', 'pre-authorisations'],
];

/** Figures that grow with the day, and those with a fixed limit. They also depend on this machine. */
export const speedBounds = ({ plan, rows, startMs }: PlayedDay): Bound[] => {
  const { first, last } = endsOf(rows, plan.sales.length);
  const p50 = (row: Row | undefined, view: Look): number | undefined => quantile(row?.viewMs[view] ?? [], 0.5);
  return [
    ...lists.map(([view, name]): Bound => {
      const [firstMs, after] = [p50(first, view), p50(last, view)];
      const isMet = firstMs !== undefined && after !== undefined && after <= GROWS_MOST * firstMs && after <= LIST_MS;
      const expected = `at most ${GROWS_MOST} times the first, and ${LIST_MS} ms`;
      return { name: `${name}, p50`, found: `${ms(firstMs)}, at the end ${ms(after)}`, expected, isMet };
    }),
    atMost('closing page, p50 at the end', p50(last, 'closing'), CLOSING_MS),
    atMost('CSV of the day, p50 at the end', p50(last, 'csv'), CSV_MS),
    workBound(first, last),
    atMost(`start with ${plan.sales.length} sales`, startMs, START_MS),
    memoryBound(rows),
  ];
};

const ms = (value: number | undefined): string => (value === undefined ? 'never' : `${value.toFixed(1)} ms`);

const atMost = (name: string, found: number | undefined, wantedMs: number): Bound => ({
  ...{ name, found: ms(found), expected: `at most ${wantedMs} ms` },
  isMet: found !== undefined && found <= wantedMs,
});

/** The first tenth of the day, and the last with about as many sales: after it the last customers leave. */
const endsOf = (rows: readonly Row[], sales: number): { first: Row | undefined; last: Row | undefined } => ({
  first: rows[0],
  last: rows.findLast((row) => salesIn(row) >= sales / 20) ?? rows.at(-1),
});

const workBound = (first: Row | undefined, last: Row | undefined): Bound => {
  const [firstMs, after] = [first && workEach(first), last && workEach(last)];
  return {
    name: 'the till’s CPU time per sale',
    ...{ found: `${ms(firstMs)}, at the end ${ms(after)}`, expected: `at most ${WORK_GROWS_MOST} times the first` },
    isMet: firstMs !== undefined && after !== undefined && after <= WORK_GROWS_MOST * firstMs,
  };
};

const memoryBound = (rows: readonly Row[]): Bound => {
  const found = Math.max(0, ...rows.map(({ memoryMb }) => memoryMb));
  return {
    name: 'memory of the till',
    found: `${found} MB`,
    expected: `at most ${MEMORY_MB} MB`,
    isMet: found <= MEMORY_MB,
  };
};

/** Limits that hold on any machine, because none depends on time. */
export const exactBounds = (day: PlayedDay, { differences }: Pick<Compared, 'differences'>): Bound[] => {
  const { rows, openItems: left, endingCounts: reported, receiptCounts: printed } = day;
  const busyCount = rows.reduce((sum, row) => sum + row.busyCount, 0);
  const refusedBusy = refusalsIn(rows).filter(([refusal]) => isNeedlesslyBusy(refusal));
  return [
    noneOf('books that differ', differences.length),
    noneOf('unsettled in the evening', left.length),
    ...reported.map((counts) => eachOnce(`endings reported to ${counts.listener}`, counts)),
    eachOnce('receipts of a register that prints on `result`', printed),
    noneOf('refused as busy after an ending', busyCount),
    noneOf(
      'refunds and closings refused as busy',
      refusedBusy.reduce((sum, [, count]) => sum + count, 0),
    ),
  ];
};

/** Whether a refusal as busy was needless: only work at a terminal may find that terminal busy. */
const isNeedlesslyBusy = (refusal: string): boolean =>
  / (terminal\.busy|books\.openMoney)$/.test(refusal) && !refusal.includes('at a terminal');

const noneOf = (name: string, count: number): Bound => ({
  name,
  found: String(count),
  expected: 'none',
  isMet: count === 0,
});

const eachOnce = (
  name: string,
  {
    endings,
    onceCount: single,
    neverCount: never,
    moreCount: often,
    mostTimes: timesMost,
    awayCount: away,
  }: EndingCounts,
): Bound => ({
  name,
  found: `${single} of ${endings} once, ${never} never, ${often} up to ${timesMost} times (${away} beside)`,
  expected: 'each once',
  isMet: endings > 0 && single === endings,
});
