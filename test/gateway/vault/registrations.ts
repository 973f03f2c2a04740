/** Registrations in memory, for tests of code that iterates over them: one atomic transaction at a time. */
import type { Registration } from '../../../src/gateway/store/records.ts';
import type { Session, Store } from '../../../src/gateway/store/store.ts';

export type Registrations = Pick<Store, 'transact' | 'sealedUnderOther'> & {
  rows: Map<string, Registration>;
  /** Called before each transaction with the number of earlier ones: a test interrupts or changes things here. */
  beforeWork: (works: number) => void;
};

export const registrationsInMemory = (first: readonly Registration[]): Registrations => {
  const rows = new Map(first.map((row) => [row.id, row]));
  let workCount = 0;
  let last: Promise<unknown> = Promise.resolve();
  const registrations: Registrations = {
    rows,
    beforeWork: () => undefined,
    transact(_names, work) {
      const run = async () => {
        registrations.beforeWork(workCount);
        workCount += 1;
        const written = new Map<string, Registration>();
        const outcome = await work(sessionOn(rows, written));
        for (const [id, row] of written) rows.set(id, row);
        return outcome;
      };
      const currentRun = last.then(run, run);
      last = currentRun;
      return currentRun;
    },
    async sealedUnderOther(keyId, limit) {
      return [...rows.values()]
        .filter(({ state, sealed }) => state === 'active' && sealed !== undefined && sealed.keyId !== keyId)
        .slice(0, limit);
    },
  };
  return registrations;
};

const sessionOn = (rows: ReadonlyMap<string, Registration>, written: Map<string, Registration>): Session => {
  const session: Pick<Session, 'registration' | 'changeRegistration'> = {
    registration: async (id) => written.get(id) ?? rows.get(id),
    changeRegistration: async (row) => void written.set(row.id, row),
  };
  return session as Session;
};
