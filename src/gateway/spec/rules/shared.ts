/** Rules that stand in the tables of several operations. */
import type { Rule } from '../operation.ts';

/**
 * A rule that every operation's table takes, whichever rows it accepts. Where it does not take a parameter, the rules
 * about it hold: nobody can send it. (`never` stands for a name of each of those tables.)
 */
export type SharedRule = Omit<Rule, 'name'> & { name: never };

export const shared = (rules: readonly Rule[]): readonly SharedRule[] => rules as readonly SharedRule[];
