/** Works with a name in common run one after another within this process, before any of them takes a connection. */

export interface NameTurns {
  /** Runs `work` when every earlier work with one of these names is over. */
  run<T>(names: readonly string[], work: () => Promise<T>): Promise<T>;
}

/** A work waits only for earlier ones, so that none can wait for each other. */
export const nameTurns = (): NameTurns => {
  const last = new Map<string, Promise<void>>();
  return {
    async run(names, work) {
      const before = names.map((name) => last.get(name)).filter((each) => each !== undefined);
      const { promise: over, resolve: end } = Promise.withResolvers<void>();
      for (const name of names) last.set(name, over);
      try {
        if (before.length > 0) await Promise.all(before);
        return await work();
      } finally {
        for (const name of names) if (last.get(name) === over) last.delete(name);
        end();
      }
    },
  };
};
