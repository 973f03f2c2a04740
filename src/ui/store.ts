/**
 * A value that code outside of components sets and components show, such as a question or the state of the connection.
 */
import { useSyncExternalStore } from 'react';

export type ValueStore<T> = {
  get(): T;
  set(value: T): void;
  /** Returns the value, and redraws the component when it changes. */
  use(): T;
};

export const storeOf = <T>(first: T): ValueStore<T> => {
  let held = first;
  const hearing = new Set<() => void>();
  const get = (): T => held;
  const subscribe = (listener: () => void): (() => void) => {
    hearing.add(listener);
    return () => hearing.delete(listener);
  };
  return {
    get,
    set(value) {
      held = value;
      for (const hear of hearing) hear();
    },
    use: () => useSyncExternalStore(subscribe, get),
  };
};
