/** Payments that wait for a shopper who never comes: whoever has them is asked, from time to time, until they end. */
import type { Clock } from '../../base/clock.ts';
import { type BackgroundJob, rounds } from '../background-jobs.ts';
import type { Store } from '../store/store.ts';
import type { Processing } from './processing.ts';

/** A card may wait no longer than this, sealed; other payments wait longer, and asking early does no harm. */
const FIRST_MS = 15 * 60_000;
const EVERY_MS = 60_000;
/** By then everything of the gateway's own has ended; what still waits is a processor's, and may wait for days. */
const LONG_MS = 60 * 60_000;

type Deadlines = {
  store: Pick<Store, 'unfinished'>;
  processing: Processing;
  clock: Clock;
  report: (e: unknown) => void;
};

/**
 * Looks at each payment that has waited long. Looking asks the acquirer, and it is the acquirer that ends what nobody
 * decided: money that was taken at the last moment is found, and never timed out. Any number of gateways may do so.
 */
export const pendingDeadlines = ({ store, processing, clock, report }: Deadlines): BackgroundJob => {
  /** Of those that wait for days: when each is asked for again. */
  let later: ReadonlyMap<string, number> = new Map();
  return rounds({
    clock,
    everyMs: EVERY_MS,
    report,
    async round() {
      const now = clock.now();
      const waiting = (await store.unfinished(now - FIRST_MS)).filter(({ facts }) => facts.answer !== undefined);
      const next = new Map<string, number>();
      for (const { id, at } of waiting) {
        const due = later.get(id) ?? 0;
        if (now < due) {
          next.set(id, due);
          continue;
        }
        if (now - at > LONG_MS) next.set(id, now + LONG_MS);
        await processing.look(id).catch(report);
      }
      later = next;
      return undefined;
    },
  });
};
