/** A row of the tables of what is said. It imports nothing, so that any table may be loaded first. */

/** What happened, what it means for the money, what to do next. `{name}` is filled with the facts of the case. */
export type SaidRow = { says: string; money: string; next: string };

/** A row of a table: what happened, what it means for the money, what to do next. */
export const row = (says: string, money: string, next: string): SaidRow => ({ says, money, next });
