/** Who may call at a time: many in all, and always at least one for each URL, however slow the others are. */

export interface Slots {
  /** Does it when there is room. */
  use<T>(of: string, work: () => Promise<T>): Promise<T>;
}

type Kind = 'first' | 'shared';
type Waiting = { of: string; begin: (kind: Kind) => void };

/** `shared`: how many calls at a time, beside the first of each URL. */
export const slots = (shared: number): Slots => {
  const first = new Set<string>();
  const waiting = new Set<Waiting>();
  let inUse = 0;

  const take = (of: string): Promise<Kind> => {
    if (!first.has(of)) {
      first.add(of);
      return Promise.resolve('first');
    }
    if (inUse < shared) {
      inUse += 1;
      return Promise.resolve('shared');
    }
    return new Promise((begin) => waiting.add({ of, begin }));
  };

  /** Room goes from one to the next, without being free in between. */
  const give = (kind: Kind, of: string): void => {
    for (const each of waiting) {
      if (kind === 'first' && each.of !== of) continue;
      waiting.delete(each);
      each.begin(kind);
      return;
    }
    if (kind === 'first') first.delete(of);
    else inUse -= 1;
  };

  return {
    async use(of, work) {
      const kind = await take(of);
      try {
        return await work();
      } finally {
        give(kind, of);
      }
    },
  };
};
