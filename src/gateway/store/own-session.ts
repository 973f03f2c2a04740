/** A work of the store that asked the store itself would wait for its own end: it is refused instead. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Fault } from '../../base/fault.ts';

export interface OwnSession {
  /** Throws `gateway.state` when called from within a work that is not over. */
  refuse(): void;
  /** The same as a promise that is rejected; undefined where nothing is refused. */
  refused(): Promise<never> | undefined;
  /** `work`, with everything that it starts known as its own until it is over. */
  within<A, T>(work: (given: A) => Promise<T>): (given: A) => Promise<T>;
}

export const ownSession = (): OwnSession => {
  const inside = new AsyncLocalStorage<{ over: boolean }>();
  const refusal = (): Fault | undefined => {
    if (inside.getStore()?.over !== false) return undefined;
    return new Fault('gateway.state', { why: 'a work of the store asked the store instead of its own session' });
  };
  return {
    refuse() {
      const fault = refusal();
      if (fault !== undefined) throw fault;
    },
    refused() {
      const fault = refusal();
      return fault && Promise.reject(fault);
    },
    within: (work) => async (given) => {
      const turn = { over: false };
      try {
        return await inside.run(turn, work, given);
      } finally {
        turn.over = true;
      }
    },
  };
};
