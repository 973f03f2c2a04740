/**
 * What the tables of rules share: rules of several operations, parameters that mean nothing alone, and the structures
 * that a request uses.
 */
import { needed, type Rule, type SentValues } from '../operation.ts';

/**
 * A rule that every operation's table takes, whichever rows it accepts. Where it does not take a parameter, the rules
 * about it hold: nobody can send it. (`never` stands for a name of each of those tables.)
 */
export type SharedRule = Omit<Rule, 'name'> & { name: never };

export const shared = (rules: readonly Rule[]): readonly SharedRule[] => rules as readonly SharedRule[];

// Parameters that mean nothing alone.

/** Both or neither: an error of the one that is missing. */
export const bothOrNeither = (left: string, right: string): Rule[] => [
  ...needed((sent) => sent[left] !== undefined, [right], `may not be empty when ${left} is sent`),
  ...needed((sent) => sent[right] !== undefined, [left], `may not be empty when ${right} is sent`),
];

/** Needs another one, which may stand alone. */
export const onlyWith = (name: string, other: string): Rule[] =>
  needed((sent) => sent[name] !== undefined, [other], `may not be empty when ${name} is sent`);

// Which structures of spec 2 a request uses: found in one pass over its names, once for each request.

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
