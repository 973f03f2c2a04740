/** Which structures of spec 2 a request uses: found in one pass over its names, once for each request. */
import type { SentValues } from '../operation.ts';

const known = new WeakMap<object, ReadonlySet<string>>();

/**
 * The first parts of the names that were sent: `customer` of customer.email, `cart` of cart.items[0].name; of a map its
 * name and a bracket. card.holder alone makes no card: it goes with other accounts too. Kept by the request object,
 * which must not change afterwards.
 */
export const structuresOf = (sent: SentValues): ReadonlySet<string> => {
  const before = known.get(sent);
  if (before !== undefined) return before;
  const found = new Set<string>();
  // Names of one structure mostly come one after another.
  let last = ' ';
  for (const name in sent) {
    if (name.startsWith(last) || name === 'card.holder' || sent[name] === undefined) continue;
    const end = name.search(/[.[]/);
    if (end < 1) continue;
    last = name.slice(0, end + 1);
    found.add(name[end] === '[' ? last : name.slice(0, end));
  }
  known.set(sent, found);
  return found;
};

/** The condition that a structure is used. */
export const uses =
  (structure: string) =>
  (sent: SentValues): boolean =>
    structuresOf(sent).has(structure);
