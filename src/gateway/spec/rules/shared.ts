/**
 * Shared by the tables of rules: rules of several operations, parameters that need others, and the structures that a
 * request uses.
 */
import { type Rule, requireWhen, type SentValues } from '../operation.ts';

/**
 * A rule that fits every operation's table, whichever rows it accepts. If the operation does not accept a parameter,
 * the rules about it hold, because nobody can send it. (`never` stands for a name in each of those tables.)
 */
export type SharedRule = Omit<Rule, 'name'> & { name: never };

export const shared = (rules: readonly Rule[]): readonly SharedRule[] => rules as readonly SharedRule[];

// Parameters that need others.

/** Both or neither: the error names the missing one. */
export const requireTogether = (left: string, right: string): Rule[] => [
  ...requireWhen((values) => values[left] !== undefined, [right], `may not be empty when ${left} is sent`),
  ...requireWhen((values) => values[right] !== undefined, [left], `may not be empty when ${right} is sent`),
];

/** Needs another parameter, which may come alone. */
export const requireWith = (name: string, other: string): Rule[] =>
  requireWhen((values) => values[name] !== undefined, [other], `may not be empty when ${name} is sent`);

// The structures of spec 2 that a request uses: found in one pass over its names, once for each request.

const structureCache = new WeakMap<object, ReadonlySet<string>>();

/**
 * The first parts of the sent names: `customer` of customer.email, `cart` of cart.items[0].name; for a map its name and
 * a bracket. card.holder alone is no card: it accompanies other accounts too. Cached by the request object, which must
 * not change afterwards.
 */
export const usedStructuresOf = (values: SentValues): ReadonlySet<string> => {
  const cached = structureCache.get(values);
  if (cached !== undefined) return cached;
  const found = new Set<string>();
  // Names of one structure usually come one after another.
  let lastPrefix = ' ';
  for (const name in values) {
    if (name.startsWith(lastPrefix) || name === 'card.holder' || values[name] === undefined) continue;
    const end = name.search(/[.[]/);
    if (end < 1) continue;
    lastPrefix = name.slice(0, end + 1);
    found.add(name[end] === '[' ? lastPrefix : name.slice(0, end));
  }
  structureCache.set(values, found);
  return found;
};

/** The condition that a structure is used. */
export const usesStructure =
  (structure: string) =>
  (values: SentValues): boolean =>
    usedStructuresOf(values).has(structure);
