/** Many ranges of numbers, sorted once, so that asking a long list costs no more than asking a short one. */

/** Both ends included. */
export type Range = { first: bigint; last: bigint };

/** Whether a number is in one of these ranges, which may overlap. */
export const within = (ranges: readonly Range[]): ((number: bigint) => boolean) => {
  const apart = merged(ranges);
  return (number) => {
    let low = 0;
    let high = apart.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const range = apart[middle];
      if (range === undefined) return false;
      if (number < range.first) high = middle - 1;
      else if (number > range.last) low = middle + 1;
      else return true;
    }
    return false;
  };
};

/** In order, and none touching another. */
const merged = (ranges: readonly Range[]): Range[] => {
  const apart: Range[] = [];
  for (const range of [...ranges].sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0))) {
    const before = apart.at(-1);
    if (before === undefined || range.first > before.last) apart.push({ ...range });
    else if (range.last > before.last) before.last = range.last;
  }
  return apart;
};
