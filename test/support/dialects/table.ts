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

export type PlayedDay = { row: Row; day: Day; wrong: readonly string[] };

/** Runs all of these, several at a time, in the order in which they end. */
export const playAll = async (
  rows: readonly Row[],
  parallelCount: number,
  notify: (played: PlayedDay) => void = () => {},
): Promise<PlayedDay[]> => {
  const left = rows.map((row, index) => ({ row, at: index }));
  const played: PlayedDay[] = [];
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const day = await playDay(next.row);
      const one = { row: next.row, day, wrong: wrongIn(day, next.row) };
      played[next.at] = one;
      notify(one);
    }
  };
  await Promise.all(Array.from({ length: parallelCount }, work));
  return played;
};

const columns = ['protocol', 'dialect', ...steps, 'held by', 'holds', 'till’s day', 'verdict'] as const;

/** One line per day. */
export const tableOf = (played: readonly PlayedDay[]): string[] => lined([columns, ...played.map(cellsOf)]);

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
  const widths = (cells[0] ?? []).map((_, index) => Math.max(...cells.map((row) => row[index]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};

const LONGEST = 32;

const cellsOf = ({ row, day, wrong }: PlayedDay): string[] => [
  row.protocol,
  nameOf(row),
  ...steps.map((step) => shorten(day.answers[step].text)),
  day.holder,
  sumWords(day.held),
  sumWords(day.till),
  wrong.length > 0 ? 'WRONG' : row.sells === 'never' ? 'refused' : day.holder === 'nobody' ? 'locked' : 'agree',
];

/** The texts that are too long for a column, in full. */
export const longWordsOf = ({ row, day }: PlayedDay): string[] => {
  const long = steps.filter((step) => day.answers[step].text.length > LONGEST);
  return long.map((step) => `${row.protocol}, ${nameOf(row)}, ${step}: ${day.answers[step].text}`);
};

const shorten = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);

/** For programs. */
export const jsonOf = ({ row, day, wrong }: PlayedDay) => ({
  ...{ protocol: row.protocol, dialect: nameOf(row) },
  said: Object.fromEntries(steps.map((step) => [step, day.answers[step].text])),
  ...{ heldBy: day.holder, holds: sumWords(day.held), till: sumWords(day.till) },
  wrong,
});
