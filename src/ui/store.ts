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

export const createStore = <T>(first: T): ValueStore<T> => {
  let current = first;
  const listeners = new Set<() => void>();
  const get = (): T => current;
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get,
    set(value) {
      current = value;
      for (const notify of listeners) notify();
    },
    use: () => useSyncExternalStore(subscribe, get),
  };
};
