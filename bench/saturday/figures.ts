/** The figures of a busy Saturday, a row for each tenth: sales, waiting times of the office, the till's CPU time. */

export const views = ['x', 'list', 'search', 'batches', 'open', 'holds', 'closing', 'csv'] as const;
export type Look = (typeof views)[number];

/** A sale's ending as its cashier learned it; `offline` is approved without the gateway. */
export type ReportedEnding = 'approved' | 'declined' | 'offline' | 'unknown' | 'notSent';

export type Row = {
  endings: Record<ReportedEnding, number>;
  saleMs: number[];
  viewMs: Record<Look, number[]>;
  /** Refusals as busy after the counter's last sale had ended; `busyByOffice` counts those while the office worked. */
  busyCount: number;
  busyByOffice: number;
  /** The number of refunds, voids, completions, releases and closings; and the refusals by code. */
  officeCount: number;
  refusals: Map<string, number>;
  /** The till's CPU time in this row only, and the number of sales that ended meanwhile. */
  workMs: number;
  memoryMb: number;
};

export const emptyRow = (): Row => ({
  endings: { approved: 0, declined: 0, offline: 0, unknown: 0, notSent: 0 },
  saleMs: [],
  viewMs: { x: [], list: [], search: [], batches: [], open: [], holds: [], closing: [], csv: [] },
  ...{ busyCount: 0, busyByOffice: 0, officeCount: 0, refusals: new Map(), workMs: 0, memoryMb: 0 },
});

export type Figures = {
  readonly rows: readonly Row[];
  /** The current row. */
  now(): Row;
};

/** `elapsedMs`: milliseconds since the start of the day. */
export const openFigures = (rowMs: number, elapsedMs: () => number): Figures => {
  const rows: Row[] = [];
  return {
    rows,
    now() {
      const index = Math.max(0, Math.floor(elapsedMs() / rowMs));
      while (rows.length <= index) rows.push(emptyRow());
      return rows[index] as Row;
    },
  };
};

export const salesIn = ({ endings }: Row): number => Object.values(endings).reduce((sum, count) => sum + count, 0);

/** Undefined for an empty list. */
export const quantile = (values: readonly number[], part: number): number | undefined => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
};

export const workEach = (row: Row): number | undefined => (salesIn(row) === 0 ? undefined : row.workMs / salesIn(row));

type Column = { name: string; width: number; text(row: Row, rowIndex: number): string };

const wholeText = (value: number | undefined): string => (value === undefined ? '-' : value.toFixed(0));
const fineText = (value: number | undefined): string => (value === undefined ? '-' : value.toFixed(value < 10 ? 1 : 0));
const clockOf = (ms: number): string =>
  `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`;

const columnsOf = (rowMs: number): Column[] => [
  { name: 'from', width: 5, text: (_, rowIndex) => clockOf(rowIndex * rowMs) },
  { name: 'sales', width: 6, text: (row) => String(salesIn(row)) },
  { name: 'yes', width: 5, text: ({ endings }) => String(endings.approved) },
  { name: 'no', width: 4, text: ({ endings }) => String(endings.declined) },
  { name: 'offl', width: 5, text: ({ endings }) => String(endings.offline) },
  { name: 'unkn', width: 5, text: ({ endings }) => String(endings.unknown) },
  { name: 'unsent', width: 7, text: ({ endings }) => String(endings.notSent) },
  { name: 'p50', width: 7, text: ({ saleMs }) => wholeText(quantile(saleMs, 0.5)) },
  { name: 'p99', width: 7, text: ({ saleMs }) => wholeText(quantile(saleMs, 0.99)) },
  ...views.map((look): Column => {
    return { name: look, width: 8, text: (row) => fineText(quantile(row.viewMs[look], 0.5)) };
  }),
  { name: 'work', width: 6, text: (row) => fineText(workEach(row)) },
  { name: 'MB', width: 5, text: ({ memoryMb }) => String(memoryMb) },
  { name: '409', width: 7, text: ({ busyCount, busyByOffice }) => `${busyCount}+${busyByOffice}` },
  {
    name: 'office',
    width: 9,
    text: ({ officeCount, refusals }) =>
      `${officeCount}/${[...refusals.values()].reduce((sum, count) => sum + count, 0)}`,
  },
];

/** The meaning of the columns, in a line or two. */
export const legendLines = [
  'ms: p50 and p99 of a sale; p50 of X, a list, a search, batches, open items, pre-authorisations, closing, CSV',
  'work: the till’s processor, ms a sale. 409: busy after an ending, + while the office works. office: done/refused',
];

/** The head of the table, and a line for each row. */
export const openTable = (rowMs: number): { header: string; line(row: Row, rowIndex: number): string } => {
  const columns = columnsOf(rowMs);
  const line = (cell: (column: Column) => string): string =>
    columns.map((column) => cell(column).padStart(column.width)).join('');
  return { header: line(({ name }) => name), line: (row, rowIndex) => line(({ text }) => text(row, rowIndex)) };
};

/** For the whole day: the refusals of the office, the most frequent first. */
export const refusalsIn = (rows: readonly Row[]): [code: string, count: number][] => {
  const all = new Map<string, number>();
  for (const { refusals } of rows) for (const [code, count] of refusals) all.set(code, (all.get(code) ?? 0) + count);
  return [...all].sort(([, one], [, other]) => other - one);
};
