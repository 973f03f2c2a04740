/** Finds the listed name that a mistyped one was probably meant to be. */

const DISTANCE_MAX = 2;

type Candidate = { name: string; lower: string; letters: number };

/** Made once for each list: an operation's parser always uses the same one. */
const candidateCache = new WeakMap<readonly string[], readonly Candidate[]>();

/** The nearest name by single-letter changes, at most two away, ignoring case. Undefined if none is near. */
export const nearestName = (name: string, names: readonly string[]): string | undefined => {
  // A longer unknown name cannot be near any name, and is not worth the calculation.
  if (name.length > 64) return undefined;
  const lowerName = name.toLowerCase();
  const letters = letterMaskOf(lowerName);
  let best: string | undefined;
  let maxDistance = DISTANCE_MAX;
  for (const candidate of candidatesOf(names)) {
    if (Math.abs(candidate.lower.length - lowerName.length) > maxDistance) continue;
    if (countBits(candidate.letters ^ letters) > 2 * maxDistance) continue;
    const candidateDistance = distance(lowerName, candidate.lower, maxDistance);
    if (candidateDistance > maxDistance) continue;
    best = candidate.name;
    // Only a nearer one replaces it.
    maxDistance = candidateDistance - 1;
    if (maxDistance < 0) break;
  }
  return best;
};

const candidatesOf = (names: readonly string[]): readonly Candidate[] => {
  const cached = candidateCache.get(names);
  if (cached !== undefined) return cached;
  const newCandidates = names.map((name) => {
    const lower = name.toLowerCase();
    return { name, lower, letters: letterMaskOf(lower) };
  });
  candidateCache.set(names, newCandidates);
  return newCandidates;
};

/** The letters that occur, one bit for each of 32 classes. A single-letter change alters at most two bits. */
const letterMaskOf = (text: string): number => {
  let letters = 0;
  for (let i = 0; i < text.length; i += 1) letters |= 1 << (text.charCodeAt(i) & 31);
  return letters;
};

const countBits = (mask: number): number => {
  let bits = 0;
  for (let remaining = mask; remaining !== 0; remaining &= remaining - 1) bits += 1;
  return bits;
};

/** The Levenshtein distance, one row at a time; returns more than `maxDistance` as soon as it must exceed that. */
const distance = (remaining: string, right: string, maxDistance: number): number => {
  let previousRow = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= remaining.length; row += 1) {
    const current = [row];
    let rowMinimum = row;
    for (let column = 1; column <= right.length; column += 1) {
      const substitutionCost = remaining[row - 1] === right[column - 1] ? 0 : 1;
      const changed = (previousRow[column - 1] ?? 0) + substitutionCost;
      const cost = Math.min(changed, (previousRow[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      current.push(cost);
      if (cost < rowMinimum) rowMinimum = cost;
    }
    if (rowMinimum > maxDistance) return rowMinimum;
    previousRow = current;
  }
  return previousRow[right.length] ?? 0;
};
