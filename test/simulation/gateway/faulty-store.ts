/** A store whose writes fail now and then, before they are kept or after; and that dies when it is told to. */
import { Fault } from '../../../src/base/fault.ts';
import type { Store } from '../../../src/gateway/store/store.ts';
import type { Dice } from '../../support/chance/dice.ts';

export type FaultyStore = Store & {
  /** From now on nothing works any more, as if the process were gone. */
  die(): void;
};

/** Of a hundred writes so many fail, on average. */
export const faultyStore = (store: Store, dice: Dice, percent: number): FaultyStore => {
  let dead = false;
  const lost = (what: string) => new Fault('gateway.state', { why: `the test lost ${what}` });
  const living = () => {
    if (dead) throw lost('the process');
  };
  /** Half of the failures are of writes that were kept all the same: only the word of it was lost. */
  const write = async <T>(work: (undo: () => void) => Promise<T>): Promise<T> => {
    living();
    const fate = dice.percent(percent) ? dice.one(['undone', 'kept']) : 'good';
    const result = await work(() => {
      living();
      if (fate === 'undone') throw lost('a write');
    });
    living();
    if (fate === 'kept') throw lost('the word of a write');
    return result;
  };
  const read =
    <A extends readonly unknown[], T>(ask: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      living();
      return ask(...args);
    };
  return {
    ...store,
    payment: read(store.payment),
    followersOf: read(store.followersOf),
    registration: read(store.registration),
    search: read(store.search),
    atomically: (names, work) =>
      write((undo) =>
        store.atomically(names, async (session) => {
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
      get: read(store.memory.get),
      exclusively: (names, work) =>
        write((undo) =>
          store.memory.exclusively(names, async (documents) => {
            const result = await work(documents);
            undo();
            return result;
          }),
        ),
    },
    die() {
      dead = true;
    },
  };
};
