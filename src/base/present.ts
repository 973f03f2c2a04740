/** Maps in which a name counts by being there: what is sent, listed, counted or laid over another map. */

/** Without the names whose value is undefined. */
export const present = <V>(values: Readonly<Record<string, V | undefined>>): Readonly<Record<string, V>> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, V] => entry[1] !== undefined));
