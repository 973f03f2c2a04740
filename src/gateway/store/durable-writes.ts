/** Notifies listeners when something has become durable. */

export type DurableWrites = {
  /** Calls `then` at each durable write, until the returned function is called. */
  listen(then: () => void): () => void;
  /** Reports that something was written and is durable. */
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
