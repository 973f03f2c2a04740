/** Shrinks a failing day: leaves out rows, in halves and then one by one, as long as it still fails. */
import { playDay } from './day.ts';
import { type Row, rowsOfDay } from './day-rows.ts';
import type { PlantedBug } from './planted-bugs.ts';

export type Failing = {
  readonly rows: readonly Row[];
  readonly problems: readonly string[];
  readonly tryCount: number;
};

type Options = {
  plantedBug?: PlantedBug | undefined;
  /** The maximum number of days to play. */
  triesMost?: number;
  /** The rows to shrink; by default the seed's whole day. */
  rows?: readonly Row[];
};

const TRIES_MOST = 400;

/** The smallest list of rows found that still breaks a rule. Undefined if the seed's whole day breaks none. */
export const shrink = async (
  seed: number,
  { plantedBug, triesMost = TRIES_MOST, rows: from = rowsOfDay(seed) }: Options = {},
): Promise<Failing | undefined> => {
  let tryCount = 0;
  const brokenBy = async (rows: readonly Row[]): Promise<readonly string[]> => {
    tryCount += 1;
    return (await playDay(seed, { rows, plantedBug })).problems;
  };
  let rows = from;
  let problems = await brokenBy(rows);
  if (problems.length === 0) return undefined;
  // One till is enough for most failures, so that is tried first.
  const kinds = new Set(problems.map(kindOf));
  let parts: readonly (readonly Row[])[] = [0, 1].map((till) => rows.filter((row) => row.till === till));
  for (let size = Math.ceil(rows.length / 2); ; size = Math.ceil(size / 2)) {
    let isSmaller = true;
    while (isSmaller && tryCount < triesMost) {
      isSmaller = false;
      for (const part of parts) {
        if (tryCount >= triesMost) break;
        const removed = new Set(part);
        const rest = rows.filter((row) => !removed.has(row));
        if (rest.length === rows.length) continue;
        const restProblems = await brokenBy(rest);
        // A different broken rule would be a different failure.
        if (!restProblems.some((rule) => kinds.has(kindOf(rule)))) continue;
        rows = rest;
        problems = restProblems;
        isSmaller = true;
      }
      parts = slices(rows, size);
    }
    if (size <= 1 || tryCount >= triesMost) return { rows, problems, tryCount };
  }
};

/** The rule without the numbers of its case. */
const kindOf = (rule: string): string => rule.replace(/till \d|receipt \d+, \w+ \(\w+ \w+\)|[0-9a-f]{16,}|\d+/g, '');

const slices = (rows: readonly Row[], size: number): Row[][] =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_, n) => rows.slice(n * size, (n + 1) * size));
