/** The figures of a busy Saturday, a row for each tenth: sales, waiting times of the office, the till's CPU time. */

export const looks = ['x', 'list', 'search', 'batches', 'open', 'holds', 'closing', 'csv'] as const;
export type Look = (typeof looks)[number];

/** A sale's ending as its cashier learned it; `offline` is approved without the gateway. */
export type ReportedEnding = 'approved' | 'declined' | 'offline' | 'unknown' | 'notSent';

export type Row = {
  endings: Record<ReportedEnding, number>;
  saleMs: number[];
  looks: Record<Look, number[]>;
  /** Refused as busy although the counter's last sale was reported as ended; the second while the office worked. */
  busy: number;
  busyByOffice: number;
  /** The number of refunds, voids, completions, releases and closings; and the refusals by code. */
  done: number;
  refused: Map<string, number>;
  /** The till's CPU time in this row only, and the number of sales that ended meanwhile. */
  workMs: number;
  memoryMb: number;
};

export const emptyRow = (): Row => ({
  endings: { approved: 0, declined: 0, offline: 0, unknown: 0, notSent: 0 },
  saleMs: [],
  looks: { x: [], list: [], search: [], batches: [], open: [], holds: [], closing: [], csv: [] },
  ...{ busy: 0, busyByOffice: 0, done: 0, refused: new Map(), workMs: 0, memoryMb: 0 },
});

export type Figures = {
  readonly rows: readonly Row[];
  /** The current row. */
  now(): Row;
};

/** `passed`: milliseconds since the start of the day. */
export const openFigures = (rowMs: number, passed: () => number): Figures => {
  const rows: Row[] = [];
  return {
    rows,
    now() {
      const index = Math.max(0, Math.floor(passed() / rowMs));
      while (rows.length <= index) rows.push(emptyRow());
      return rows[index] as Row;
    },
  };
};

export const salesIn = ({ endings }: Row): number => Object.values(endings).reduce((sum, count) => sum + count, 0);

/** Undefined for an empty list. */
export const quantile = (values: readonly number[], part: number): number | undefined => {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
};

export const workEach = (row: Row): number | undefined => (salesIn(row) === 0 ? undefined : row.workMs / salesIn(row));

type Column = { name: string; wide: number; of(row: Row, at: number): string };

const whole = (value: number | undefined): string => (value === undefined ? '-' : value.toFixed(0));
const fine = (value: number | undefined): string => (value === undefined ? '-' : value.toFixed(value < 10 ? 1 : 0));
const clockOf = (ms: number): string =>
  `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`;

const columnsOf = (rowMs: number): Column[] => [
  { name: 'from', wide: 5, of: (_, at) => clockOf(at * rowMs) },
  { name: 'sales', wide: 6, of: (row) => String(salesIn(row)) },
  { name: 'yes', wide: 5, of: ({ endings }) => String(endings.approved) },
  { name: 'no', wide: 4, of: ({ endings }) => String(endings.declined) },
  { name: 'offl', wide: 5, of: ({ endings }) => String(endings.offline) },
  { name: 'unkn', wide: 5, of: ({ endings }) => String(endings.unknown) },
  { name: 'unsent', wide: 7, of: ({ endings }) => String(endings.notSent) },
  { name: 'p50', wide: 7, of: ({ saleMs }) => whole(quantile(saleMs, 0.5)) },
  { name: 'p99', wide: 7, of: ({ saleMs }) => whole(quantile(saleMs, 0.99)) },
  ...looks.map((look): Column => {
    return { name: look, wide: 8, of: (row) => fine(quantile(row.looks[look], 0.5)) };
  }),
  { name: 'work', wide: 6, of: (row) => fine(workEach(row)) },
  { name: 'MB', wide: 5, of: ({ memoryMb }) => String(memoryMb) },
  { name: '409', wide: 7, of: ({ busy, busyByOffice }) => `${busy}+${busyByOffice}` },
  {
    name: 'office',
    wide: 9,
    of: ({ done, refused }) => `${done}/${[...refused.values()].reduce((sum, count) => sum + count, 0)}`,
  },
];

/** The meaning of the columns, in a line or two. */
export const legend = [
  'ms: p50 and p99 of a sale; p50 of X, a list, a search, batches, open items, pre-authorisations, closing, CSV',
  'work: the till’s processor, ms a sale. 409: busy after an ending, + while the office works. office: done/refused',
];

/** The head of the table, and a line for each row. */
export const openTable = (rowMs: number): { head: string; line(row: Row, at: number): string } => {
  const columns = columnsOf(rowMs);
  const line = (cell: (column: Column) => string): string =>
    columns.map((column) => cell(column).padStart(column.wide)).join('');
  return { head: line(({ name }) => name), line: (row, at) => line(({ of }) => of(row, at)) };
};

/** For the whole day: the refusals of the office, the most frequent first. */
export const refusalsIn = (rows: readonly Row[]): [code: string, count: number][] => {
  const all = new Map<string, number>();
  for (const { refused } of rows) for (const [code, count] of refused) all.set(code, (all.get(code) ?? 0) + count);
  return [...all].sort(([, one], [, other]) => other - one);
};
