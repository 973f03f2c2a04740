/** Chooses a covering subset of a matrix for the day: few cases, but every pair of values that occurs in the matrix. */

/**
 * Some of the cases, such that any pair of values of two columns that occurs in some case also occurs in one of these.
 * Greedy: the cases with the most new pairs come first. The choice is the same in each run.
 */
export const pairwise = <Case>(
  cases: readonly Case[],
  columnsOf: (each: Case) => readonly (string | number)[],
): readonly Case[] => {
  const rows = pairsOf(cases.map(columnsOf));
  const maxPairs = rows.reduce((longest, pairs) => Math.max(longest, pairs.length), 0);
  const covered = new Set<number>();
  const chosen = new Set<number>();
  for (let minNew = maxPairs; minNew > 0; minNew -= 1) {
    for (const [at, pairs] of rows.entries()) {
      const newPairs = pairs.filter((pair) => !covered.has(pair));
      if (newPairs.length < minNew) continue;
      chosen.add(at);
      for (const pair of newPairs) covered.add(pair);
    }
  }
  return cases.filter((_, index) => chosen.has(index));
};

/** The pairs of values in each row, as numbers: the same pair has the same number in every row. */
const pairsOf = (rows: readonly (readonly (string | number)[])[]): number[][] => {
  const values = numbering();
  const numbered = rows.map((row) => row.map((value, column) => values(`${column} ${value}`)));
  const count = values.count();
  return numbered.map((row) => row.flatMap((left, index) => row.slice(index + 1).map((right) => left * count + right)));
};

const numbering = () => {
  const numbers = new Map<string, number>();
  const numberOf = (text: string): number => {
    const known = numbers.get(text) ?? numbers.size;
    numbers.set(text, known);
    return known;
  };
  return Object.assign(numberOf, { count: () => numbers.size });
};
