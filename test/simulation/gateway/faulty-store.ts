/** A store whose writes sometimes fail, before or after they are kept, and which can be made to die. */
import { Fault } from '../../../src/base/fault.ts';
import type { Store } from '../../../src/gateway/store/store.ts';
import type { Dice } from '../../support/chance/dice.ts';

export type FaultyStore = Store & {
  /** Nothing works from now on, as if the process were gone. */
  die(): void;
};

/** Wraps a store so that on average this percentage of its writes fails. */
export const faultyStore = (store: Store, dice: Dice, percent: number): FaultyStore => {
  let isDead = false;
  const lossOf = (lostPart: string) => new Fault('gateway.state', { why: `the test lost ${lostPart}` });
  const checkAlive = () => {
    if (isDead) throw lossOf('the process');
  };
  /** In half of the failures the write was kept, and only its confirmation was lost. */
  const write = async <T>(work: (undo: () => void) => Promise<T>): Promise<T> => {
    checkAlive();
    const outcome = dice.percent(percent) ? dice.one(['undone', 'kept']) : 'good';
    const result = await work(() => {
      checkAlive();
      if (outcome === 'undone') throw lossOf('a write');
    });
    checkAlive();
    if (outcome === 'kept') throw lossOf('the confirmation of a write');
    return result;
  };
  const wrapRead =
    <A extends readonly unknown[], T>(query: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      checkAlive();
      return query(...args);
    };
  return {
    ...store,
    payment: wrapRead(store.payment),
    followersOf: wrapRead(store.followersOf),
    registration: wrapRead(store.registration),
    search: wrapRead(store.search),
    transact: (names, work) =>
      write((undo) =>
        store.transact(names, async (session) => {
          const result = await work(session);
          undo();
          return result;
        }),
      ),
    finish: (id, ending) =>
      write(async (undo) => {
        undo();
        return store.finish(id, ending);
      }),
    note: (id, facts) =>
      write(async (undo) => {
        undo();
        return store.note(id, facts);
      }),
    memory: {
      get: wrapRead(store.memory.get),
      withLocks: (names, work) =>
        write((undo) =>
          store.memory.withLocks(names, async (documents) => {
            const result = await work(documents);
            undo();
            return result;
          }),
        ),
    },
    die() {
      isDead = true;
    },
  };
};
