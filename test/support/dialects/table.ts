/** Every dialect of every protocol, and the table of their days. */
import type { Dialect } from '../../../drivers/simulation/simulator.ts';
import { simulators } from '../../../drivers/simulators.ts';
import type { CutSums } from './cuts.ts';
import { type Day, playDay, type Row, steps, sumWords, wrongIn } from './day.ts';

/** The strictest terminal of each protocol, and one row for each of its dialects. */
export const allRows = (): Row[] =>
  Object.entries(simulators).flatMap(([protocol, { dialects = {} }]) => [
    { protocol, dialect: undefined, sells: true },
    ...Object.entries(dialects).map(([dialect, row]) => ({ protocol, dialect, sells: sellsOn(row) })),
  ]);

const sellsOn = ({ about, isRefused }: Dialect): Row['sells'] => (isRefused ? 'never' : about !== 'lock');

export const nameOf = ({ dialect }: Row): string => dialect ?? 'strictest';

export type Played = { row: Row; day: Day; wrong: readonly string[] };

/** Runs all of these, several at a time, in the order in which they end. */
export const playAll = async (
  rows: readonly Row[],
  atOnce: number,
  tell: (played: Played) => void = () => {},
): Promise<Played[]> => {
  const left = rows.map((row, at) => ({ row, at }));
  const played: Played[] = [];
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const day = await playDay(next.row);
      const one = { row: next.row, day, wrong: wrongIn(day, next.row) };
      played[next.at] = one;
      tell(one);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return played;
};

const columns = ['protocol', 'dialect', ...steps, 'held by', 'holds', 'till’s day', 'verdict'] as const;

/** One line per day. */
export const tableOf = (played: readonly Played[]): string[] => lined([columns, ...played.map(cellsOf)]);

/** One line per dialect. */
export const cutTableOf = (sums: readonly CutSums[]): string[] =>
  lined([
    ['dialect', 'messages', 'charged', 'not charged', 'unresolved', 'verdict'],
    ...sums.map(({ dialect, messages, charged, not, open, wrong }) => [
      ...[dialect, `${messages}`, `${charged}`, `${not}`, `${open}`],
      wrong.length === 0 ? 'agree' : `WRONG at ${wrong.length}`,
    ]),
  ]);

/** Each column is as wide as its widest cell. */
const lined = (cells: readonly (readonly string[])[]): string[] => {
  const widths = (cells[0] ?? []).map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};

const LONGEST = 32;

const cellsOf = ({ row, day, wrong }: Played): string[] => [
  row.protocol,
  nameOf(row),
  ...steps.map((step) => shortened(day.answers[step].words)),
  day.holder,
  sumWords(day.held),
  sumWords(day.till),
  wrong.length > 0 ? 'WRONG' : row.sells === 'never' ? 'refused' : day.holder === 'nobody' ? 'locked' : 'agree',
];

/** The texts that are too long for a column, in full. */
export const longWordsOf = ({ row, day }: Played): string[] => {
  const long = steps.filter((step) => day.answers[step].words.length > LONGEST);
  return long.map((step) => `${row.protocol}, ${nameOf(row)}, ${step}: ${day.answers[step].words}`);
};

const shortened = (words: string): string => (words.length > LONGEST ? `${words.slice(0, LONGEST - 1)}…` : words);

/** For programs. */
export const jsonOf = ({ row, day, wrong }: Played) => ({
  ...{ protocol: row.protocol, dialect: nameOf(row) },
  said: Object.fromEntries(steps.map((step) => [step, day.answers[step].words])),
  ...{ heldBy: day.holder, holds: sumWords(day.held), till: sumWords(day.till) },
  wrong,
});
