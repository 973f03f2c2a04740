/** The listed name that a mistyped one was probably meant to be. */

const DISTANCE_MAX = 2;

/** The nearest name by single-letter changes, at most two away; case differences are free. Undefined: none is near. */
export const nearest = (name: string, names: readonly string[]): string | undefined => {
  // Longer strangers cannot be near any name, and are not worth the reckoning.
  if (name.length > 64) return undefined;
  let best: { name: string; away: number } | undefined;
  for (const candidate of names) {
    if (Math.abs(candidate.length - name.length) > DISTANCE_MAX) continue;
    const away = distance(name.toLowerCase(), candidate.toLowerCase());
    if (away <= DISTANCE_MAX && away < (best?.away ?? DISTANCE_MAX + 1)) best = { name: candidate, away };
  }
  return best?.name;
};

/** Levenshtein’s distance, one row at a time. */
const distance = (left: string, right: string): number => {
  let above = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1] ? 0 : 1;
      const changed = (above[column - 1] ?? 0) + same;
      current.push(Math.min(changed, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[right.length] ?? 0;
};
