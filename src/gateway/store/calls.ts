/** Calls that are under way: a store is closed when all of them are over, and takes no more meanwhile. */
import { Fault } from '../../base/fault.ts';

export interface Calls {
  /** Throws `gateway.state` once closing has begun. */
  run<T>(call: () => Promise<T>): Promise<T>;
  /** Resolves when whatever was begun is over. */
  close(): Promise<void>;
}

export const callsUnderWay = (): Calls => {
  const underWay = new Set<Promise<unknown>>();
  let closed = false;
  return {
    async run(call) {
      if (closed) throw new Fault('gateway.state', { why: 'it is closed' });
      const begun = call();
      underWay.add(begun);
      try {
        return await begun;
      } finally {
        underWay.delete(begun);
      }
    },
    async close() {
      closed = true;
      // How they end is told to those who asked.
      await Promise.allSettled(underWay);
    },
  };
};
