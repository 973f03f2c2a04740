/** One at a time per name: work on the same account, key or payment waits for the one before it. */

export type Exclusive = <T>(names: readonly string[], work: () => Promise<T>) => Promise<T>;

/**
 * Work takes its place in the queues of all its names in one step, so two works can never wait for each other.
 * A failure ends its own work only. The table holds a name no longer than somebody uses it.
 */
export const exclusive = (): Exclusive => {
  const last = new Map<string, Promise<unknown>>();

  return async (names, work) => {
    const own = [...new Set(names)];
    const before = own.flatMap((name) => last.get(name) ?? []);
    const turn = Promise.all(before).then(work);
    const settled = turn.then(nothing, nothing);
    for (const name of own) last.set(name, settled);
    try {
      return await turn;
    } finally {
      for (const name of own) if (last.get(name) === settled) last.delete(name);
    }
  };
};

const nothing = (): void => undefined;
