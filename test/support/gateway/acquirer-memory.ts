/** An acquirer's memory in this process, as strict as a store's: works take turns, and a failed one changes nothing. */

import type { AcquirerMemory, Documents } from '../../../src/gateway/store/documents.ts';

export type InMemory = AcquirerMemory & {
  /** Everything stored. */
  readonly documents: Map<string, string>;
};

export const acquirerMemory = (): InMemory => {
  const documents = new Map<string, string>();
  const last = new Map<string, Promise<unknown>>();

  const commit = async <T>(work: (documents: Documents) => Promise<T>): Promise<T> => {
    const changed = new Map<string, string>();
    const result = await work({
      get: async (key) => changed.get(key) ?? documents.get(key),
      set: async (entries) => {
        for (const { key, value } of entries) changed.set(key, value);
      },
    });
    for (const [key, text] of changed) documents.set(key, text);
    return result;
  };

  return {
    documents,
    get: async (key) => documents.get(key),
    async withLocks(names, work) {
      const ownNames = [...new Set(names)];
      // A place in all queues is taken in one step, so that two works never wait for each other.
      const turn = Promise.all(ownNames.map((name) => last.get(name))).then(() => commit(work));
      const settled = turn.then(ignore, ignore);
      for (const name of ownNames) last.set(name, settled);
      try {
        return await turn;
      } finally {
        for (const name of ownNames) if (last.get(name) === settled) last.delete(name);
      }
    },
  };
};

const ignore = (): void => undefined;
