/**
 * A busy Saturday as a benchmark: eight terminals of four kinds at one till, a gateway that fails, a till that is
 * killed and a busy office, all as processes; its table, its books, its limits.
 */
import { buildGateway, isGatewayFresh } from '../../build/gateway.ts';
import { madeProgram } from '../../test/support/servers/program.ts';
import { printMinor } from './amounts.ts';
import { type Bound, exactBounds, speedBounds } from './bounds.ts';
import { type Compared, compareBooks } from './compared.ts';
import { type PlayedDay, playDay } from './day.ts';
import { legendLines, openTable, type Row, refusalsIn } from './figures.ts';
import { planOf } from './plan.ts';

export type SaturdayOptions = { sales: number; minutes: number; seed: number; stuck: number; json: boolean };

const COUNTERS = 8;
/** The speed of people and devices compared with reality, so that a counter sells every half second. */
const SPEED = 25;
const SETTLE_MS = 120_000;
/** The maximum number of differences listed. */
const LISTED = 40;

type PrintLine = (line: string) => void;

/** Prints each line; returns whether the books agree and every limit holds. Only Linux reports a process's CPU time. */
export const reportSaturday = async (print: PrintLine, request: SaturdayOptions): Promise<boolean> => {
  const { sales, minutes, seed, stuck, json } = request;
  const plan = planOf({ seed, sales, dayMs: minutes * 60_000, counters: COUNTERS });
  const printProgress: PrintLine = json ? () => {} : print;
  printProgress(
    `\na busy Saturday, seed ${seed}: ${sales} sales, ${minutes} minutes, ${COUNTERS} terminals, ${stuck} stuck items …`,
  );
  const timeoutMs = Math.round(Math.min(15_000, Math.max(1_000, plan.dayMs / 40)));
  if (!isGatewayFresh()) await buildGateway();
  const runOptions = { program: madeProgram, speed: SPEED, perProcess: 1, timeoutMs };
  const table = openTable(plan.dayMs / 10);
  for (const line of [...legendLines, table.header]) printProgress(line);
  const printRow = (row: Row, at: number): void => printProgress(table.line(row, at));
  const day = await playDay(plan, { ...runOptions, stuck, onRow: printRow, settleMs: SETTLE_MS });
  const compared = compareBooks(day.books);
  const bounds = [...speedBounds(day), ...exactBounds(day, compared)];
  if (json)
    print(
      JSON.stringify(jsonOf(day, compared, bounds), (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
    );
  else for (const line of linesOf(day, compared, bounds)) print(line);
  return bounds.every(({ isMet: holds }) => holds);
};

const linesOf = (day: PlayedDay, { sums, differences }: Compared, bounds: readonly Bound[]): string[] => [
  ...refusalsIn(day.rows).map(([what, count]) => `the office was refused ${count} times: ${what}`),
  ...[...day.notes].map(([what, count]) => `${count} times: ${what}`),
  ...day.openItems.map(({ receipt, kind, why }) => `unsettled in the evening: receipt ${receipt}, ${kind}: ${why}`),
  ...sums.map(({ name, till, other: theirs }) => {
    const sumsText = `${printMinor(theirs)}${till === theirs ? '' : `, the till ${printMinor(till)}`}`;
    return `${name.padEnd(40)} ${sumsText}`;
  }),
  ...differences.slice(0, LISTED).map((text) => `DIFFERS: ${text}`),
  ...(differences.length > LISTED ? [`and ${differences.length - LISTED} more`] : []),
  ...bounds.map(
    ({ name, found, expected, isMet: holds }) =>
      `${name.padEnd(46)} ${found.padEnd(44)} (wanted ${expected})  ${holds ? 'ok' : 'MISSED'}`,
  ),
];

const jsonOf = ({ plan, rows, notes, openItems: left }: PlayedDay, compared: Compared, bounds: readonly Bound[]) => ({
  seed: plan.seed,
  rows: rows.map((row) => ({ ...row, refused: Object.fromEntries(row.refusals) })),
  ...{ notes: Object.fromEntries(notes), left, ...compared, bounds },
});
