/** Sales as they stand, kept in memory: a list does not read the entries of its sales anew each time. */
import type { Sale } from '../till/machine/sale.ts';

export type CurrentSales = {
  /** Undefined for one that there is not. */
  of(id: string): Sale | undefined;
  /** After a step that has become durable. */
  keep(id: string, sale: Sale): void;
  /** Nobody knows how it stands: it is read the next time. */
  forget(id: string): void;
};

/** Of about a kilobyte each: the pages of all lists, and what is open. Those that were wanted last are kept. */
const KEPT_MOST = 2_000;

export const openStanding = (read: (id: string) => Sale | undefined, most = KEPT_MOST): CurrentSales => {
  const known = new Map<string, Sale>();
  const keep = (id: string, sale: Sale): void => {
    known.delete(id);
    known.set(id, sale);
    if (known.size <= most) return;
    for (const oldest of known.keys()) {
      known.delete(oldest);
      return;
    }
  };
  return {
    keep,
    forget: (id) => void known.delete(id),
    of(id) {
      const sale = known.get(id) ?? read(id);
      if (sale !== undefined) keep(id, sale);
      return sale;
    },
  };
};
