/** Shrinks a failing day: leaves out rows, in halves and then one by one, as long as it still fails. */
import { playDay } from './day.ts';
import { type Row, rowsOfDay } from './day-rows.ts';
import type { PlantedBug } from './planted-bugs.ts';

export type Failing = { readonly rows: readonly Row[]; readonly problems: readonly string[]; readonly tries: number };

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
  let tries = 0;
  const brokenBy = async (rows: readonly Row[]): Promise<readonly string[]> => {
    tries += 1;
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
    while (isSmaller && tries < triesMost) {
      isSmaller = false;
      for (const part of parts) {
        if (tries >= triesMost) break;
        const left = new Set(part);
        const rest = rows.filter((row) => !left.has(row));
        if (rest.length === rows.length) continue;
        const says = await brokenBy(rest);
        // A different broken rule would be a different failure.
        if (!says.some((rule) => kinds.has(kindOf(rule)))) continue;
        rows = rest;
        problems = says;
        isSmaller = true;
      }
      parts = slices(rows, size);
    }
    if (size <= 1 || tries >= triesMost) return { rows, problems, tries };
  }
};

/** The rule without the numbers of its case. */
const kindOf = (rule: string): string => rule.replace(/till \d|receipt \d+, \w+ \(\w+ \w+\)|[0-9a-f]{16,}|\d+/g, '');

const slices = (rows: readonly Row[], size: number): Row[][] =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_, n) => rows.slice(n * size, (n + 1) * size));
