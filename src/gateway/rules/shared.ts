/** Rules that stand in the tables of several operations. */
import type { Given, Rule } from '../operations/operation.ts';

/**
 * A rule that every operation's table takes, whichever rows it accepts. Where it does not take a parameter, the rules
 * about it hold: nobody can send it. (`never` stands for a name of each of those tables.)
 */
export type SharedRule = { name: never; says: string; holds: (sent: Given) => boolean };

export const shared = (rules: readonly Rule[]): readonly SharedRule[] => rules as readonly SharedRule[];
