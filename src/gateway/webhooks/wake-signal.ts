/** Tells whoever delivers that there may be something to do, within one process. */

export interface WakeSignal {
  ring(): void;
  /** Called at each ring, until the returned function is called. */
  listen(heard: () => void): () => void;
}

export const createWakeSignal = (): WakeSignal => {
  const listeners = new Set<() => void>();
  return {
    ring() {
      for (const heard of listeners) heard();
    },
    listen(heard) {
      listeners.add(heard);
      return () => void listeners.delete(heard);
    },
  };
};
