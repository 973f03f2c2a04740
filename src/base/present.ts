/** Maps in which the mere presence of a name counts: for sending, listing, counting or merging. */

/** The same map without the names whose value is undefined. */
export const withoutUndefined = <V>(values: Readonly<Record<string, V | undefined>>): Readonly<Record<string, V>> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, V] => entry[1] !== undefined));
