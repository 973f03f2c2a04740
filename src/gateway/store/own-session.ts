/** A work of the store that asked the store itself would wait for its own end: it is refused instead. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Fault } from '../../base/fault.ts';

export interface OwnSession {
  /** Throws `gateway.state` when called from within a work that is not over. */
  refuse(): void;
  /** `work`, with everything that it starts known as its own until it is over. */
  within<A, T>(work: (given: A) => Promise<T>): (given: A) => Promise<T>;
}

export const ownSession = (): OwnSession => {
  const inside = new AsyncLocalStorage<{ over: boolean }>();
  return {
    refuse() {
      if (inside.getStore()?.over !== false) return;
      throw new Fault('gateway.state', { why: 'a work of the store asked the store instead of its own session' });
    },
    within: (work) => (given) => {
      const turn = { over: false };
      return inside.run(turn, async () => {
        try {
          return await work(given);
        } finally {
          turn.over = true;
        }
      });
    },
  };
};
