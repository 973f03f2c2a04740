/**
 * Limits how many sales of others somebody can open by number: each must be recorded, and only so many of them can be
 * opened in an hour.
 */
import { type Clock, DAY_MS, HOUR_MS } from '../base/clock.ts';

/**
 * `known`: opened within the last day. `new`: must be recorded. `full`: not opened, which must be recorded; after that
 * `stillFull`.
 */
export type Lookup = 'known' | 'new' | 'full' | 'stillFull';

export interface Lookups {
  open(who: string, sale: string, mostInAnHour: number): Lookup;
  /** A manager lets them continue: the hour starts again. */
  allow(who: string): void;
}

type LookupHistory = {
  /** When each was opened, monotonic ms; oldest first. */
  opened: Map<string, number>;
  /** Earlier openings no longer count. */
  countsFrom: number;
  toldFullAt: number;
};

export const openLookups = (clock: Clock): Lookups => {
  const people = new Map<string, LookupHistory>();
  const of = (who: string): LookupHistory => {
    const known = people.get(who);
    if (known !== undefined) return known;
    const created = { opened: new Map<string, number>(), countsFrom: 0, toldFullAt: Number.NEGATIVE_INFINITY };
    people.set(who, created);
    return created;
  };
  return {
    open(who, sale, mostInAnHour) {
      const history = of(who);
      const now = clock.monotonic();
      for (const [old, at] of history.opened) if (now - at >= DAY_MS) history.opened.delete(old);
      if (history.opened.has(sale)) return 'known';
      const from = Math.max(history.countsFrom, now - HOUR_MS);
      const lately = [...history.opened.values()].filter((at) => at > from).length;
      if (lately < mostInAnHour) {
        history.opened.set(sale, now);
        return 'new';
      }
      if (now - history.toldFullAt < HOUR_MS) return 'stillFull';
      history.toldFullAt = now;
      return 'full';
    },
    allow(who) {
      const history = of(who);
      history.countsFrom = clock.monotonic();
      history.toldFullAt = Number.NEGATIVE_INFINITY;
    },
  };
};
