/**
 * A row of the tables of what is said, and `{name}` filled in. It imports nothing, so that any table may be loaded
 * first.
 */

/** What happened, what it means for the money, what to do next. `{name}` is filled with the facts of the case. */
export type SaidRow = { says: string; money: string; next: string };

/** A row of a table: what happened, what it means for the money, what to do next. */
export const row = (says: string, money: string, next: string): SaidRow => ({ says, money, next });

/** Fills `{name}` in a text; a name without a fact stays. */
export const fill = (text: string, facts: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(facts[name] ?? whole));
