/** Finds the listed name that a mistyped one was probably meant to be. */

const DISTANCE_MAX = 2;

type Candidate = { name: string; lower: string; letters: number };

/** Made once for each list: an operation's parser always uses the same one. */
const prepared = new WeakMap<readonly string[], readonly Candidate[]>();

/** The nearest name by single-letter changes, at most two away, ignoring case. Undefined if none is near. */
export const nearest = (name: string, names: readonly string[]): string | undefined => {
  // A longer unknown name cannot be near any name, and is not worth the calculation.
  if (name.length > 64) return undefined;
  const meant = name.toLowerCase();
  const letters = lettersOf(meant);
  let best: string | undefined;
  let most = DISTANCE_MAX;
  for (const candidate of candidatesOf(names)) {
    if (Math.abs(candidate.lower.length - meant.length) > most) continue;
    if (bitsIn(candidate.letters ^ letters) > 2 * most) continue;
    const away = distance(meant, candidate.lower, most);
    if (away > most) continue;
    best = candidate.name;
    // Only a nearer one replaces it.
    most = away - 1;
    if (most < 0) break;
  }
  return best;
};

const candidatesOf = (names: readonly string[]): readonly Candidate[] => {
  const known = prepared.get(names);
  if (known !== undefined) return known;
  const made = names.map((name) => {
    const lower = name.toLowerCase();
    return { name, lower, letters: lettersOf(lower) };
  });
  prepared.set(names, made);
  return made;
};

/** The letters that occur, one bit for each of 32 classes. A single-letter change alters at most two bits. */
const lettersOf = (text: string): number => {
  let letters = 0;
  for (let i = 0; i < text.length; i += 1) letters |= 1 << (text.charCodeAt(i) & 31);
  return letters;
};

const bitsIn = (mask: number): number => {
  let bits = 0;
  for (let left = mask; left !== 0; left &= left - 1) bits += 1;
  return bits;
};

/** The Levenshtein distance, one row at a time; returns more than `most` as soon as it must exceed that. */
const distance = (left: string, right: string, most: number): number => {
  let above = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1] ? 0 : 1;
      const changed = (above[column - 1] ?? 0) + same;
      const cost = Math.min(changed, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      current.push(cost);
      if (cost < least) least = cost;
    }
    if (least > most) return least;
    above = current;
  }
  return above[right.length] ?? 0;
};
