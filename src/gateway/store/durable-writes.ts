/** Who wants to hear that something became durable. */

export type DurableWrites = {
  /** Calls back at each durable write, until the returned function is called. */
  listen(then: () => void): () => void;
  /** Something was written, and is durable. */
  happened(): void;
};

export const durableWrites = (): DurableWrites => {
  const listeners = new Set<() => void>();
  return {
    listen(then) {
      listeners.add(then);
      return () => void listeners.delete(then);
    },
    happened() {
      for (const then of listeners) then();
    },
  };
};
